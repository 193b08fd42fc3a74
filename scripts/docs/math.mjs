/**
 * Formulas of the texts as MathML, which browsers draw themselves. The texts have them as GitHub shows them: blocks of the language `math`, and
 * $`…`$ in a line. Of LaTeX this knows what the texts use; anything else is a fault, which ends the build.
 */
import { escapeHtml } from "./html.mjs";

const LETTERS = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  epsilon: "ε",
  zeta: "ζ",
  eta: "η",
  theta: "θ",
  kappa: "κ",
  lambda: "λ",
  ell: "ℓ",
  mu: "μ",
  nu: "ν",
  pi: "π",
  rho: "ρ",
  varrho: "ϱ",
  sigma: "σ",
  tau: "τ",
  varphi: "φ",
  psi: "ψ",
  omega: "ω",
};
const SIGNS = {
  cdot: "·",
  ge: "≥",
  in: "∈",
  infty: "∞",
  le: "≤",
  cdots: "⋯",
  dots: "…",
  sum: "∑",
  times: "×",
};
const FUNCTIONS = new Set(["max", "min"]);
/** Widths in em. */
const SPACES = { ",": 0.17, ";": 0.28, quad: 1, qquad: 2 };
const ACCENTS = { bar: "‾", hat: "^" };
const TOKEN = /\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|[^\s]/g;

/** A formula as MathML. */
export function mathHtml(latex, isBlock = false) {
  const reader = new Reader(latex, isBlock);
  const content = reader.row();
  if (reader.next !== undefined) reader.fail(`cannot go on at ${reader.next}`);
  const display = isBlock ? ' display="block"' : "";
  return `<math${display}><mrow>${content}</mrow></math>`;
}

/** Teaches a markdown-it renderer $`…`$. */
export function inlineMath(renderer) {
  renderer.inline.ruler.before("backticks", "math", (state, silent) => {
    if (!state.src.startsWith("$`", state.pos)) return false;
    const end = state.src.indexOf("`$", state.pos + 2);
    if (end < 0) return false;
    if (!silent) {
      const token = state.push("math", "math", 0);
      token.content = state.src.slice(state.pos + 2, end);
    }
    state.pos = end + 2;
    return true;
  });
  renderer.renderer.rules.math = (tokens, i) => mathHtml(tokens[i].content);
}

/** Words; spaces around them would be lost. */
function textHtml(text) {
  return `<mtext>${escapeHtml(text.replaceAll(/^ | $/g, "\u00a0"))}</mtext>`;
}

/** Reads tokens from left to right; what it returns is MathML. */
class Reader {
  constructor(latex, isBlock) {
    this.latex = latex;
    this.isBlock = isBlock;
    // Words in a formula keep their spaces.
    this.texts = [];
    const marked = latex.replaceAll(/\\text\{([^}]*)\}/g, (_, text) => {
      this.texts.push(text);
      return "\\text ";
    });
    this.tokens = marked.match(TOKEN) ?? [];
    this.at = 0;
  }

  get next() {
    return this.tokens[this.at];
  }

  fail(why) {
    throw new Error(`a formula ${why}: ${this.latex}`);
  }

  take() {
    const token = this.next;
    if (token === undefined) this.fail("ends too early");
    this.at++;
    return token;
  }

  expect(token) {
    const found = this.take();
    if (found !== token) this.fail(`has ${found} in place of ${token}`);
  }

  /** Everything up to a token that ends a row. */
  row(ends = []) {
    let html = "";
    while (this.next !== undefined && this.next !== "}" && !ends.includes(this.next)) {
      html += this.scripted();
    }
    return html;
  }

  /** An atom with what is written below and above it. */
  scripted() {
    const isSum = this.next === "\\sum" || FUNCTIONS.has(this.next?.slice(1));
    let base = this.atom();
    if (this.next === "'") {
      this.take();
      base = `<mrow>${base}<mo lspace="0" rspace="0">′</mo></mrow>`;
    }
    let [below, above] = [undefined, undefined];
    while (this.next === "_" || this.next === "^") {
      const mark = this.take();
      if (mark === "_") below = this.atom();
      else above = this.atom();
    }
    if (below === undefined && above === undefined) return base;
    const [both, under, over] =
      isSum && this.isBlock ? ["munderover", "munder", "mover"] : ["msubsup", "msub", "msup"];
    if (above === undefined) return `<${under}>${base}${below}</${under}>`;
    if (below === undefined) return `<${over}>${base}${above}</${over}>`;
    return `<${both}>${base}${below}${above}</${both}>`;
  }

  group() {
    this.expect("{");
    const html = this.row();
    this.expect("}");
    return `<mrow>${html}</mrow>`;
  }

  atom() {
    if (this.next === "{") return this.group();
    const token = this.take();
    if (token.startsWith("\\")) return this.command(token.slice(1));
    if (/^\d/.test(token)) return `<mn>${token}</mn>`;
    if (/^\p{L}$/u.test(token)) return `<mi>${token}</mi>`;
    if (token === "-") return "<mo>−</mo>";
    if ("()[]".includes(token)) return `<mo stretchy="false">${token}</mo>`;
    if ("+=<>,./|*".includes(token)) return `<mo>${escapeHtml(token)}</mo>`;
    return this.fail(`has ${token}, which nothing here can draw`);
  }

  command(name) {
    if (name === "text") return textHtml(this.texts.shift());
    if (name in LETTERS) return `<mi>${LETTERS[name]}</mi>`;
    if (name in SIGNS) return `<mo>${SIGNS[name]}</mo>`;
    if (FUNCTIONS.has(name)) return `<mi>${name}</mi>`;
    if (name in SPACES) return `<mspace width="${SPACES[name]}em"/>`;
    if (name in ACCENTS)
      return `<mover accent="true">${this.atom()}<mo>${ACCENTS[name]}</mo></mover>`;
    if (name === "underline") return `<munder>${this.atom()}<mo stretchy="true">_</mo></munder>`;
    if (name === "frac") return `<mfrac>${this.group()}${this.group()}</mfrac>`;
    if (name === "left" || name === "right") return `<mo>${escapeHtml(this.take())}</mo>`;
    if (name === "begin") return this.aligned();
    return this.fail(`has \\${name}, which is not known here`);
  }

  /** Lines whose parts stand below each other. */
  aligned() {
    for (const token of ["{", ..."aligned", "}"]) this.expect(token);
    const lines = [];
    let cells = [];
    for (;;) {
      const cell = this.row(["&", "\\\\", "\\end"]);
      cells.push(`<mtd><mstyle displaystyle="true">${cell}</mstyle></mtd>`);
      const end = this.take();
      if (end === "&") continue;
      lines.push(`<mtr>${cells.join("")}</mtr>`);
      cells = [];
      if (end === "\\end") break;
    }
    for (const token of ["{", ..."aligned", "}"]) this.expect(token);
    return `<mtable class="aligned">${lines.join("")}</mtable>`;
  }
}
