/** The words of the texts of generic constraints. */

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

export interface Token {
  readonly kind: "name" | "number" | "sign" | "end";
  readonly text: string;
  readonly position: number;
}

/** A text, token by token. */
export class Tokens {
  private readonly tokens: readonly Token[];
  private at = 0;

  /** @param signs what else may stand in the text than names and numbers */
  constructor(text: string, signs: RegExp) {
    this.tokens = tokensOf(text, signs);
  }

  /** @param ahead how many tokens after the next one */
  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)] as Token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== "end") this.at++;
    return token;
  }

  accept(sign: string): boolean {
    const isIt = this.peek().kind === "sign" && this.peek().text === sign;
    if (isIt) this.at++;
    return isIt;
  }

  expect(sign: string): void {
    if (!this.accept(sign)) throw wrong(this.peek(), `"${sign}"`);
  }

  whole(what: string): number {
    const token = this.next();
    if (token.kind === "number" && /^\d+$/.test(token.text)) return Number(token.text);
    throw wrong(token, what);
  }
}

const SPACE = /\s*/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[A-Za-z_]\w*/y;

function tokensOf(text: string, signs: RegExp): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const patterns = [
    ["number", NUMBER],
    ["name", NAME],
    ["sign", signs],
  ] as const;
  for (;;) {
    at += match(SPACE)?.length ?? 0;
    if (at === text.length) break;
    const found = patterns
      .map(([kind, pattern]) => ({ kind, text: match(pattern) }))
      .find((candidate) => candidate.text !== undefined);
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

/** What is said where something else must be. */
export function wrong({ kind, text, position }: Token, wanted: string): ExpressionError {
  const found = kind === "end" ? "the text ends" : `there is "${text}"`;
  return new ExpressionError(position, found, `${wanted} must be there`);
}
