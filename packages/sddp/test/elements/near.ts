import assert from "node:assert/strict";

/** Equal but for rounding. */
export function near(actual: number, expected: number, what = ""): void {
  const size = Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= 1e-9 * size, `${what} ${actual}, not ${expected}`);
}

/** A thermal plant without a least generation. */
export const plant = (id: number, costPerMwh: number, maxGenerationMw: number, busId = 1) => ({
  id,
  name: `thermal ${id}`,
  busId,
  minGenerationMw: 0,
  maxGenerationMw,
  costPerMwh,
});
