import type { Case } from "@cobre/io";

/** The size of a case and how it will be trained, in the words of its files. */
export function summaryOf({ directory, config, study, uncertainty }: Case): object {
  const { buses, hydros, thermals, lines } = study.system;
  const { stages } = study.time;
  return {
    directory,
    stages: stages.length,
    openings: stages.map((stage) => stage.openings),
    states: hydros.length * (1 + uncertainty.inflow.lags),
    hydros: hydros.length,
    thermals: thermals.length,
    buses: buses.length,
    lines: lines.length,
    forward_passes: config.training.forwardPasses,
    seed: config.training.scenarioSource.seed,
    tree_seed: config.training.treeSeed,
    scenarios: config.simulation.scenarios,
  };
}
