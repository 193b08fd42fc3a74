/**
 * Problems over graphs of nodes. Beside each is its optimum, found another way: the whole tree as one linear program, or the fixed point of a value
 * iteration on the points where the value function can have corners. Nothing of it shares code with the package.
 */
import { type DefinedModel, defineModel } from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import { Program } from "../oracle/program.js";

export interface GraphProblem {
  readonly model: DefinedModel;
  readonly optimum: (solver: LpSolver) => number;
}

const iterations = (limit: number, forward_passes = 1) => ({
  training: { forward_passes, stopping_rules: [{ type: "iteration_limit", limit }] },
});

/**
 * A reservoir, a thermal plant that becomes dearer, and a climate that is wet or dry. In a wet stage more water comes, and wet stages follow wet
 * ones. Like the tutorial of SDDP.jl about Markov chains, with numbers of our own.
 */
const CLIMATE = [
  [[1]],
  [[0.75, 0.25]],
  [
    [0.75, 0.25],
    [0.25, 0.75],
  ],
];
const FUEL = [50, 100, 150];
/** With probabilities 1/6, 1/3 and 1/2, and the other way round. */
const WET = [0, 50, 50, 100, 100, 100];
const DRY = [0, 0, 0, 50, 50, 100];
const EVEN = [0, 50, 100];

function inflowsOf(stage: number, node: number): readonly number[] {
  if (stage === 0) return EVEN;
  return node === 0 ? WET : DRY;
}

function climate(config: object = iterations(14, 3), risk?: { alpha: number; lambda: number }) {
  return defineModel({
    stages: 3,
    transitions: (stage) => CLIMATE[stage],
    openings: inflowsOf,
    state: { volume: { initial: 200, upper: 200 } },
    config,
    ...(risk && { risk: { kind: "cvar", ...risk } }),
    build(stage) {
      const { volume } = stage.state;
      const thermal = stage.column("thermal", { objective: FUEL[stage.index] });
      const hydro = stage.column("hydro");
      const spill = stage.column("spill");
      const water = [
        [volume.out, 1],
        [volume.in, -1],
        [hydro, 1],
        [spill, 1],
      ] as const;
      stage.row("water", water, { equals: (inflow) => inflow });
      const demand = [
        [thermal, 1],
        [hydro, 1],
      ] as const;
      stage.row("demand", demand, { equals: 150 });
    },
  });
}

/** The whole tree of the climate problem: a copy of a stage for each path of nodes and inflows. */
function climateTree(solver: LpSolver): number {
  const program = new Program();
  const objective: [number, number][] = [];
  const grow = (stage: number, node: number, p: number, before: number | undefined) => {
    const inflows = inflowsOf(stage, node);
    for (const inflow of inflows) {
      const likely = p / inflows.length;
      const [volume, thermal, hydro, spill] = [
        program.column(0, 200),
        program.column(),
        program.column(),
        program.column(),
      ];
      const water: [number, number][] = [
        [volume, 1],
        [hydro, 1],
        [spill, 1],
      ];
      if (before !== undefined) water.push([before, -1]);
      program.equal(water, inflow + (before === undefined ? 200 : 0));
      program.equal(
        [
          [thermal, 1],
          [hydro, 1],
        ],
        150,
      );
      objective.push([thermal, likely * FUEL[stage]]);
      const next = CLIMATE[stage + 1]?.[node] ?? [];
      next.forEach((probability, child) => {
        if (probability > 0) grow(stage + 1, child, likely * probability, volume);
      });
    }
  };
  grow(0, 0, 1, undefined);
  return program.minimum(objective, solver);
}

/** A tree of demands that unfolds step by step: which node follows which, how likely, and what is asked for there. */
const TREE: readonly (readonly {
  readonly from: number;
  readonly probability: number;
  readonly demand: number;
}[])[] = [
  [{ from: 0, probability: 1, demand: 3 }],
  [
    { from: 0, probability: 0.25, demand: 2 },
    { from: 0, probability: 0.75, demand: 6 },
  ],
  [
    { from: 0, probability: 0.5, demand: 1 },
    { from: 0, probability: 0.5, demand: 9 },
    { from: 1, probability: 0.2, demand: 4 },
    { from: 1, probability: 0.3, demand: 8 },
    { from: 1, probability: 0.5, demand: 12 },
  ],
];
/** What is made costs more later, and what is missing costs much. */
const MAKING = [1, 1.5, 4];
const MISSING = 10;
const KEEPING = 0.2;
const CAPACITY = 7;
const DISCOUNT = 0.9;

export interface Cvar {
  readonly alpha: number;
  readonly lambda: number;
}

function demands(config: object, risk?: Cvar): DefinedModel {
  return defineModel({
    stages: TREE.length,
    discount: DISCOUNT,
    transitions: (stage) => {
      const before = stage === 0 ? 1 : TREE[stage - 1].length;
      return Array.from({ length: before }, (_, from) =>
        TREE[stage].map((node) => (node.from === from ? node.probability : 0)),
      );
    },
    openings: (stage, node) => [TREE[stage][node].demand],
    state: { stock: { initial: 1, upper: 20 } },
    config,
    ...(risk && { risk: { kind: "cvar", ...risk } }),
    build(stage) {
      const { stock } = stage.state;
      const made = stage.column("made", { objective: MAKING[stage.index], upper: CAPACITY });
      const missing = stage.column("missing", { objective: MISSING });
      stage.objective(stock.out, KEEPING);
      const balance = [
        [stock.out, 1],
        [stock.in, -1],
        [made, -1],
        [missing, -1],
      ] as const;
      stage.row("balance", balance, { equals: (demand) => -demand });
    },
  });
}

/** The whole tree of the demands. With CVaR, each node has a column for its own worth and for the threshold behind it. */
function demandTree(solver: LpSolver, risk: Cvar = { alpha: 1, lambda: 0 }): number {
  const program = new Program();
  const grow = (stage: number, index: number, before: number | undefined): number => {
    const stock = program.column(0, 20);
    const made = program.column(0, CAPACITY);
    const missing = program.column();
    const balance: [number, number][] = [
      [stock, 1],
      [made, -1],
      [missing, -1],
    ];
    if (before !== undefined) balance.push([before, -1]);
    const { demand } = TREE[stage][index];
    program.equal(balance, -demand + (before === undefined ? 1 : 0));
    const worth = program.column(Number.NEGATIVE_INFINITY);
    const terms: [number, number][] = [
      [worth, -1],
      [made, MAKING[stage]],
      [missing, MISSING],
      [stock, KEEPING],
    ];
    const { alpha, lambda } = risk;
    const children = (TREE[stage + 1] ?? []).flatMap((child, i) =>
      child.from === index ? [{ ...child, worth: grow(stage + 1, i, stock) }] : [],
    );
    if (children.length > 0) {
      const threshold = program.column(Number.NEGATIVE_INFINITY);
      terms.push([threshold, DISCOUNT * lambda]);
      for (const { probability, worth: behind } of children) {
        terms.push([behind, DISCOUNT * (1 - lambda) * probability]);
        const above = program.column();
        program.atLeast(
          [
            [above, 1],
            [behind, -1],
            [threshold, 1],
          ],
          0,
        );
        terms.push([above, (DISCOUNT * lambda * probability) / alpha]);
      }
    }
    program.equal(terms, 0);
    return worth;
  };
  const root = grow(0, 0, undefined);
  return program.minimum([[root, 1]], solver);
}

const everyPath = (stopping_rules: readonly object[]) => ({
  training: { selection: { method: "enumerated" }, stopping_rules },
  simulation: { selection: { method: "enumerated" } },
});

/** Ends when the policy costs what the bound says. */
export const NO_GAP = [
  { type: "iteration_limit", limit: 50 },
  { type: "gap", tolerance: 0 },
];

/**
 * The problem without end of SDDP.jl's examples: a reservoir from week to week, each worth nine tenths of the one before. Its published bound is
 * 119.167.
 */
const WEEKS = [
  { inflow: 0, demand: 7.5 },
  { inflow: 5, demand: 5 },
  { inflow: 10, demand: 2.5 },
];
const STEP = 2.5;
const [EMPTY, FULL] = [5, 15];

/**
 * @param costs of thermal energy in each stage of the cycle
 * @param income that is certain in every stage
 */
function weeks(
  costs: readonly number[],
  discount: number,
  limit: number,
  income = 0,
): DefinedModel {
  return defineModel({
    stages: costs.length,
    isCyclic: true,
    discount,
    openings: () => WEEKS,
    state: { volume: { initial: 10, lower: EMPTY, upper: FULL } },
    config: iterations(limit, 2),
    build(stage) {
      const { volume } = stage.state;
      const thermal = stage.column("thermal", { objective: costs[stage.index] });
      const hydro = stage.column("hydro");
      const spill = stage.column("spill", { objective: 10 });
      stage.column("income", { objective: -income, lower: 1, upper: 1 });
      const water = [
        [volume.out, 1],
        [volume.in, -1],
        [hydro, 1],
        [spill, 1],
      ] as const;
      stage.row("water", water, { equals: ({ inflow }) => inflow });
      const power = [
        [thermal, 1],
        [hydro, 1],
      ] as const;
      stage.row("power", power, { equals: ({ demand }) => demand });
    },
  });
}

/**
 * The fixed point of V_t(x) = mean over openings of min cost + d V_(t+1)(x'). All numbers are multiples of 2.5, so corners of V and best decisions
 * are, too, and V is computed there alone.
 */
function fixedPoint(costs: readonly number[], discount: number): number {
  const levels = Array.from({ length: (FULL - EMPTY) / STEP + 1 }, (_, i) => EMPTY + i * STEP);
  let first = levels.map(() => 0);
  for (let round = 0; round < 2000; round++) {
    let next = first;
    for (const cost of [...costs].reverse()) {
      const behind = next;
      next = levels.map((from) => {
        const ofOpening = WEEKS.map(({ inflow, demand }) =>
          Math.min(
            ...levels.map((to, i) => {
              const used = from + inflow - to;
              if (used < 0) return Number.POSITIVE_INFINITY;
              const hydro = Math.min(used, demand);
              return cost * (demand - hydro) + 10 * (used - hydro) + discount * behind[i];
            }),
          ),
        );
        return ofOpening.reduce((sum, one) => sum + one, 0) / WEEKS.length;
      });
    }
    first = next;
  }
  return first[levels.indexOf(10)];
}

const SEASONS = [1, 3, 0.5];
const INCOME = 20;

/** Risk and trees by name, so that ranks find them. */
export const GRAPH_PROBLEMS = {
  climate: { model: climate(), optimum: climateTree },
  "demands, sampled": { model: demands(iterations(30, 3)), optimum: demandTree },
  "demands, every path": { model: demands(everyPath(NO_GAP)), optimum: demandTree },
  "demands with risk, every path": {
    model: demands(everyPath(NO_GAP), { alpha: 0.4, lambda: 0.7 }),
    optimum: (solver) => demandTree(solver, { alpha: 0.4, lambda: 0.7 }),
  },
  weeks: { model: weeks([1], 0.9, 30), optimum: () => fixedPoint([1], 0.9) },
  seasons: { model: weeks(SEASONS, 0.8, 35), optimum: () => fixedPoint(SEASONS, 0.8) },
  // What is certain in every stage is 20 + 0.8 · 20 + … = 100, so the optimum is below 0, and so must the floors be.
  "seasons with income": {
    model: weeks(SEASONS, 0.8, 40, INCOME),
    optimum: () => fixedPoint(SEASONS, 0.8) - INCOME / (1 - 0.8),
  },
} as const satisfies Record<string, GraphProblem>;

/** The same with few iterations, for everything but the optimum. */
export const SHORT_PROBLEMS = {
  climate: climate(iterations(4, 3)),
  "demands, sampled": demands(iterations(4, 3)),
  "demands with risk, every path": demands(everyPath([{ type: "iteration_limit", limit: 3 }]), {
    alpha: 0.4,
    lambda: 0.7,
  }),
  seasons: weeks(SEASONS, 0.8, 5),
} as const satisfies Record<string, DefinedModel>;

/** The climate problem with other settings. */
export { climate, demands };
