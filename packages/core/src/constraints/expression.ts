/**
 * The text of a generic constraint as a sum of variables:
 *
 *     sum  = [ "+" | "-" ] term { ( "+" | "-" ) term }
 *     term = [ number "*" ] name "(" id [ "," block ] ")"
 *
 * A number has digits with an optional point and exponent, and no sign of its own. An id and a block are whole numbers. White space is free.
 */

import { Tokens, wrong } from "./tokens.js";

/** A variable of a sum, times a number. */
export interface ExpressionTerm {
  readonly coefficient: number;
  readonly variable: string;
  readonly id: number;
  readonly block: number | undefined;
  /** Where the name of the variable begins, counted from 1. */
  readonly position: number;
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

const SIGNS = /[-+*(),]/y;

/** The parts of the grammar, one method each. */
class ExpressionParser {
  private readonly tokens: Tokens;

  constructor(text: string) {
    this.tokens = new Tokens(text, SIGNS);
  }

  sum(): readonly ExpressionTerm[] {
    const isNegative = this.tokens.accept("-");
    if (!isNegative) this.tokens.accept("+");
    const terms = [this.term(isNegative ? -1 : 1)];
    for (;;) {
      if (this.tokens.accept("+")) terms.push(this.term(1));
      else if (this.tokens.accept("-")) terms.push(this.term(-1));
      else return terms;
    }
  }

  end(): void {
    const token = this.tokens.next();
    if (token.kind === "end") return;
    throw wrong(token, "+ or -, or the end,");
  }

  private term(sign: 1 | -1): ExpressionTerm {
    let factor = 1;
    if (this.tokens.peek().kind === "number") {
      factor = Number(this.tokens.next().text);
      if (!this.tokens.accept("*")) throw wrong(this.tokens.peek(), "* and a variable");
    }
    const name = this.tokens.next();
    if (name.kind !== "name") throw wrong(name, "a variable, as in thermal_generation(0),");
    this.tokens.expect("(");
    const id = this.tokens.whole("the id of an entity");
    const block = this.tokens.accept(",") ? this.tokens.whole("the number of a block") : undefined;
    this.tokens.expect(")");
    return {
      coefficient: sign * factor,
      variable: name.text,
      id,
      block,
      position: name.position,
    };
  }
}
