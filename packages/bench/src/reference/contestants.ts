/** Who trains: the Rust program and ours, with each method of cut selection, and ours with each solver that is there. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSolver, type SolverName } from "@cobre/solver";
import { type Selection, selectionSettings } from "../training/selection.js";
import { type ExampleCase, writeExample } from "./example-case.js";
import type { ReferenceProgram } from "./find-program.js";
import { simulationSettings, writeForReference } from "./reference-case.js";
import { readSimulationSeconds } from "./simulation-seconds.js";
import { readTrajectory, type Trajectory } from "./trajectory.js";
import { type MeasuredRun, runMeasured } from "./watch-memory.js";

const COBRE = fileURLToPath(new URL("../../../cli/bin/cobre.js", import.meta.url));

export interface TrainingContestant {
  readonly name: string;
  readonly isReference: boolean;
  readonly selection: Selection;
  /** Trains, on this number of ranks or threads, and writes below `folder`. */
  train(source: ExampleCase, setting: TrainingSetting): Promise<TrainingOutcome>;
}

export interface TrainingSetting {
  readonly folder: string;
  readonly iterations: number;
  readonly workers: number;
  /** How many scenarios are simulated and written after training; 0 for none. */
  readonly scenarios: number;
}

export interface TrainingOutcome extends MeasuredRun {
  readonly trajectory: Trajectory;
  /** `undefined` if nothing was simulated. */
  readonly simulationSeconds: number | undefined;
}

export async function trainingContestants(
  reference: ReferenceProgram,
  selections: readonly Selection[],
  say: (text: string) => void,
): Promise<TrainingContestant[]> {
  const solvers: SolverName[] = ["highs-wasm"];
  try {
    await loadSolver("highs-native");
    solvers.unshift("highs-native");
  } catch (error) {
    say(`not run: ${(error as Error).message.split("\n")[0]}`);
  }
  const ofReference = selections.filter((selection) => selection !== "default");
  return [
    ...ofReference.map((selection) => referenceContestant(reference, selection)),
    ...solvers.flatMap((solver) => selections.map((selection) => ourContestant(solver, selection))),
  ];
}

/** The Rust program, with a method of cut selection. */
export function referenceContestant(
  { command: [file, ...before], version }: ReferenceProgram,
  selection: Selection,
): TrainingContestant {
  return {
    name: `cobre-rs ${version}, ${selection}`,
    isReference: true,
    selection,
    async train(source, { folder, iterations, workers, scenarios }) {
      const directory = join(folder, "case");
      const output = join(folder, "output");
      // Its default is to select none.
      const method = ["none", "default"].includes(selection) ? undefined : selection;
      writeForReference(source, directory, { iterations, selection: method, scenarios });
      const words = ["run", directory, "--output", output, "--threads", String(workers), "--quiet"];
      const run = await runMeasured(file, [...before, ...words]);
      return { ...run, ...(await readResults(output)) };
    },
  };
}

function ourContestant(solver: SolverName, selection: Selection): TrainingContestant {
  return {
    name: `ours, ${solver}, ${selection}`,
    isReference: false,
    selection,
    async train(source, { folder, iterations, workers, scenarios }) {
      const directory = join(folder, "case");
      const output = join(folder, "output");
      const { policy: _, ...config } = source.json["config.json"] as Record<string, unknown>;
      const training = {
        ...(config.training as object),
        stopping_rules: [{ type: "iteration_limit", limit: iterations }],
        ...selectionSettings(selection),
      };
      const changed = { ...config, training, simulation: simulationSettings(scenarios) };
      const json = { ...source.json, "config.json": changed } as unknown as ExampleCase["json"];
      writeExample({ ...source, json }, directory);
      const words = ["run", directory, "--output", output, "--solver", solver, "--quiet"];
      const ranks = workers === 1 ? [] : ["--ranks", String(workers)];
      const run = await runMeasured(process.execPath, [COBRE, ...words, ...ranks]);
      return { ...run, ...(await readResults(output)) };
    },
  };
}

/** Both programs write the same tables and fields. */
async function readResults(output: string): Promise<Omit<TrainingOutcome, keyof MeasuredRun>> {
  return {
    trajectory: await readTrajectory(output),
    simulationSeconds: readSimulationSeconds(output),
  };
}
