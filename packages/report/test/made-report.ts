/** Reports that no run made, of any size. Their numbers are drawn, but look like those of a study. */
import {
  Cube,
  distributionOf,
  type Report,
  type SimulationReport,
  type StageEntry,
  type ValueFunction,
} from "@cobre/study";

export interface MadeSize {
  readonly reservoirs: number;
  readonly stages: number;
  readonly scenarios: number;
  readonly buses?: number;
  readonly blocks?: number;
  readonly iterations?: number;
  /** How many sources, pumps and contracts each. */
  readonly others?: number;
}

/** Numbers from 0 to 1, the same in every run. */
function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const MADE = {
  caseName: "made",
  caseFingerprint: "f00d",
  version: "0.1.0",
  host: "here",
  solver: "highs",
  solverVersion: "1.15",
  startedAt: new Date("2026-01-02T03:04:05Z"),
  completedAt: new Date("2026-01-02T03:05:05Z"),
  seconds: 60,
  backend: "shm",
  ranks: 2,
  nodes: 1,
  machines: [{ host: "here", ranks: [0, 1] }],
  command: "cobre run made -n 2",
  nodeVersion: "v22.0.0",
  platform: "linux x64",
};

/** A report on a run that trained and simulated. */
export function madeReport(size: MadeSize): Report {
  const { iterations = 40, scenarios } = size;
  const draw = drawing(7);
  const series = (of: (i: number) => number) =>
    Float64Array.from({ length: iterations }, (_, i) => of(i));
  const lowerBound = series((i) => 1e9 * (1 - 0.9 ** (i + 1)));
  const forwardMean = series((i) => 1.1e9 * (1 + (4 / (i + 1)) * draw()));
  const simulation = madeSimulation(size);
  const { mean, std, ci95 } = simulation.costs.distribution;
  const stages = simulation.stages.slice(0, -1);
  return {
    run: {
      directory: "made",
      training: {
        ...MADE,
        status: "completed",
        termination: "iteration_limit",
        iterations,
        lowerBound: lowerBound.at(-1) as number,
        lowerBoundCaveats: [],
        forward: null,
        gapPercent: null,
        seed: 42,
        forwardPasses: 4,
        maxIterations: iterations,
        cuts: 4 * iterations,
        hashes: { cuts: "abc" },
      },
      simulation: { ...MADE, mean, std, ci95, scenarios, hash: "def" },
      isRiskNeutral: true,
    },
    verdict: `Trained ${iterations} iterations.`,
    warnings: [{ kind: "retries", text: "Mind this.", remedy: "Do `that`." }],
    convergence: {
      iteration: series((i) => i + 1),
      lowerBound,
      forwardMean,
      forwardStd: series(() => 1e8),
      forwardPasses: series(() => 4),
      gapPercent: series(() => 5),
      cuts: series((i) => 4 * i),
      lpSolves: series(() => 1000),
      milliseconds: series(() => 100),
      rise: { percent: 0.5, iterations: 10 },
      recent: { iterations: 10, passes: 40, mean: 1.1e9, ci95: 1e8 },
    },
    time: {
      iteration: series((i) => i + 1),
      solving: series(() => 80),
      communication: series(() => 15),
      waiting: series(() => 12),
      moving: series(() => 3),
      rest: series(() => 5),
      forward: 1000,
      backward: 3000,
      bound: 100,
      ranks: [0, 1].map((rank) => {
        return { rank, solving: 3200, communication: 600, waiting: 480, rest: 200, lpSolves: 9 };
      }),
    },
    collectives: [0, 1].flatMap((rank) => [
      {
        phase: "training",
        rank,
        collective: "fence",
        calls: 960,
        bytes: 0,
        ms: 90,
        waiting_ms: 80,
      },
      {
        phase: "simulation",
        rank,
        collective: "allgatherv",
        calls: 3,
        bytes: 800,
        ms: 1,
        waiting_ms: null,
      },
    ]),
    numerics: { training: null, simulation: null, scaling: null },
    values: {
      stages,
      reservoirs: simulation.hydros.plants,
      functions: simulation.hydros.plants.map(() => stages.map(() => madeValues(draw))),
    },
    simulation,
  };
}

/** Three cuts that meet at a third and two thirds of the storage. */
function madeValues(draw: () => number): ValueFunction {
  const height = 1e9 * (1 + draw());
  return {
    min: 0,
    max: 3000,
    visited: 1234,
    cuts: 160,
    intercepts: Float64Array.of(height, height - 1e8, height - 3e8),
    slopes: Float64Array.of(-3e5, -2e5, -1e5),
    ends: Float64Array.of(1000, 2000, 3000),
  };
}

export function madeStages(count: number): StageEntry[] {
  const month = (i: number) => new Date(Date.UTC(2026, i, 1)).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, i) => {
    return { id: i, start: month(i), end: month(i + 1), blocks: [] };
  });
}

function madeSimulation(size: MadeSize): SimulationReport {
  const { reservoirs, stages, scenarios, buses: places = 3, blocks: parts = 3, others = 0 } = size;
  const draw = drawing(11);
  const cube = (items: number, of: (item: number, stage: number) => number) => {
    const made = new Cube(items, stages, scenarios);
    for (let item = 0; item < items; item++) {
      for (let stage = 0; stage < stages; stage++) {
        for (let s = 0; s < scenarios; s++) made.set(item, stage, s, of(item, stage));
      }
    }
    return made;
  };
  const named = (what: string, count: number) =>
    Array.from({ length: count }, (_, id) => ({ id, name: `${what} ${id}`, busId: id % places }));
  const blocks = Array.from({ length: parts }, (_, b) => b);
  const limits = (items: number, value: number) => new Float64Array(items * stages).fill(value);
  const total = Float64Array.from({ length: scenarios }, () => 1e9 * (0.5 + draw()));
  return {
    scenarios: Array.from({ length: scenarios }, (_, s) => s),
    stages: madeStages(stages),
    costs: {
      kinds: ["thermal", "deficit"],
      byKind: cube(2, (kind) => (kind === 0 ? 1e7 : 1e6) * draw()),
      discount: new Float64Array(stages).fill(1),
      afterStudy: new Float64Array(scenarios),
      total,
      distribution: distributionOf(total),
    },
    hydros: {
      plants: named("reservoir", reservoirs),
      energy: cube(reservoirs, () => 1e5 * draw()),
      storage: cube(reservoirs, () => 3000 * draw()),
      initialStorage: new Float64Array(reservoirs).fill(1500),
      minStorage: limits(reservoirs, 0),
      maxStorage: limits(reservoirs, 3000),
      isEmpty: cube(reservoirs, () => 0),
      isFull: cube(reservoirs, () => 0),
      spilled: cube(reservoirs, () => 0),
      waterValue: cube(reservoirs, () => 2e5 * draw()),
      mwhPerHm3: new Float64Array(reservoirs).fill(200),
    },
    thermals: {
      plants: named("thermal", 8),
      energy: cube(8, () => 1e4 * draw()),
      cost: cube(8, (plant) => 1e5 * (plant + 1) * draw()),
    },
    buses: {
      buses: named("bus", places),
      blocks,
      load: cube(places, () => 5e5),
      deficit: cube(places, () => 0),
      excess: cube(places, () => 0),
      prices: cube(places * parts, () => 100 * draw()),
    },
    lines: {
      lines: named("line", places),
      blocks,
      flows: cube(places * parts, () => 1000 * (draw() - 0.5)),
      maxFlow: limits(places, 500),
      minFlow: limits(places, -500),
    },
    sources: {
      sources: named("wind", others),
      energy: cube(others, () => 1e4 * draw()),
      curtailed: cube(others, () => 1e3 * draw()),
    },
    pumps: {
      stations: named("pump", others),
      volume: cube(others, () => 10 * draw()),
      energy: cube(others, () => 1e3 * draw()),
    },
    contracts: {
      contracts: named("contract", others),
      types: named("contract", others).map(({ id }) => (id % 2 === 0 ? "import" : "export")),
      energy: cube(others, () => 1e3 * draw()),
      cost: cube(others, (contract) => (contract % 2 === 0 ? 1e5 : -1e5) * draw()),
    },
  };
}
