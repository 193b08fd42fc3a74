/**
 * The text of a generic constraint of Cobre 0.18, which may be a relation:
 *
 *     relation = sum [ ( "<=" | ">=" | "==" ) sum ]
 *     sum      = [ "+" | "-" ] item { ( "+" | "-" ) item }
 *     item     = number | [ number "*" ] ( variable | group | "@" name [ "*" variable ] )
 *     group    = "(" sum ")"
 *     variable = name "(" id [ "," block ] [ "," "bus" "=" id ] ")"
 *              | name "(" "source_bus" "=" id "," "target_bus" "=" id ")"
 *
 * `@name` before a variable is a parameter; alone it is a parameter or a named expression. A number alone stands only outside groups, in a text with
 * a relation.
 */
import type { ExpressionTerm } from "./expression.js";
import type { GenericSense } from "./generic-constraint.js";
import { ExpressionError, type Token, Tokens, wrong } from "./tokens.js";

/** A variable, times a number and a parameter. */
export interface RelationTerm extends ExpressionTerm {
  readonly kind: "variable";
  readonly parameter: string | undefined;
  /** One of the buses that a plant feeds. */
  readonly bus: number | undefined;
  /** A line by the buses that it connects, in place of its id. */
  readonly between: readonly [source: number, target: number] | undefined;
}

/** A parameter or a named expression, times a number. */
export interface RelationName {
  readonly kind: "name";
  readonly coefficient: number;
  readonly name: string;
  readonly position: number;
}

export interface RelationNumber {
  readonly kind: "number";
  readonly coefficient: number;
  readonly position: number;
}

export type RelationItem = RelationTerm | RelationName | RelationNumber;

/** A text that was read. Without a relation there is only the left side. */
export interface Relation {
  readonly left: readonly RelationItem[];
  readonly sense: GenericSense | undefined;
  readonly right: readonly RelationItem[];
}

/**
 * Reads the text of a constraint.
 *
 * @throws {@link ExpressionError}
 * @example
 * ```ts
 * parseRelation("hydro_generation(0) + 2 * (line_direct(1) - line_reverse(1)) <= @limit");
 * ```
 */
export function parseRelation(text: string): Relation {
  return new RelationParser(text).relation();
}

const SIGNS = /<=|>=|==|[-+*(),@=]/y;
const SENSES: readonly GenericSense[] = ["<=", ">=", "=="];

/** Groups in groups: far more than anybody writes. */
const MOST_GROUPS = 100;

class RelationParser {
  private readonly tokens: Tokens;
  private depth = 0;

  constructor(text: string) {
    this.tokens = new Tokens(text, SIGNS);
  }

  relation(): Relation {
    const left = this.sum(1, false);
    const sense = SENSES.find((sign) => this.tokens.accept(sign));
    const right = sense === undefined ? [] : this.sum(1, false);
    const rest = this.tokens.next();
    if (SENSES.some((sign) => sign === rest.text)) {
      const remedy = "give one relation; a band has bound_lower and bound_upper in its table";
      throw new ExpressionError(rest.position, "there is a second relation", remedy);
    }
    if (rest.kind !== "end") throw wrong(rest, "+ or -, a relation, or the end,");
    const alone = left.find(({ kind }) => kind === "number");
    if (sense === undefined && alone !== undefined) {
      const remedy = "give a relation, as in … <= 10, or a variable after the number";
      throw new ExpressionError(alone.position, "a number stands alone", remedy);
    }
    return { left, sense, right };
  }

  private sum(factor: number, isGroup: boolean): readonly RelationItem[] {
    const isNegative = this.tokens.accept("-");
    if (!isNegative) this.tokens.accept("+");
    const items = [...this.item(isNegative ? -factor : factor, isGroup)];
    for (;;) {
      if (this.tokens.accept("+")) items.push(...this.item(factor, isGroup));
      else if (this.tokens.accept("-")) items.push(...this.item(-factor, isGroup));
      else return items;
    }
  }

  private item(factor: number, isGroup: boolean): readonly RelationItem[] {
    const first = this.tokens.peek();
    if (first.kind !== "number") return this.product(factor);
    const coefficient = factor * Number(this.tokens.next().text);
    if (this.tokens.accept("*")) return this.product(coefficient);
    if (!isGroup) return [{ kind: "number", coefficient, position: first.position }];
    const remedy = "write it outside the parentheses";
    throw new ExpressionError(first.position, "a number stands alone in a group", remedy);
  }

  private product(coefficient: number): readonly RelationItem[] {
    const { position } = this.tokens.peek();
    if (this.tokens.accept("(")) {
      this.depth++;
      if (this.depth > MOST_GROUPS) {
        throw new ExpressionError(
          position,
          "there are too many groups in each other",
          "write fewer",
        );
      }
      const items = this.sum(coefficient, true);
      this.tokens.expect(")");
      this.depth--;
      return items;
    }
    if (!this.tokens.accept("@")) return [this.variable(coefficient, undefined)];
    const name = this.name("the name of a parameter or of an expression");
    if (!this.tokens.accept("*")) return [{ kind: "name", coefficient, name: name.text, position }];
    const next = this.tokens.peek();
    if (next.kind !== "name") throw wrong(next, "a variable, as in thermal_generation(0),");
    return [this.variable(coefficient, name.text)];
  }

  private variable(coefficient: number, parameter: string | undefined): RelationTerm {
    const name = this.name("a variable, as in thermal_generation(0),");
    this.tokens.expect("(");
    const head = { kind: "variable", coefficient, parameter, position: name.position } as const;
    if (this.tokens.peek().kind === "name") {
      const between = [this.named("source_bus"), this.named("target_bus", true)] as const;
      this.tokens.expect(")");
      return { ...head, variable: name.text, id: -1, block: undefined, bus: undefined, between };
    }
    const id = this.tokens.whole("the id of an entity");
    let block: number | undefined;
    let bus: number | undefined;
    if (this.tokens.peek().text === "," && this.tokens.peek(1).kind === "number") {
      this.tokens.expect(",");
      block = this.tokens.whole("the number of a block");
    }
    if (this.tokens.peek().text === ",") bus = this.named("bus", true);
    this.tokens.expect(")");
    return { ...head, variable: name.text, id, block, bus, between: undefined };
  }

  /** `name = id` */
  private named(name: string, isNext = false): number {
    if (isNext) this.tokens.expect(",");
    const token = this.tokens.next();
    if (token.text !== name) throw wrong(token, `${name}=`);
    this.tokens.expect("=");
    return this.tokens.whole("the id of a bus");
  }

  private name(what: string): Token {
    const token = this.tokens.next();
    if (token.kind !== "name") throw wrong(token, what);
    return token;
  }
}
