import type { StageEntry } from "../results/dictionaries.js";
import type { Run } from "../results/run.js";
import type { SimulationMetadata } from "../results/simulation-run.js";
import type { TrainingMetadata } from "../results/training-run.js";
import { type BusReport, readBuses } from "./buses.js";
import { type CollectiveCalls, readCollectives } from "./collectives.js";
import { type ContractReport, readContracts } from "./contracts.js";
import { type ConvergenceReport, readConvergence } from "./convergence.js";
import { type CostReport, readCosts } from "./costs.js";
import { type HydroReport, readHydros } from "./hydros.js";
import { type LineReport, readLines } from "./lines.js";
import { type NumericsReport, readNumerics } from "./numerics.js";
import { type PumpReport, readPumps } from "./pumps.js";
import { SimulationSource } from "./simulation-source.js";
import { readSources, type SourceReport } from "./sources.js";
import { readThermals, type ThermalReport } from "./thermals.js";
import { readTime, type TimeReport } from "./time.js";
import { readValues, type ValueReport } from "./values.js";
import { verdictOf } from "./verdict.js";
import { type ReportWarning, warningsOf } from "./warnings.js";

/** What was run. */
export interface RunFacts {
  readonly directory: string;
  readonly training: TrainingMetadata | undefined;
  readonly simulation: SimulationMetadata | undefined;
  /** Whether the lower bound is one on the expected cost, so that a mean may be compared with it. */
  readonly isRiskNeutral: boolean;
}

/** The simulated scenarios. Cubes have the items of their part, these stages and these scenarios. */
export interface SimulationReport {
  /** The numbers of the scenarios. */
  readonly scenarios: readonly number[];
  /** How likely each is, if they are all paths of a tree. */
  readonly probabilities?: Float64Array | undefined;
  readonly stages: readonly StageEntry[];
  readonly costs: CostReport;
  readonly hydros: HydroReport;
  readonly thermals: ThermalReport;
  readonly buses: BusReport;
  readonly lines: LineReport;
  readonly sources: SourceReport;
  readonly pumps: PumpReport;
  readonly contracts: ContractReport;
}

/** Everything that a report on a run shows, as numbers. The terminal and the page show the same. */
export interface Report {
  readonly run: RunFacts;
  /** Whether it worked and what it came to, in words. */
  readonly verdict: string;
  /** The most important first. */
  readonly warnings: readonly ReportWarning[];
  readonly convergence: ConvergenceReport | undefined;
  readonly time: TimeReport | undefined;
  /** What ranks called; empty if the run did not measure it. */
  readonly collectives: readonly CollectiveCalls[];
  readonly numerics: NumericsReport;
  /** `undefined` if the run has no policy of its own. */
  readonly values: ValueReport | undefined;
  /** `undefined` if the run has no finished simulation. */
  readonly simulation: SimulationReport | undefined;
}

/**
 * Reads a run for a report. It depends on what the run wrote alone.
 *
 * @example
 * ```ts
 * const { verdict, simulation } = await reportOf(await openRun("out"));
 * const ribbons = simulation?.hydros.storage.bands(); // 0, 10, 25, 50, 75, 90, 100 % by reservoir and stage
 * ```
 */
export async function reportOf(run: Run): Promise<Report> {
  const { training, simulation } = run;
  const facts = {
    run: {
      directory: run.directory,
      training: training?.metadata,
      simulation: simulation?.metadata,
      isRiskNeutral: training !== undefined && run.hasPolicy && (await isRiskNeutral(run)),
    },
    convergence: training && (await readConvergence(training)),
    time: training && (await readTime(training)),
    collectives: await readCollectives(run),
    numerics: await readNumerics(run),
    values: training && run.hasPolicy ? await readValues(run) : undefined,
    simulation: simulation && (await readSimulation(await SimulationSource.open(run, simulation))),
  };
  const warnings = warningsOf(facts);
  return { ...facts, warnings, verdict: verdictOf({ ...facts, warnings }) };
}

async function readSimulation(source: SimulationSource): Promise<SimulationReport> {
  const { scenarios, probabilities, stages } = source.axes;
  return {
    scenarios,
    ...(probabilities && { probabilities }),
    stages,
    costs: await readCosts(source),
    hydros: await readHydros(source),
    thermals: await readThermals(source),
    buses: await readBuses(source),
    lines: await readLines(source),
    sources: await readSources(source),
    pumps: await readPumps(source),
    contracts: await readContracts(source),
  };
}

/** Policies of earlier versions do not tell. */
async function isRiskNeutral(run: Run): Promise<boolean> {
  const { origin } = await run.policy();
  return origin.isRiskNeutral ?? false;
}
