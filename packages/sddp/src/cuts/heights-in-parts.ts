import type { CutPool } from "./cut-pool.js";
import type { CutColumns } from "./cut-rows.js";

/** With fewer known components than this, parts take longer than the whole. */
const FEWEST_KNOWN = 64;

/** With what a component changes. */
type Pace = "state" | "opening" | "solve";

/** Components that follow each other: the first, and the one after the last. */
type Run = readonly [from: number, to: number];

/**
 * The heights of all cuts at the state in which a program ends, solve after solve. With many lags, most of that state is known before the solve: inflows of
 * earlier stages are the same for all openings from one state, that of this stage is the same for all solves of one opening. Their terms are added up
 * once for all of these. The sums follow from cuts and state alone, so it does not matter what was asked before.
 */
export class HeightsInParts {
  /** What changes seldom comes first. */
  private readonly known: readonly Part[];
  private readonly movable: readonly Run[];
  private pool: CutPool | undefined;
  private count = 0;

  constructor({ outgoing, outgoingKnown, stateKnown }: CutColumns) {
    const fromBefore = new Set(stateKnown);
    const paces = Array.from(outgoing, (_, i): Pace => {
      const known = outgoingKnown?.[i] ?? -1;
      if (known < 0) return "solve";
      return fromBefore.has(known) ? "state" : "opening";
    });
    const isWorthIt = paces.filter((pace) => pace !== "solve").length >= FEWEST_KNOWN;
    const parts = [runsOf(paces, "state"), runsOf(paces, "opening")];
    this.known = isWorthIt
      ? parts.filter((runs) => runs.length > 0).map((runs) => new Part(runs))
      : [];
    const movable: readonly Run[] = isWorthIt ? runsOf(paces, "solve") : [[0, outgoing.length]];
    this.movable = movable.length > 0 ? movable : [[0, 0]];
  }

  /** Writes the heights at a state and returns the highest, or minus infinity. */
  compute(pool: CutPool, state: Float64Array, heights: Float64Array): number {
    let isSame = this.pool === pool && this.count === pool.count;
    this.pool = pool;
    this.count = pool.count;
    let sums: Float64Array | undefined;
    for (const part of this.known) {
      isSame &&= part.isOf(state);
      if (!isSame) part.add(pool, sums, state);
      sums = part.sums;
    }
    return addRuns(pool, this.movable, sums, state, heights);
  }
}

/** Terms that are added up once for several solves. */
class Part {
  sums = new Float64Array(0);
  private readonly runs: readonly Run[];
  /** The state of which the sums are. */
  private readonly state: Float64Array;

  constructor(runs: readonly Run[]) {
    this.runs = runs;
    this.state = new Float64Array(Math.max(...runs.map(([, to]) => to)));
  }

  isOf(state: Float64Array): boolean {
    for (const [from, to] of this.runs) {
      for (let i = from; i < to; i++) if (this.state[i] !== state[i]) return false;
    }
    return true;
  }

  add(pool: CutPool, before: Float64Array | undefined, state: Float64Array): void {
    if (this.sums.length < pool.count) this.sums = new Float64Array(2 * pool.count);
    for (const [from, to] of this.runs) this.state.set(state.subarray(from, to), from);
    addRuns(pool, this.runs, before, state, this.sums);
  }
}

/** Adds the terms of these components to the sums, or to the intercepts. Returns the highest. */
function addRuns(
  pool: CutPool,
  runs: readonly Run[],
  before: Float64Array | undefined,
  states: Float64Array,
  heights: Float64Array,
): number {
  let sums = before;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [from, to] of runs) {
    highest = pool.addTerms({ first: 0, sums, from, to, states, offset: 0 }, heights);
    sums = heights;
  }
  return highest;
}

function runsOf(paces: readonly Pace[], pace: Pace): readonly Run[] {
  const runs: [number, number][] = [];
  paces.forEach((each, i) => {
    if (each !== pace) return;
    const last = runs.at(-1);
    if (last?.[1] === i) last[1] = i + 1;
    else runs.push([i, i + 1]);
  });
  return runs;
}
