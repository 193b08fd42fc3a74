/** A made-up model with everything that fingerprints read, and nothing else. */
import { NodeGraph, type RiskMeasure } from "@cobre/core";
import { CutPool } from "@cobre/sddp";
import { OpeningTree } from "@cobre/stochastic";
import { caseFingerprints, type Model, type StageProblem } from "#internal";

export const STAGES = 3;
export const HYDROS = 2;
export const LAGS = 2;
export const BUSES = 2;
/** Noise of each opening. */
export const WIDTH = 3;

/** What can be changed; arrays have the numbers of one stage after the other. */
export interface Data {
  graph: NodeGraph;
  training: {
    forwardPasses: number;
    treeSeed: number;
    retryMaxAttempts: number;
    cutSelection?: object;
    isEnumerated?: boolean;
  };
  compat: string | undefined;
  method: string;
  hydroIds: number[];
  stageIds: number[];
  openings: number[];
  risks: RiskMeasure[];
  base: Float64Array;
  sigma: Float64Array;
  psi: Float64Array;
  lowestUntruncated: Float64Array;
  lowestLagTerm: Float64Array;
  highestLagTerm: Float64Array;
  loadMean: Float64Array;
  loadStd: Float64Array;
  noiseOfBus: Int32Array;
  loadFactors: Float64Array[];
  shareMean: Float64Array;
  shareStd: Float64Array;
  noiseOfSource: Int32Array;
  sourceFactors: Float64Array[];
  noise: Float64Array;
  initialState: Float64Array;
  discount: Float64Array;
  boundary: Float64Array;
  programs: ReturnType<typeof program>[];
}

export const upTo = (end: number) => Array.from({ length: end }, (_, i) => i);
/** Numbers that all differ from those of other arrays. */
export const reals = (length: number, first: number) =>
  Float64Array.from({ length }, (_, i) => first + i / 64);

const program = (first: number) => ({
  cost: reals(3, first),
  columnLower: reals(3, first + 1),
  columnUpper: reals(3, first + 2),
  rows: {
    lower: reals(2, first + 3),
    upper: reals(2, first + 4),
    values: reals(4, first + 5),
    indices: Int32Array.of(0, 1, 1, 2),
    starts: Int32Array.of(0, 2, 4),
  },
});

/** A chain of three stages; `sources` have stochastic shares. */
export function dataOf(sources: number, graph: NodeGraph = NodeGraph.chain([4, 5, 6])): Data {
  const openings = upTo(STAGES).map((stage) => 2 * graph.nodesOf(stage).length);
  const total = openings.reduce((sum, count) => sum + count, 0);
  return {
    graph,
    training: { forwardPasses: 3, treeSeed: 42, retryMaxAttempts: 5 },
    compat: undefined,
    method: "truncation",
    hydroIds: [8, 9],
    stageIds: [4, 5, 6],
    openings,
    risks: upTo(STAGES).map(() => ({ kind: "expectation" })),
    base: reals(STAGES * HYDROS, 1),
    sigma: reals(STAGES * HYDROS, 2),
    psi: reals(STAGES * HYDROS * LAGS, 3),
    // In each stage, the inflow of the second plant may have to be mended.
    lowestUntruncated: Float64Array.from({ length: STAGES * HYDROS }, (_, i) => -(i % 2)),
    lowestLagTerm: reals(STAGES * HYDROS, 4),
    highestLagTerm: reals(STAGES * HYDROS, 5),
    loadMean: reals(STAGES * BUSES, 6),
    loadStd: reals(STAGES * BUSES, 7),
    noiseOfBus: Int32Array.of(2, -1),
    loadFactors: upTo(STAGES).map((stage) => reals(2, 8 + stage)),
    shareMean: reals(STAGES * sources, 11),
    shareStd: reals(STAGES * sources, 12),
    noiseOfSource: new Int32Array(sources).fill(-1),
    sourceFactors: upTo(STAGES).map((stage) => reals(sources, 13 + stage)),
    noise: reals(total * WIDTH, 16),
    initialState: reals(4, 18),
    discount: reals(STAGES, 19),
    boundary: reals(2, 20),
    programs: graph.nodes.map((_, node) => program(100 + 10 * node)),
  };
}

export function fingerprintsOf(data: Data) {
  const { graph, stageIds, openings } = data;
  const model = {
    config: {
      training: data.training,
      compat: data.compat,
      inflowNonNegativity: { method: data.method },
    },
    study: {
      system: {
        hydros: data.hydroIds.map((id) => ({ id })),
        buses: upTo(BUSES),
        nonControllables: upTo(data.noiseOfSource.length),
      },
      time: {
        stages: stageIds.map((id, stage) => ({
          id,
          openings: openings[stage],
          riskMeasure: data.risks[stage],
        })),
        cumulativeDiscount: data.discount,
      },
      loadFactors: data.loadFactors,
      nonControllableFactors: data.sourceFactors,
    },
    graph,
    stages: STAGES,
    hydros: HYDROS,
    lags: LAGS,
    initialState: data.initialState,
    inflow: {
      base: data.base,
      sigma: data.sigma,
      psi: data.psi,
      values: Float64Array.of(...data.base, ...data.sigma, ...data.psi),
    },
    inflows: data,
    load: {
      mean: data.loadMean,
      std: data.loadStd,
      values: Float64Array.of(...data.loadMean, ...data.loadStd),
    },
    availability: {
      mean: data.shareMean,
      std: data.shareStd,
      values: Float64Array.of(...data.shareMean, ...data.shareStd),
    },
    noiseOfBus: data.noiseOfBus,
    noiseOfNonControllable: data.noiseOfSource,
    tree: new OpeningTree(
      graph.nodes.map(({ id, stage }) => ({
        id,
        openings: openings[stage] / graph.nodesOf(stage).length,
        startYear: 2025,
      })),
      WIDTH,
      data.noise,
    ),
  } as unknown as Model;
  const problems = data.programs.map((one) => ({ lp: { data: one } })) as unknown as StageProblem[];
  const boundary = CutPool.from(1, data.boundary, new Int32Array(data.boundary.length));
  const { caseFingerprint, futureFingerprints = [] } = caseFingerprints(model, problems, boundary);
  return { caseFingerprint, futureFingerprints };
}
