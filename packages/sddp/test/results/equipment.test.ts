/**
 * What results say of sources, pumps, contracts and constraints, and of what links stages (docs/outputs.md), on random systems that have
 * them: power and water balance with all of them, energy follows from power, what was committed is delivered, and costs add up.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { loadCase, type ScenarioTables, simulate, train } from "@cobre/sddp";
import { inScope } from "@cobre/testing/scope";
import {
  boundaryOf,
  generateSystem,
  type SmallSystem,
  withoutLaterFeatures,
  writeCase,
} from "../oracle/index.js";

const SIZE = { iterations: 2, forwardPasses: 2 } as const;
const VOLUME_PER_HOUR = 0.0036;

type Row = Readonly<Record<string, number>>;

/** The rows of a table; one that is not there has none. */
function rowsOf(tables: ScenarioTables, name: string): readonly Row[] {
  const columns = tables[name] ?? [];
  const count = columns[0]?.data.length ?? 0;
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(columns.map((column) => [column.name, Number(column.data[i])])),
  );
}

function near(what: string, actual: number, expected: number, tolerance = 1e-6): void {
  const size = Math.max(1, Math.abs(actual), Math.abs(expected));
  if (!(Math.abs(actual - expected) <= tolerance * size)) {
    throw new Error(`${what}: ${actual}, must be ${expected}`);
  }
}

const sum = (rows: readonly Row[], value: (row: Row) => number) =>
  rows.reduce((total, row) => total + value(row), 0);

class Results {
  private readonly source: Case;
  private readonly tables: ScenarioTables;
  private readonly path: string;

  constructor(source: Case, tables: ScenarioTables, path: string) {
    this.source = source;
    this.tables = tables;
    this.path = path;
  }

  private in(table: string, stage: number): readonly Row[] {
    return rowsOf(this.tables, table).filter((row) => row.stage_id === stage);
  }

  check(): void {
    for (const { id, blocks } of this.source.study.time.stages) {
      const hours = (row: Row) => blocks[row.block_id].hours;
      this.checkTables(id, hours);
      blocks.forEach((_, k) => {
        this.checkPower(id, k);
      });
      this.checkWater(id, hours);
      this.checkCosts(id, hours);
      this.checkStates(id, hours);
    }
  }

  private checkTables(stage: number, hours: (row: Row) => number): void {
    const at = (row: Row, what: string) =>
      `${this.path}, stage ${stage}: ${what} of ${row.block_id}`;
    for (const row of this.in("non_controllables", stage)) {
      near(at(row, "energy"), row.generation_mwh, row.generation_mw * hours(row));
      near(at(row, "curtailment"), row.curtailment_mw, row.available_mw - row.generation_mw);
      near(at(row, "curtailed energy"), row.curtailment_mwh, row.curtailment_mw * hours(row));
      if (row.generation_mw > row.available_mw + 1e-6) throw new Error(at(row, "too much power"));
    }
    for (const row of this.in("pumping_stations", stage)) {
      const { pumped_flow_m3s: flow, power_consumption_mw: power } = row;
      near(at(row, "volume"), row.pumped_volume_hm3, flow * hours(row) * VOLUME_PER_HOUR);
      const { pumpingStations } = this.source.study.system;
      const station = pumpingStations.find(({ id }) => id === row.pumping_station_id);
      near(at(row, "power"), power, flow * (station?.consumptionMwPerM3s ?? Number.NaN));
      near(at(row, "energy"), row.energy_consumption_mwh, power * hours(row));
    }
    for (const row of this.in("contracts", stage)) {
      near(at(row, "energy"), row.energy_mwh, row.power_mw * hours(row));
      near(at(row, "cost"), row.total_cost, row.energy_mwh * row.price_per_mwh);
    }
    for (const row of this.in("violations/generic", stage)) {
      const { constraints } = this.source.study.generic;
      const constraint = constraints.find(({ id }) => id === row.constraint_id);
      const penalty = constraint?.slackPenalty ?? 0;
      near(at(row, "slack"), row.slack_cost, Math.abs(row.slack_value) * penalty * hours(row));
    }
  }

  /** Load = generation + net import + what is bought - what is sold and pumped + deficit - excess. */
  private checkPower(stage: number, block: number): void {
    const { system } = this.source.study;
    for (const { id } of system.buses) {
      const total = (table: string, column: string, sign: (row: Row) => number) =>
        sum(
          this.in(table, stage).filter((row) => row.block_id === block),
          (row) => sign(row) * row[column],
        );
      const own =
        (entities: readonly { readonly id: number; readonly busId: number }[], key: string) =>
        (row: Row) =>
          entities.find((entity) => entity.id === row[key])?.busId === id ? 1 : 0;
      const here = (row: Row) => (row.bus_id === id ? 1 : 0);
      const ofContract = (row: Row) => {
        const contract = system.energyContracts.find((one) => one.id === row.contract_id);
        if (contract?.busId !== id) return 0;
        return contract.type === "import" ? 1 : -1;
      };
      const lineOf = (row: Row) => system.lines.find((one) => one.id === row.line_id);
      const arriving = (row: Row) =>
        this.source.config.compat === undefined ? 1 - (lineOf(row)?.lossesPercent ?? 0) / 100 : 1;
      const to = (row: Row) => Number(lineOf(row)?.targetBusId === id);
      const from = (row: Row) => Number(lineOf(row)?.sourceBusId === id);
      const split = new Set(this.in("hydro_bus_generation", stage).map((row) => row.hydro_id));
      const ofHydro = own(system.hydros, "hydro_id");
      const supply =
        total("hydros", "generation_mw", (row) => (split.has(row.hydro_id) ? 0 : ofHydro(row))) +
        total("hydro_bus_generation", "generation_mw", here) +
        total("thermals", "generation_mw", own(system.thermals, "thermal_id")) +
        total(
          "non_controllables",
          "generation_mw",
          own(system.nonControllables, "non_controllable_id"),
        ) +
        total("contracts", "power_mw", ofContract) -
        total(
          "pumping_stations",
          "power_consumption_mw",
          own(system.pumpingStations, "pumping_station_id"),
        ) +
        total("exchanges", "direct_flow_mw", (row) => to(row) * arriving(row) - from(row)) +
        total("exchanges", "reverse_flow_mw", (row) => from(row) * arriving(row) - to(row)) +
        total("buses", "deficit_mw", here) -
        total("buses", "excess_mw", here);
      const load = total("buses", "load_mw", here);
      near(`${this.path}, stage ${stage}, block ${block}, bus ${id}: load`, load, supply);
    }
  }

  /** Final storage = initial storage + what arrives - what leaves. */
  private checkWater(stage: number, hours: (row: Row) => number): void {
    const { system, hydros, time } = this.source.study;
    const t = time.stages.findIndex((one) => one.id === stage);
    const known = (value: number) => (Number.isNaN(value) ? 0 : value);
    system.hydros.forEach(({ id }, h) => {
      const due = hydros.waterWithdrawalM3s.at(t, h);
      const rows = this.in("hydros", stage).filter((row) => row.hydro_id === id);
      const arrived = sum(rows, (row) => {
        const arriving =
          row.inflow_m3s + row.inflow_nonnegativity_slack_m3s + known(row.diverted_inflow_m3s);
        const withdrawn =
          due + row.water_withdrawal_violation_pos_m3s - row.water_withdrawal_violation_neg_m3s;
        const leaving =
          row.outflow_m3s +
          known(row.diverted_outflow_m3s) +
          known(row.evaporation_m3s) +
          withdrawn;
        return (arriving - leaving) * hours(row) * VOLUME_PER_HOUR;
      });
      const pumped = sum(this.in("pumping_stations", stage), (row) => {
        const station = system.pumpingStations.find((one) => one.id === row.pumping_station_id);
        const to = Number(station?.destinationHydroId === id);
        return (to - Number(station?.sourceHydroId === id)) * row.pumped_volume_hm3;
      });
      const { storage_initial_hm3: before, storage_final_hm3: after } = rows[0];
      near(`${this.path}, stage ${stage}, hydro ${id}: storage`, after, before + arrived + pumped);
    });
  }

  /** What is delivered was committed a stage before, and the units of a plant do together what it does. */
  private checkStates(stage: number, hours: (row: Row) => number): void {
    const { stages } = this.source.study.time;
    const next = stages[stages.findIndex(({ id }) => id === stage) + 1]?.id ?? Number.NaN;
    const at = `${this.path}, stage ${stage}`;
    const thermals = this.in("thermals", stage);
    for (const { id } of this.source.study.system.thermals) {
      const rows = thermals.filter((row) => row.thermal_id === id);
      const [{ is_gnl, gnl_committed_mw: committed }] = rows;
      if (Number.isNaN(committed)) continue;
      if (is_gnl !== 1) throw new Error(`${at}: thermal ${id} is not committed ahead`);
      near(
        `${at}: delivery of thermal ${id}`,
        sum(rows, (row) => row.generation_mwh),
        committed * sum(rows, hours),
      );
    }
    for (const { thermal_id, stages_ahead, commitment_mw } of this.in("commitments", stage)) {
      const later = this.in("thermals", next).find((row) => row.thermal_id === thermal_id);
      if (stages_ahead !== 1 || Number.isNaN(later?.gnl_committed_mw ?? Number.NaN)) continue;
      near(
        `${at}: commitment of thermal ${thermal_id}`,
        commitment_mw,
        later?.gnl_committed_mw ?? Number.NaN,
      );
    }
    const cells = this.in("hydro_bus_generation", stage);
    for (const row of this.in("hydros", stage)) {
      const own = cells.filter(({ hydro_id, block_id }) => {
        return hydro_id === row.hydro_id && block_id === row.block_id;
      });
      if (own.length === 0) continue;
      for (const column of ["turbined_m3s", "generation_mw", "generation_mwh"]) {
        near(
          `${at}: ${column} of hydro ${row.hydro_id}`,
          sum(own, (cell) => cell[column]),
          row[column],
        );
      }
    }
    const [costs] = this.in("costs", stage);
    near(
      `${at}: thermal cost`,
      costs.thermal_cost,
      sum(thermals, (row) => row.generation_cost),
    );
  }

  /** The kinds of cost add up to that of the stage, in which sources earn for what they generate. */
  private checkCosts(stage: number, hours: (row: Row) => number): void {
    const [costs] = this.in("costs", stage);
    const { study, config } = this.source;
    const t = study.time.stages.findIndex(({ id }) => id === stage);
    const price = (row: Row) => {
      const { nonControllables } = study.system;
      const at = nonControllables.findIndex(({ id }) => id === row.non_controllable_id);
      return config.compat === undefined
        ? study.nonControllablePenalties.curtailmentCost.at(t, at)
        : nonControllables[at].curtailmentCost;
    };
    const sources = this.in("non_controllables", stage);
    const at = `${this.path}, stage ${stage}`;
    const curtailed = sum(sources, (row) => price(row) * row.curtailment_mw * hours(row));
    near(`${at}: curtailment`, costs.curtailment_cost, curtailed);
    near(
      `${at}: curtailment by source`,
      sum(sources, (row) => row.curtailment_cost),
      curtailed,
    );
    const traded = sum(this.in("contracts", stage), (row) => row.total_cost);
    near(`${at}: contracts`, costs.contract_cost, traded);
    const violated = sum(this.in("violations/generic", stage), (row) => row.slack_cost);
    near(`${at}: constraints`, costs.generic_violation_cost, violated);
    const kinds = KINDS.reduce((total, kind) => total + costs[`${kind}_cost`], 0);
    const earned = sum(sources, (row) => price(row) * row.generation_mw * hours(row));
    near(`${at}: immediate cost`, costs.immediate_cost, kinds - earned);
  }
}

const KINDS = [
  "thermal",
  "contract",
  "deficit",
  "excess",
  "storage_violation",
  "filling_target",
  "hydro_violation",
  "inflow_penalty",
  "generic_violation",
  "spillage",
  "fpha_turbined",
  "exchange",
  "pumping",
];

/** Whether there is something that the other tests of results do not know. */
function hasEquipment(system: SmallSystem): boolean {
  const { sources, pumps, contracts, constraints } = system.equipment;
  const isLater = JSON.stringify(withoutLaterFeatures(system)) !== JSON.stringify(system);
  return isLater || [sources, pumps, contracts, constraints].some(({ length }) => length > 0);
}

async function check(seed: number): Promise<void> {
  const system = generateSystem(seed);
  if (!hasEquipment(system)) return;
  const folder = mkdtempSync(join(tmpdir(), "equipment-"));
  try {
    using comm = new LocalCommunicator();
    writeCase(system, folder, SIZE);
    const source = await loadCase(folder);
    const { policy } = await train(comm, source, {
      boundary: boundaryOf(source),
      failureDirectory: folder,
    });
    await simulate(comm, source, policy, {
      scenarios: 2,
      failureDirectory: folder,
      onScenario: (scenario, tables) => {
        new Results(source, tables, `seed ${seed}, path ${scenario}`).check();
      },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("results of sources, pumps, contracts and constraints", () => {
  for (const [first, last] of inScope<readonly [number, number]>({
    quick: [[1, 40]],
    rest: [[41, 300]],
  })) {
    it(`of the systems ${first} to ${last}`, async () => {
      for (let seed = first; seed <= last; seed++) await check(seed);
    });
  }
});
