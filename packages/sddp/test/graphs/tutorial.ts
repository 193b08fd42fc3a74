/** The tutorial problem as an object, with openings and a graph of one's own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseInput } from "@cobre/io";
import type { loadCase } from "@cobre/sddp";
import { directoryOf } from "../cases.js";

type Input = Extract<Parameters<typeof loadCase>[0], object>;

export interface TutorialGraph {
  readonly training: object;
  readonly policyGraph: object;
  /** Of each stage, the inflows of all openings, those of the first node first. */
  readonly inflows: readonly (readonly number[])[];
  /** How many nodes each stage has. Default: one. */
  readonly nodes?: readonly number[];
  readonly risk?: object | string;
}

const read = (file: string) =>
  JSON.parse(readFileSync(join(directoryOf("sddp-tutorial"), file), "utf8"));
const rows = (file: string) => {
  const [names = "", ...lines] = readFileSync(join(directoryOf("sddp-tutorial"), file), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.split(",").map((name, i) => [name, Number(cells[i])]));
  });
};

export function tutorial({ training, policyGraph, inflows, nodes, risk }: TutorialGraph): Input {
  const { stages } = read("stages.json");
  const config = read("config.json");
  const input: CaseInput = {
    name: "tutorial",
    config: {
      ...config,
      training: {
        tree_seed: 42,
        scenario_source: config.training.scenario_source,
        ...training,
      },
    },
    policy_graph: { type: "finite_horizon", annual_discount_rate: 0, ...policyGraph },
    stages: stages.map((stage: object, i: number) => {
      const num_openings = inflows[i].length / (nodes?.[i] ?? 1);
      return { ...stage, num_openings, ...(risk && { risk_measure: risk }) };
    }),
    penalties: read("penalties.json"),
    initial_conditions: read("initial_conditions.json"),
    buses: read("system/buses.json").buses,
    lines: read("system/lines.json").lines,
    thermals: read("system/thermals.json").thermals,
    hydros: read("system/hydros.json").hydros,
    hydro_production_models: read("system/hydro_production_models.json").production_models,
    inflow_seasonal_stats: rows("scenarios/inflow_seasonal_stats.csv"),
    load_seasonal_stats: rows("scenarios/load_seasonal_stats.csv"),
    thermal_bounds: rows("constraints/thermal_bounds.csv"),
    noise_openings: inflows.flatMap((values, stage_id) =>
      values.map((value, opening_index) => ({ stage_id, opening_index, entity_index: 0, value })),
    ),
  };
  return input;
}

/** Edges between nodes, `[source, target, probability]` each. */
export function transitions(...edges: readonly (readonly [number, number, number])[]) {
  return edges.map(([source_id, target_id, probability]) => ({
    source_id,
    target_id,
    probability,
  }));
}

/** Passes along drawn paths. */
export const sampled = (limit: number, forward_passes = 2) => ({
  selection: { method: "sampled", forward_passes },
  stopping_rules: [{ type: "iteration_limit", limit }],
});
/** Passes along every path, until policy and bound cost the same. */
export const ENUMERATED = {
  selection: { method: "enumerated" },
  stopping_rules: [
    { type: "iteration_limit", limit: 60 },
    { type: "gap", relative_tolerance: 1e-6 },
  ],
};
export const EVEN = [0, 50, 100];
const WET = [0, 50, 50, 100, 100, 100];
const DRY = [0, 0, 0, 50, 50, 100];

/** The climate problem (problems.ts), whose optimum as one linear program is 7526.0417, here in thousands. */
export const CLIMATE: TutorialGraph = {
  training: sampled(14, 3),
  policyGraph: {
    nodes: [
      { id: 10, stage_id: 0 },
      { id: 21, stage_id: 1, label: "dry" },
      { id: 20, stage_id: 1, label: "wet" },
      { id: 30, stage_id: 2 },
      { id: 31, stage_id: 2 },
    ],
    transitions: transitions(
      [10, 20, 0.75],
      [10, 21, 0.25],
      [20, 30, 0.75],
      [20, 31, 0.25],
      [21, 30, 0.25],
      [21, 31, 0.75],
    ),
  },
  inflows: [EVEN, [...WET, ...DRY], [...WET, ...DRY]],
  nodes: [1, 2, 2],
};

/** One inflow first, then a tree of all combinations: it is the same problem as the chain with these openings. */
export const TREE: TutorialGraph = {
  training: ENUMERATED,
  policyGraph: {
    nodes: [0, 1, 2, 3, 11, 12, 13, 21, 22, 23, 31, 32, 33].map((id) => ({
      id,
      stage_id: id === 0 ? 0 : id < 10 ? 1 : 2,
    })),
    transitions: [
      ...transitions([0, 1, 1 / 3], [0, 2, 1 / 3], [0, 3, 1 / 3]),
      ...[1, 2, 3].flatMap((from) =>
        transitions(
          [from, 10 * from + 1, 1 / 3],
          [from, 10 * from + 2, 1 / 3],
          [from, 10 * from + 3, 1 / 3],
        ),
      ),
    ],
  },
  inflows: [[50], EVEN, [...EVEN, ...EVEN, ...EVEN]],
  nodes: [1, 3, 9],
};

/** The tutorial without end. */
export const CYCLIC: TutorialGraph = {
  training: sampled(40),
  policyGraph: { type: "cyclic", annual_discount_rate: 8 },
  inflows: [EVEN, EVEN, EVEN],
};
