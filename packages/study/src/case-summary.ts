import { type Case, stateVariables } from "@cobre/io";

/** The size of a case and its training settings, with the names used in its files. */
export interface CaseSummary {
  readonly name: string;
  readonly directory: string;
  readonly stages: number;
  readonly openings: readonly number[];
  readonly states: number;
  readonly hydros: number;
  readonly thermals: number;
  readonly buses: number;
  readonly lines: number;
  readonly forward_passes: number;
  readonly seed: number;
  readonly tree_seed: number;
  readonly scenarios: number;
}

/** Summarises a case. */
export function summaryOf(source: Case): CaseSummary {
  const { name, directory, config, study } = source;
  const { buses, hydros, thermals, lines } = study.system;
  const { stages } = study.time;
  return {
    name,
    directory,
    stages: stages.length,
    openings: stages.map((stage) => stage.openings),
    states: stateVariables(source).length,
    hydros: hydros.length,
    thermals: thermals.length,
    buses: buses.length,
    lines: lines.length,
    forward_passes: config.training.forwardPasses,
    seed: config.training.treeSeed,
    tree_seed: config.training.treeSeed,
    scenarios: config.simulation.scenarios,
  };
}
