import { type RunSummary, summaryOfRun } from "../results/run-summary.js";
import type { MachineRanks } from "../run/machines.js";
import type { CollectiveCalls } from "./collectives.js";
import { type Cube, meanOf, percentile } from "./cube.js";
import type { Distribution } from "./distribution.js";
import type { Report, SimulationReport } from "./report.js";
import { type TimeSummary, timeSummary } from "./time-summary.js";
import type { ReportWarning } from "./warnings.js";

/**
 * The report in a few dozen numbers, as `cobre report --json` prints it. docs/report.md explains the keys. Means are over the scenarios;
 * costs are in $, and `null` where there is no value.
 */
export interface ReportSummary extends RunSummary {
  readonly case: { readonly name: string | null; readonly fingerprint: string | null };
  /** The command that was typed; `null` if a program made the run, or a version that did not write it. */
  readonly command: string | null;
  readonly machines: readonly MachineRanks[];
  readonly version: string;
  readonly verdict: string;
  readonly warnings: readonly ReportWarning[];
  readonly bound_rise: { readonly percent: number | null; readonly iterations: number } | null;
  readonly costs: CostSummary | null;
  /** In their order. */
  readonly stages: readonly StageSummary[];
  /** The most expensive first. */
  readonly thermals: readonly ThermalSummary[];
  /** Those that can store water, the largest first. */
  readonly reservoirs: readonly ReservoirSummary[];
  /** Non-controllable sources, the most curtailed first. */
  readonly sources: readonly SourceSummary[];
  readonly pumps: readonly PumpSummary[];
  /** The most expensive first; those that earn come last. */
  readonly contracts: readonly ContractSummary[];
  readonly time: TimeSummary | null;
  /** By phase, rank and collective; empty if the run did not measure them. */
  readonly collectives: readonly CollectiveCalls[];
}

/** The discounted cost of the scenarios. */
export interface CostSummary extends Distribution {
  /** Means, the largest first; they add up to the mean. */
  readonly by_kind: Readonly<Record<string, number>>;
}

export interface StageSummary {
  readonly stage_id: number;
  readonly start_date: string | null;
  /** Of the stage itself, not discounted. */
  readonly cost: number;
  readonly load_mwh: number;
  readonly hydro_mwh: number;
  readonly thermal_mwh: number;
  /** Of non-controllable sources. */
  readonly source_mwh: number;
  readonly curtailed_mwh: number;
  readonly pumping_mwh: number;
  /** Of contracts. */
  readonly import_mwh: number;
  readonly export_mwh: number;
  readonly deficit_mwh: number;
}

/** Means of the whole study. */
export interface SourceSummary {
  readonly id: number;
  readonly name: string;
  readonly energy_mwh: number;
  readonly available_mwh: number;
  readonly curtailed_mwh: number;
  /** Of what is available; `null` if nothing is. */
  readonly curtailed_percent: number | null;
}

/** Means of the whole study. */
export interface PumpSummary {
  readonly id: number;
  readonly name: string;
  readonly volume_hm3: number;
  readonly energy_mwh: number;
}

/** Means of the whole study; the cost is not discounted. */
export interface ContractSummary {
  readonly id: number;
  readonly name: string;
  readonly type: "import" | "export";
  readonly energy_mwh: number;
  /** Negative: a revenue. */
  readonly cost: number;
}

export interface ThermalSummary {
  readonly id: number;
  readonly name: string;
  readonly energy_mwh: number;
  /** Not discounted. */
  readonly cost: number;
}

export interface ReservoirSummary {
  readonly id: number;
  readonly name: string;
  readonly min_hm3: number | null;
  readonly max_hm3: number | null;
  readonly initial_hm3: number;
  /** The median at the end of the study. */
  readonly final_hm3: number;
  /** The stage at whose end it is lowest, by the 10th percentile. */
  readonly lowest: StoragePoint;
  /** The stage at whose end it is highest, by the 90th percentile. */
  readonly highest: StoragePoint;
  /** How often it ends a stage at its minimum, at its maximum. */
  readonly empty_percent: number;
  readonly full_percent: number;
  readonly spilled_hm3: number | null;
  /** What one more hm³ would save in the first stage. */
  readonly water_value_per_hm3: number;
  /** The same for the energy of its own turbines. */
  readonly water_value_per_mwh: number | null;
}

export interface StoragePoint {
  readonly stage_id: number;
  readonly start_date: string | null;
  readonly storage_hm3: number;
}

/** Summarises a report. */
export function summaryOfReport(report: Report): ReportSummary {
  const { run, simulation, convergence } = report;
  const { training } = run;
  const made = training ?? run.simulation;
  return {
    ...summaryOfRun({
      training: training && { metadata: training },
      simulation: run.simulation && { metadata: run.simulation },
    }),
    case: { name: made?.caseName ?? null, fingerprint: made?.caseFingerprint ?? null },
    command: made?.command ?? null,
    machines: made?.machines ?? [],
    version: made?.version ?? "",
    verdict: report.verdict,
    warnings: report.warnings,
    bound_rise: convergence?.rise ?? null,
    costs: simulation ? costSummary(simulation) : null,
    stages: simulation ? stageSummaries(simulation) : [],
    thermals: simulation ? thermalSummaries(simulation) : [],
    reservoirs: simulation ? reservoirSummaries(simulation) : [],
    sources: simulation ? sourceSummaries(simulation) : [],
    pumps: simulation ? pumpSummaries(simulation) : [],
    contracts: simulation ? contractSummaries(simulation) : [],
    time: timeSummary(report),
    collectives: report.collectives,
  };
}

function costSummary({ costs }: SimulationReport): CostSummary {
  const sums = costs.byKind.meanSums(costs.discount);
  const kinds = costs.kinds.map((kind, k) => [kind, sums[k] as number] as const);
  const after = meanOf(costs.afterStudy, costs.byKind.probabilities);
  const all = [...kinds, ...(after === 0 ? [] : [["after_study", after] as const])];
  all.sort(([, a], [, b]) => b - a);
  return { ...costs.distribution, by_kind: Object.fromEntries(all) };
}

function stageSummaries(simulation: SimulationReport): StageSummary[] {
  const { stages, costs, buses, hydros, thermals, sources, pumps, contracts } = simulation;
  const cost = sumsByStage(costs.byKind);
  const load = sumsByStage(buses.load);
  const deficit = sumsByStage(buses.deficit);
  const hydro = sumsByStage(hydros.energy);
  const thermal = sumsByStage(thermals.energy);
  const used = sumsByStage(sources.energy);
  const curtailed = sumsByStage(sources.curtailed);
  const pumped = sumsByStage(pumps.energy);
  const traded = (type: "import" | "export") =>
    sumsByStage(contracts.energy, (contract) => contracts.types[contract] === type);
  const [bought, sold] = [traded("import"), traded("export")];
  return stages.map(({ id, start }, stage) => ({
    stage_id: id,
    start_date: start ?? null,
    cost: cost[stage] as number,
    load_mwh: load[stage] as number,
    hydro_mwh: hydro[stage] as number,
    thermal_mwh: thermal[stage] as number,
    source_mwh: used[stage] as number,
    curtailed_mwh: curtailed[stage] as number,
    pumping_mwh: pumped[stage] as number,
    import_mwh: bought[stage] as number,
    export_mwh: sold[stage] as number,
    deficit_mwh: deficit[stage] as number,
  }));
}

/** Means over the scenarios, summed over the items, or over some of them. */
function sumsByStage(cube: Cube, isMeant: (item: number) => boolean = () => true): Float64Array {
  const means = cube.means();
  const sums = new Float64Array(cube.stages);
  for (let item = 0; item < cube.items; item++) {
    if (!isMeant(item)) continue;
    for (let stage = 0; stage < cube.stages; stage++) {
      (sums[stage] as number) += means[item * cube.stages + stage] as number;
    }
  }
  return sums;
}

function thermalSummaries({ thermals }: SimulationReport): ThermalSummary[] {
  const [energy, cost] = [thermals.energy.meanSums(), thermals.cost.meanSums()];
  return thermals.plants
    .map(({ id, name }, plant) => ({
      id,
      name,
      energy_mwh: energy[plant] as number,
      cost: cost[plant] as number,
    }))
    .sort((a, b) => b.cost - a.cost);
}

function sourceSummaries({ sources }: SimulationReport): SourceSummary[] {
  const [energy, curtailed] = [sources.energy.meanSums(), sources.curtailed.meanSums()];
  return sources.sources
    .map(({ id, name }, source): SourceSummary => {
      const [used, lost] = [energy[source] as number, curtailed[source] as number];
      return {
        id,
        name,
        energy_mwh: used,
        available_mwh: used + lost,
        curtailed_mwh: lost,
        curtailed_percent: numberOrNull((100 * lost) / (used + lost)),
      };
    })
    .sort((a, b) => b.curtailed_mwh - a.curtailed_mwh);
}

function pumpSummaries({ pumps }: SimulationReport): PumpSummary[] {
  const [volume, energy] = [pumps.volume.meanSums(), pumps.energy.meanSums()];
  return pumps.stations.map(({ id, name }, station) => ({
    id,
    name,
    volume_hm3: volume[station] as number,
    energy_mwh: energy[station] as number,
  }));
}

function contractSummaries({ contracts }: SimulationReport): ContractSummary[] {
  const [energy, cost] = [contracts.energy.meanSums(), contracts.cost.meanSums()];
  return contracts.contracts
    .map(({ id, name }, contract) => ({
      id,
      name,
      type: contracts.types[contract] ?? ("import" as const),
      energy_mwh: energy[contract] as number,
      cost: cost[contract] as number,
    }))
    .sort((a, b) => b.cost - a.cost);
}

function reservoirSummaries({ hydros, stages }: SimulationReport): ReservoirSummary[] {
  const { storage, minStorage, maxStorage, waterValue } = hydros;
  const spilled = hydros.spilled.meanSums();
  return hydros.plants
    .map(({ id, name }, plant): ReservoirSummary => {
      const places = stages.map((_, stage) => plant * stages.length + stage);
      const extreme = (level: number, sign: 1 | -1): StoragePoint => {
        const found = stages.map((entry, stage) => ({
          stage_id: entry.id,
          start_date: entry.start ?? null,
          storage_hm3: percentile(storage.sorted(plant, stage), level),
        }));
        return found.reduce((best, one) =>
          sign * one.storage_hm3 > sign * best.storage_hm3 ? one : best,
        );
      };
      const value = meanOf(waterValue.across(plant, 0), waterValue.probabilities);
      return {
        id,
        name,
        min_hm3: numberOrNull(Math.min(...places.map((at) => minStorage[at] as number))),
        max_hm3: numberOrNull(Math.max(...places.map((at) => maxStorage[at] as number))),
        initial_hm3: hydros.initialStorage[plant] as number,
        final_hm3: percentile(storage.sorted(plant, stages.length - 1), 50),
        lowest: extreme(10, -1),
        highest: extreme(90, 1),
        empty_percent: sharePercent(hydros.isEmpty, plant),
        full_percent: sharePercent(hydros.isFull, plant),
        spilled_hm3: numberOrNull(spilled[plant] as number),
        water_value_per_hm3: value,
        water_value_per_mwh: numberOrNull(value / (hydros.mwhPerHm3[plant] as number)),
      };
    })
    .filter(({ min_hm3, max_hm3 }) => max_hm3 === null || max_hm3 > (min_hm3 ?? 0))
    .sort((a, b) => (b.max_hm3 ?? 0) - (a.max_hm3 ?? 0));
}

function sharePercent(cube: Cube, item: number): number {
  return (100 * (cube.meanSums()[item] as number)) / cube.stages;
}

function numberOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
