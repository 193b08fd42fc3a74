/** The texts of generic constraints: what they mean, and where they are wrong. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExpressionError, parseExpression } from "@cobre/core";

describe("an expression", () => {
  const terms = (text: string) =>
    parseExpression(text).map(({ coefficient, variable, id, block }) => {
      return [coefficient, variable, id, ...(block === undefined ? [] : [block])];
    });
  for (const [text, ...expected] of [
    ["a(0)", [1, "a", 0]],
    ["- a(0) + 2*b(3, 1)", [-1, "a", 0], [2, "b", 3, 1]],
    ["+a(12)-.5e1 * b_2 ( 7 )", [1, "a", 12], [-5, "b_2", 7]],
    ["1.*a(0)+1E-2*a(0)", [1, "a", 0], [0.01, "a", 0]],
    ["\n\ta(0)\n- 0 * b(1)", [1, "a", 0], [-0, "b", 1]],
  ] as const)
    it(`reads ${JSON.stringify(text)}`, () => {
      assert.deepEqual(terms(text), expected);
    });

  it("knows where its variables stand", () => {
    assert.deepEqual(
      parseExpression("a(0) + 3 * bb(1)").map(({ position }) => position),
      [1, 12],
    );
  });
});

describe("a wrong expression is told with its place", () => {
  for (const [text, position, problem, remedy] of [
    ["", 1, /the text ends/, /a variable, as in thermal_generation\(0\), must be there/],
    ["   ", 4, /the text ends/, /a variable/],
    ["5", 2, /the text ends/, /\* and a variable/],
    ["a(0) + 5", 9, /the text ends/, /\* and a variable/],
    ["a(0) + - b(1)", 8, /there is "-"/, /a variable/],
    ["a(0) b(1)", 6, /there is "b"/, /\+ or -, or the end/],
    ["a", 2, /the text ends/, /"\("/],
    ["a()", 3, /there is "\)"/, /the id of an entity/],
    ["a(-1)", 3, /there is "-"/, /the id of an entity/],
    ["a(1.5)", 3, /there is "1\.5"/, /the id of an entity/],
    ["a(1,)", 5, /there is "\)"/, /the number of a block/],
    ["a(1, 2, 3)", 7, /there is ","/, /"\)"/],
    ["a(1", 4, /the text ends/, /"\)"/],
    ["2 a(1)", 3, /there is "a"/, /\* and a variable/],
    ["2 * 3 * a(1)", 5, /there is "3"/, /a variable/],
    ["a(0) <= 5", 6, /"<" has no meaning here/, /remove it/],
    ["a(0) + ü(1)", 8, /"ü" has no meaning here/, /remove it/],
  ] as const)
    it(JSON.stringify(text), () => {
      assert.throws(
        () => parseExpression(text),
        (error: unknown) => {
          assert.ok(error instanceof ExpressionError);
          assert.equal(error.position, position);
          assert.match(error.message, problem);
          assert.match(error.remedy, remedy);
          return true;
        },
      );
    });
});
