import type { CutPool, IterationRecord, Policy } from "@cobre/sddp";
import { type Judge, sameBits } from "./judge.js";

type Numbers = Float64Array | Int32Array | Uint8Array;

/**
 * The first difference between the results of two policies, or `undefined` if every value has the same bits. Why training ended, on which
 * data and when are no results. `judge` says which numbers are the same; one that does not ask for the same bits gets no bases, which are
 * no numbers.
 */
export function differenceOfPolicies(
  left: Policy,
  right: Policy,
  judge: Judge = sameBits,
): string | undefined {
  const numbers = (what: string, x: ArrayLike<number>, y: ArrayLike<number>) =>
    differenceOfNumbers(judge, what, x, y);
  return (
    differenceOfSizes(left, right) ??
    differenceOfCuts(left, right, judge) ??
    differenceOfHistories(left.history, right.history, judge) ??
    numbers("initial bound", [left.initialBound], [right.initialBound]) ??
    numbers("trial points", left.points.values, right.points.values) ??
    (judge === sameBits ? differenceOfBases(left, right) : undefined) ??
    numbers("states of stopping rules", ruleStates(left), ruleStates(right)) ??
    numbers("states of cut selection", archivedStates(left), archivedStates(right))
  );
}

function differenceOfSizes(left: Policy, right: Policy): string | undefined {
  const sizes = (policy: Policy): readonly (readonly [string, number])[] => [
    ["stages", policy.pools.length],
    ["state components", policy.points.dimension],
    ["forward passes", policy.points.passes],
    ["iterations", policy.iteration],
  ];
  const others = sizes(right);
  for (const [i, [what, size]] of sizes(left).entries()) {
    const other = others[i]?.[1];
    if (size !== other) return `policy: ${size} and ${other} ${what}`;
  }
  return undefined;
}

function differenceOfCuts(left: Policy, right: Policy, judge: Judge): string | undefined {
  for (const [stage, pool] of left.pools.entries()) {
    const other = right.pools[stage] as CutPool;
    const where = `policy, stage ${left.origin.stageIds[left.origin.nodes?.[stage]?.stage ?? stage]}`;
    if (pool.count !== other.count) return `${where}: ${pool.count} and ${other.count} cuts`;
    const [x, y] = [pool.packedValues(), other.packedValues()];
    const placeOf = (at: number) => {
      const slot = Math.floor(at / (1 + pool.dimension));
      const index = at % (1 + pool.dimension);
      const what = index === 0 ? "intercept" : `coefficient ${index - 1}`;
      return `${where}, cut ${slot}, ${what}`;
    };
    const at = firstDifferent(x, y, judge, placeOf);
    if (at >= 0) return `${placeOf(at)}: ${x[at]} and ${y[at]}`;
    const slots = Array.from({ length: pool.count }, (_, slot) => slot);
    const chosen = slots.find((slot) => pool.isActive(slot) !== other.isActive(slot));
    if (chosen !== undefined) return `${where}, cut ${chosen}: it is in the programs of one alone`;
    const origin = firstDifferent(pool.packedOrigins(), other.packedOrigins());
    if (origin < 0) continue;
    const what = origin % 2 === 0 ? "iteration" : "forward pass";
    const [mine, others] = [pool.packedOrigins()[origin], other.packedOrigins()[origin]];
    return `${where}, cut ${Math.floor(origin / 2)}, ${what}: ${mine} and ${others}`;
  }
  return undefined;
}

/** Milliseconds differ from run to run. */
const NO_RESULTS: ReadonlySet<string> = new Set<keyof IterationRecord>([
  "forwardMs",
  "backwardMs",
  "totalMs",
]);

function differenceOfHistories(
  left: readonly IterationRecord[],
  right: readonly IterationRecord[],
  judge: Judge,
): string | undefined {
  for (const [i, record] of left.entries()) {
    const other = right[i] as IterationRecord;
    for (const name of Object.keys(record) as (keyof IterationRecord)[]) {
      const place = () => `policy, iteration ${i + 1}, ${name}`;
      if (NO_RESULTS.has(name) || judge(record[name], other[name], place)) continue;
      return `${place()}: ${record[name]} and ${other[name]}`;
    }
  }
  return undefined;
}

function differenceOfBases(left: Policy, right: Policy): string | undefined {
  const arrays = ({ points }: Policy): readonly Numbers[] => [
    points.sizes.columns,
    points.sizes.rows,
    points.bases,
  ];
  const others = arrays(right);
  const isSame = arrays(left).every((array, i) => firstDifferent(array, others[i] as Numbers) < 0);
  return isSame ? undefined : "policy: the bases of the last iteration differ";
}

function ruleStates(policy: Policy): number[] {
  return policy.ruleStates.flatMap(({ values }) => [...values]);
}

function archivedStates({ archives }: Policy): number[] {
  return archives?.flatMap((states) => [...states]) ?? [];
}

function differenceOfNumbers(
  judge: Judge,
  what: string,
  left: ArrayLike<number>,
  right: ArrayLike<number>,
): string | undefined {
  const placeOf = (at: number) => `policy, ${what}, number ${at + 1}`;
  const at = firstDifferent(left, right, judge, placeOf);
  if (at < 0) return undefined;
  const told = (value: number | undefined) => value ?? "nothing";
  return `${placeOf(at)}: ${told(left[at])} and ${told(right[at])}`;
}

/** The index of the first number that differs, or -1. */
function firstDifferent(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  judge: Judge = sameBits,
  placeOf: (at: number) => string = String,
): number {
  const length = Math.max(left.length, right.length);
  for (let i = 0; i < length; i++) if (!judge(left[i], right[i], () => placeOf(i))) return i;
  return -1;
}
