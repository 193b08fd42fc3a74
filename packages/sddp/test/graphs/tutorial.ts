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
