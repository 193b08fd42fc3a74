import assert from "node:assert/strict";

/** Fails if a number differs from the expected one by more than rounding. */
export function near(actual: number, expected: number, what = ""): void {
  const size = Math.max(1, Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= 1e-9 * size, `${what} ${actual}, not ${expected}`);
}
