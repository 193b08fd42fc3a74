/** The texts of generic constraints of Cobre 0.18: what they mean, and where they are wrong. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExpressionError, parseRelation, type RelationItem } from "@cobre/core";

const shown = (items: readonly RelationItem[]) =>
  items.map((item) => {
    if (item.kind === "number") return `${item.coefficient}`;
    if (item.kind === "name") return `${item.coefficient}@${item.name}`;
    const { coefficient, parameter, variable, id, block, bus, between } = item;
    const of = parameter === undefined ? "" : `@${parameter} `;
    const where = between ?? [id, block ?? "-", bus ?? "-"];
    return `${coefficient} ${of}${variable}(${where.join(" ")})`;
  });

describe("a relation", () => {
  const TEXTS: readonly [text: string, left: string[], sense?: string, right?: string[]][] = [
    ["a(0)", ["1 a(0 - -)"]],
    ["a(0, 1) - 2*b(3) <= 4", ["1 a(0 1 -)", "-2 b(3 - -)"], "<=", ["4"]],
    ["a(5, bus=2) + a(5, 1, bus=2)", ["1 a(5 - 2)", "1 a(5 1 2)"]],
    ["line_exchange(source_bus=3, target_bus=4)", ["1 line_exchange(3 4)"]],
    ["@p * a(0) + 2 * @p * b(1) == @q", ["1 @p a(0 - -)", "2 @p b(1 - -)"], "==", ["1@q"]],
    ["3*@sum - @other >= -1 + 2*@q", ["3@sum", "-1@other"], ">=", ["-1", "2@q"]],
    ["2*(a(0) - 3*(b(1) + @n))", ["2 a(0 - -)", "-6 b(1 - -)", "-6@n"]],
    ["-(a(0) - b(1))", ["-1 a(0 - -)", "1 b(1 - -)"]],
  ];
  for (const [text, left, sense, right = []] of TEXTS)
    it(`reads ${text}`, () => {
      const relation = parseRelation(text);
      assert.deepEqual(
        [shown(relation.left), relation.sense, shown(relation.right)],
        [left, sense, right],
      );
    });

  const WRONG: readonly [text: string, position: number, problem: RegExp][] = [
    ["", 1, /the text ends/],
    ["a(0) + 3", 8, /a number stands alone/],
    ["1 <= a(0) <= 2", 11, /a second relation/],
    ["2*(a(0) + 3) <= 1", 11, /stands alone in a group/],
    ["@p * @q", 6, /there is "@"/],
    ["@p * (a(0))", 6, /there is "\("/],
    ["a(bus=1)", 3, /there is "bus"/],
    ["a(0, bus=1, 2)", 11, /there is ","/],
    ["a(0", 4, /the text ends/],
    ["a(0) < 3", 6, /"<" has no meaning here/],
    [`${"(".repeat(101)}a(0)`, 101, /too many groups/],
  ];
  for (const [text, position, problem] of WRONG)
    it(`tells what is wrong with ${text.slice(0, 40)}`, () => {
      assert.throws(
        () => parseRelation(text),
        (error) =>
          error instanceof ExpressionError &&
          error.position === position &&
          problem.test(error.message),
      );
    });
});
