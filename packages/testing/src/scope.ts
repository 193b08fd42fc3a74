/**
 * Which part of a table of tests runs. `npm test` runs the quick part: every kind of check once. `npm run test:rest` runs the rest: the same
 * checks in other settings. `npm run test:all` runs both. `npm run mutate` runs the quick part once for every change it makes, with fewer seeds.
 *
 * `npm run test:rest` starts only the test files that import this module. In such a file every test belongs to one of the two parts.
 */

const SCOPES = ["few", "quick", "rest", "all"] as const;

const scope = process.env.COBRE_TEST_SCOPE ?? "quick";
if (!SCOPES.some((name) => name === scope)) {
  throw new Error(`COBRE_TEST_SCOPE is ${scope}; it can be ${SCOPES.join(", ")}`);
}

/** Whether this run has the quick part. */
export const runsQuick: boolean = scope !== "rest";

/** Whether this run has the rest. */
export const runsRest: boolean = scope === "rest" || scope === "all";

/** The two parts of something. */
export interface Split<T> {
  readonly quick: T;
  readonly rest: T;
}

/**
 * The values of this run, quick ones first. A run that repeats the tests over and over has `few` in their place.
 *
 * @example
 * for (const ranks of inScope({ quick: [1, 3], rest: [2, 4, 7] })) it(`${ranks} ranks`, …);
 */
export function inScope<T>({
  quick,
  rest,
  few = quick,
}: Split<readonly T[]> & { readonly few?: readonly T[] }): T[] {
  if (scope === "few") return [...few];
  return [...(runsQuick ? quick : []), ...(runsRest ? rest : [])];
}

/**
 * The lines of a table that this run has: a line with `rest: true` belongs to the rest, any other to the quick part.
 *
 * @example
 * const MISTAKES = linesInScope([{ size: 3 }, { size: 4, rest: true }]);
 */
export function linesInScope<T extends { readonly rest?: boolean }>(lines: readonly T[]): T[] {
  return lines.filter(({ rest = false }) => (rest ? runsRest : runsQuick));
}
