/** Numbers as people read them, in the terminal and on the page. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { rounded, unitFor, withUnit } from "@cobre/study/numbers";

describe("numbers", () => {
  const texts: [number, string, string][] = [
    [115e9, "$", "115.0 G$"],
    [999_960, "$", "1.000 M$"],
    [12_345, "hm³", "12,345 hm³"],
    [4.56e7, "MWh", "45.60 TWh"],
    [123.456, "$/MWh", "123.5 $/MWh"],
    [1234.5, "ms", "1.235 s"],
    [0, "$", "0 $"],
    [85_280, "B", "85.28 kB"],
    [53, "B", "53 B"],
    [-2.5e6, "$/hm³", "-2.500 M$/hm³"],
    [Number.NaN, "$", "–"],
  ];
  for (const [value, unit, text] of texts) {
    it(`writes ${value} ${unit} as ${text}`, () => assert.equal(withUnit(value, unit), text));
  }

  it("rounds", () => {
    assert.equal(rounded(1234567.8), "1,234,568");
    assert.equal(rounded(0.00012345, 3), "0.000123");
    assert.equal(rounded(1.5e-7, 3), "1.50e-7");
  });

  it("finds the unit of an axis", () => {
    assert.deepEqual(unitFor("$", 2e9), { divisor: 1e9, label: "G$" });
    assert.deepEqual(unitFor("MWh", 5e3), { divisor: 1e3, label: "GWh" });
    assert.deepEqual(unitFor("hm³", 2e9), { divisor: 1, label: "hm³" });
    assert.deepEqual(unitFor("$", 0), { divisor: 1, label: "$" });
  });
});
