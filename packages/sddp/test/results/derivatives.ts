/**
 * What must hold of a stage as a whole: it costs what the cheapest way through it costs, and prices and water values are the slopes of that
 * cost. Where the slope jumps, they lie between what is before and behind.
 */
import type { LpSolver } from "@cobre/solver";
import type { TrainedSystem } from "./small-run.js";
import type { StageData } from "./stage-data.js";
import { type StageInput, StageProgram } from "./stage-program.js";
import { type PathTables, roundingOf, SOLVED } from "./tables.js";

/** How far the differences reach, in hm³ and MW. The smaller, the more of the noise of the solver is in them. */
const STEP = 1e-3;
/** Of a slope: the noise of the solver in the differences. */
const NOISE = 1e-4;

/** Checks the cost of all stages, and the slopes of those that `hasSlopes` names. */
export function checkDerivatives(
  trained: TrainedSystem,
  tables: PathTables,
  solver: LpSolver,
  hasSlopes: (stage: number) => boolean,
): void {
  const { stages, futures } = trained;
  for (const data of stages) {
    using program = new StageProgram(solver, data, futures[data.stage]);
    const input = inputOf(trained, data, tables);
    const cost = program.cost(input);
    tables.costs.at(data.id).equals("total_cost", cost, SOLVED, "the cheapest way");
    if (!hasSlopes(data.stage)) continue;
    const rounding = roundingOf(cost, STEP);
    /** The slopes of the cost to the left and to the right. */
    const slopes = (change: (step: number) => StageInput): [left: number, right: number] => [
      (cost - program.cost(change(-STEP))) / STEP - rounding,
      (program.cost(change(STEP)) - cost) / STEP + rounding,
    ];
    data.hydros.forEach(({ id }, h) => {
      const [left, right] = slopes((step) => ({
        ...input,
        gift: withAdded(
          input.storage.map(() => 0),
          h,
          step,
        ),
      }));
      const row = tables.hydros.at(data.id, 0, id);
      row.isBetween(
        "water_value_per_hm3",
        left,
        right,
        NOISE,
        "the slope of the cost by water that arrives",
      );
    });
    data.buses.forEach(({ id }, bus) => {
      data.hours.forEach((hours, k) => {
        const [left, right] = slopes((step) => ({
          ...input,
          loads: input.loads.map((load, b) => (b === bus ? withAdded(load, k, step) : load)),
        }));
        const row = tables.buses.at(data.id, k, id);
        const why = "the slope of the cost by load, for an hour";
        row.isBetween("spot_price", left / hours, right / hours, NOISE, why);
      });
    });
  }
}

/** What a stage found, as the tables tell it. */
function inputOf(
  { system, lags }: TrainedSystem,
  { id, hydros, buses, hours }: StageData,
  tables: PathTables,
): StageInput {
  const plant = (column: string) =>
    hydros.map((hydro) => tables.hydros.at(id, 0, hydro.id).get(column));
  const inflow = plant("incremental_inflow_m3s");
  const isAdded = system.method.endsWith("penalty");
  return {
    storage: plant("storage_initial_hm3"),
    inflow,
    addedLimit: inflow.map((value) => (isAdded ? Math.max(0, -value) : 0)),
    lags: Array.from({ length: lags }, (_, lag) =>
      hydros.map((hydro) => tables.inflow_lags.at(id, hydro.id, lag + 1).get("inflow_m3s")),
    ),
    loads: buses.map((bus) => hours.map((_, k) => tables.buses.at(id, k, bus.id).get("load_mw"))),
  };
}

function withAdded(values: readonly number[], at: number, step: number): readonly number[] {
  return values.map((value, i) => (i === at ? value + step : value));
}
