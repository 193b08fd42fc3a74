/** Policies that nobody trained: each has everything that a policy of its kind can have, and no number twice. */
import {
  CutPool,
  type IterationRecord,
  type Policy,
  type PolicyOrigin,
  TrialPoints,
} from "@cobre/sddp";
import { BasisState } from "@cobre/solver";
import { stateComponents } from "#internal";

/** Numbers that all differ. */
class Counter {
  private last = 0;

  reals(length: number): Float64Array {
    return Float64Array.from({ length }, () => ++this.last / 8 - 20);
  }

  states(length: number): Uint8Array {
    const most = Math.max(...Object.values(BasisState));
    return Uint8Array.from({ length }, () => ++this.last % (most + 1));
  }
}

interface Shape {
  readonly origin: PolicyOrigin;
  readonly dimension: number;
  readonly iteration: number;
  /** For each pool, iteration and forward pass of each cut. */
  readonly cuts: readonly (readonly number[])[];
  /** Whether the cuts of the first pool are in the programs. */
  readonly active?: readonly number[];
  /** For each pool, how many states are kept for the selection of cuts. */
  readonly archived?: readonly number[];
  readonly columns: readonly number[];
  readonly rows: readonly number[];
  /** For each pass the node at each place. */
  readonly nodes?: readonly number[];
}

const RULE = { type: "simulation", replications: 3, period: 2 } as const;

function made(shape: Shape): Policy {
  const { origin, dimension, iteration, cuts, active, archived } = shape;
  const count = new Counter();
  const sizes = { columns: Int32Array.from(shape.columns), rows: Int32Array.from(shape.rows) };
  const walks = {
    nodes: shape.nodes && Int32Array.from(shape.nodes),
    stages: origin.stageIds.length,
    hasEnd: origin.isCyclic ?? false,
  };
  const points = new TrialPoints(origin.forwardPasses, dimension, sizes, undefined, walks);
  points.values.set(count.reals(points.values.length));
  points.bases.set(count.states(points.bases.length));
  return {
    origin,
    iteration,
    pools: cuts.map((origins, pool) =>
      CutPool.from(
        dimension,
        count.reals((origins.length / 2) * (1 + dimension)),
        Int32Array.from(origins),
        undefined,
        pool === 0 && active ? Uint8Array.from(active) : undefined,
      ),
    ),
    points,
    history: Array.from({ length: iteration }, (_, i) => recordOf(i + 1, origin)),
    initialBound: -12.5,
    boundCaveats: ["foreign_cuts"],
    rulesHolding: [{ type: "iteration_limit", limit: 2 }],
    ruleStates: [
      { rule: RULE as unknown as Policy["rulesHolding"][number], values: count.reals(3) },
      { rule: undefined, values: count.reals(1) },
      { rule: { type: "iteration_limit", limit: 9 }, values: count.reals(2) },
    ],
    archives: archived?.map((states) => count.reals(states * dimension)),
  };
}

function recordOf(
  iteration: number,
  { forwardPasses, isEnumerated }: PolicyOrigin,
): IterationRecord {
  const from = 100 * iteration;
  return {
    iteration,
    lowerBound: from + 1,
    upperBoundMean: from + 2,
    upperBoundStd: from + 3,
    ...(isEnumerated && { isExact: true }),
    forwardPasses,
    cutsAdded: from + 5,
    cutsActive: from + 6,
    lpSolves: from + 7,
    forwardMs: from + 8,
    backwardMs: from + 9,
    totalMs: from + 10,
  };
}

const HYDROS = [4, 7];

/** A case of three stages, with every family of states and cut selection. */
export const ofChain = (): Policy =>
  made({
    origin: {
      caseFingerprint: "the case",
      futureFingerprints: ["after 3", "after 5", "after 8"],
      isRiskNeutral: false,
      solverFingerprint: "a solver",
      earlierSolvers: ["an older solver"],
      hydroIds: HYDROS,
      lags: 1,
      stageIds: [3, 5, 8],
      components: [
        ...stateComponents(HYDROS, 1),
        { family: "in_transit", entityType: "hydro", entityId: 7, ahead: 1, unit: "hm3" },
        { family: "commitment", entityType: "thermal", entityId: 2, ahead: 2, unit: "MW" },
      ],
      pricedAt: ["2025-02-01", "2025-03-01", "2025-04-01"],
      forwardPasses: 2,
      seed: -5,
      floors: [Number.NEGATIVE_INFINITY, -3.5, 0],
    },
    dimension: 6,
    iteration: 2,
    cuts: [[0, 0, 1, 5, 2, 1], [1, 0, 2, 0], []],
    active: [1, 0, 1],
    archived: [2, 1, 0],
    columns: [3, 2, 4],
    rows: [2, 1, 0],
  });

/** A tree of four nodes in three stages, of which every path is walked. */
export const ofTree = (): Policy =>
  made({
    origin: {
      caseFingerprint: "a tree",
      isRiskNeutral: true,
      solverFingerprint: "a solver",
      hydroIds: [4],
      lags: 0,
      stageIds: [3, 5, 8],
      nodes: [
        { id: 10, stage: 0 },
        { id: 20, label: "wet", stage: 1 },
        { id: 21, stage: 1 },
        { id: 30, stage: 2 },
      ],
      forwardPasses: 2,
      isEnumerated: true,
      seed: 1,
      floors: [0, 1, 2, Number.NEGATIVE_INFINITY],
    },
    dimension: 1,
    iteration: 1,
    cuts: [[1, 0], [1, 0], [1, 1], []],
    columns: [3, 2, 4, 1],
    rows: [2, 1, 0, 6],
    nodes: [0, 1, 3, 0, 2, 3],
  });

/** A horizon without end, through which each of two passes has gone twice. An earlier version wrote it: it does not name its components. */
export const ofCycle = (): Policy =>
  made({
    origin: {
      caseFingerprint: "a cycle",
      solverFingerprint: "a solver",
      hydroIds: [4],
      lags: 1,
      stageIds: [3, 5, 8],
      isCyclic: true,
      forwardPasses: 2,
      seed: 1,
    },
    dimension: 2,
    iteration: 1,
    cuts: [
      [1, 0],
      [1, 0],
      [1, 0, 1, 1],
    ],
    columns: [3, 2, 4],
    rows: [2, 1, 0],
    nodes: [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2],
  });

/** A model that a program defined, of one stage and without states, with one pass and no iteration yet. */
export const ofModel = (): Policy =>
  made({
    origin: {
      caseFingerprint: "a model",
      solverFingerprint: "a solver",
      hydroIds: [],
      lags: 0,
      stateNames: [],
      stageIds: [0],
      forwardPasses: 1,
      seed: 1,
    },
    dimension: 0,
    iteration: 0,
    cuts: [[0, 0]],
    archived: [0],
    columns: [3],
    rows: [1],
  });
