/**
 * The text of a generic constraint as a sum of variables:
 *
 *     sum  = [ "+" | "-" ] term { ( "+" | "-" ) term }
 *     term = [ number "*" ] name "(" id [ "," block ] ")"
 *
 * A number has digits with an optional point and exponent, and no sign of its own. An id and a block are whole numbers. White space is free.
 */

/** A variable of a sum, times a number. */
export interface ExpressionTerm {
  readonly coefficient: number;
  readonly variable: string;
  readonly id: number;
  readonly block: number | undefined;
  /** Where the name of the variable begins, counted from 1. */
  readonly position: number;
}

/** A text cannot be read. The message says what is wrong, `position` where, and `remedy` what to do. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  /** Counted from 1. */
  readonly position: number;
  readonly remedy: string;

  constructor(position: number, problem: string, remedy: string) {
    super(problem);
    this.position = position;
    this.remedy = remedy;
  }
}

/**
 * Reads a sum of variables.
 *
 * @throws {@link ExpressionError}
 * @example
 * ```ts
 * parseExpression("2 * hydro_storage(3) - thermal_generation(0, 1)");
 * ```
 */
export function parseExpression(text: string): readonly ExpressionTerm[] {
  const parser = new ExpressionParser(text);
  const terms = parser.sum();
  parser.end();
  return terms;
}

interface Token {
  readonly kind: "name" | "number" | "sign" | "end";
  readonly text: string;
  readonly position: number;
}

const SPACE = /\s*/y;
const PATTERNS = [
  ["number", /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["name", /[A-Za-z_]\w*/y],
  ["sign", /[-+*(),]/y],
] as const;

/** The parts of the grammar, one method each. Relations and groups would be more methods around {@link sum}. */
class ExpressionParser {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(text: string) {
    this.tokens = tokensOf(text);
  }

  sum(): readonly ExpressionTerm[] {
    const isNegative = this.accept("-");
    if (!isNegative) this.accept("+");
    const terms = [this.term(isNegative ? -1 : 1)];
    for (;;) {
      if (this.accept("+")) terms.push(this.term(1));
      else if (this.accept("-")) terms.push(this.term(-1));
      else return terms;
    }
  }

  end(): void {
    const token = this.next();
    if (token.kind === "end") return;
    throw wrong(token, "+ or -, or the end,");
  }

  private term(sign: 1 | -1): ExpressionTerm {
    let factor = 1;
    if (this.peek().kind === "number") {
      factor = Number(this.next().text);
      if (!this.accept("*")) throw wrong(this.peek(), "* and a variable");
    }
    const name = this.next();
    if (name.kind !== "name") throw wrong(name, "a variable, as in thermal_generation(0),");
    this.expect("(");
    const id = this.whole("the id of an entity");
    const block = this.accept(",") ? this.whole("the number of a block") : undefined;
    this.expect(")");
    return {
      coefficient: sign * factor,
      variable: name.text,
      id,
      block,
      position: name.position,
    };
  }

  private whole(what: string): number {
    const token = this.next();
    if (token.kind === "number" && /^\d+$/.test(token.text)) return Number(token.text);
    throw wrong(token, what);
  }

  private peek(): Token {
    return this.tokens[this.at] as Token;
  }

  private next(): Token {
    const token = this.peek();
    if (token.kind !== "end") this.at++;
    return token;
  }

  private accept(sign: string): boolean {
    const isIt = this.peek().kind === "sign" && this.peek().text === sign;
    if (isIt) this.at++;
    return isIt;
  }

  private expect(sign: string): void {
    if (!this.accept(sign)) throw wrong(this.peek(), `"${sign}"`);
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    at += match(SPACE)?.length ?? 0;
    if (at === text.length) break;
    const found = PATTERNS.map(([kind, pattern]) => ({ kind, text: match(pattern) })).find(
      (candidate) => candidate.text !== undefined,
    );
    if (found?.text === undefined) {
      const character = String.fromCodePoint(text.codePointAt(at) as number);
      throw new ExpressionError(at + 1, `"${character}" has no meaning here`, "remove it");
    }
    tokens.push({ kind: found.kind, text: found.text, position: at + 1 });
    at += found.text.length;
  }
  tokens.push({ kind: "end", text: "", position: text.length + 1 });
  return tokens;
}

function wrong({ kind, text, position }: Token, wanted: string): ExpressionError {
  const found = kind === "end" ? "the text ends" : `there is "${text}"`;
  return new ExpressionError(position, found, `${wanted} must be there`);
}
