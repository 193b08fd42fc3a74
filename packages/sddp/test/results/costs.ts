/** What must hold of costs: they follow from the other tables, and add up to those of the stage and of the path. */
import type { SimulatedPath, TrainedSystem } from "./small-run.js";
import type { StageData } from "./stage-data.js";
import type { Future } from "./stage-program.js";
import { type PathTables, ROUNDED, type Row, SOLVED } from "./tables.js";

/** The kinds of which the cost of a stage is the sum. */
const KINDS = [
  "thermal_cost",
  "contract_cost",
  "deficit_cost",
  "excess_cost",
  "storage_violation_cost",
  "filling_target_cost",
  "hydro_violation_cost",
  "inflow_penalty_cost",
  "generic_violation_cost",
  "spillage_cost",
  "fpha_turbined_cost",
  "curtailment_cost",
  "exchange_cost",
  "pumping_cost",
];
const VIOLATIONS = [
  "outflow_violation_below_cost",
  "outflow_violation_above_cost",
  "turbined_violation_cost",
  "generation_violation_cost",
  "evaporation_violation_cost",
  "withdrawal_violation_cost",
];
/** What the model does not have. */
const ZERO = [
  "contract_cost",
  "filling_target_cost",
  "generic_violation_cost",
  "curtailment_cost",
  "pumping_cost",
];
const OTHER_COLUMNS = [
  "stage_id",
  "block_id",
  "total_cost",
  "immediate_cost",
  "future_cost",
  "discount_factor",
];

const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

export function checkCosts(
  { stages, futures, lags }: TrainedSystem,
  { tables, cost }: SimulatedPath,
): void {
  tables.costs.hasRows(stages.length);
  let discount = 1;
  let pathCost = 0;
  for (const data of stages) {
    const row = tables.costs.at(data.id);
    const sumOf = (columns: readonly string[]) => add(columns.map((column) => row.get(column)));
    row.isNull("block_id");
    const known = [...KINDS, ...VIOLATIONS, ...OTHER_COLUMNS];
    for (const column of row.columns.filter((name) => !known.includes(name))) {
      row.fail(column, "there", "known to this test: is it part of a sum?");
    }
    for (const column of ZERO) row.equals(column, 0, 0, "not in the model");
    row.equals("discount_factor", discount, ROUNDED, "by the rates and days of the stages before");
    row.equals("hydro_violation_cost", sumOf(VIOLATIONS), ROUNDED, "the sum of its parts");
    row.equals("immediate_cost", sumOf(KINDS), ROUNDED, "the sum of its kinds");
    row.equals("total_cost", sumOf(["immediate_cost", "future_cost"]), ROUNDED, "now + later");
    checkKinds(row, data, tables);
    checkFuture(row, data, futures[data.stage], lags, tables);
    pathCost += discount * row.get("immediate_cost");
    if (data.stage === stages.length - 1) pathCost += discount * row.get("future_cost");
    discount *= data.discount;
  }
  if (Math.abs(pathCost - cost) > ROUNDED * Math.max(1, Math.abs(cost))) {
    throw new Error(`${tables.path}: costs ${cost}, but its stages ${pathCost}`);
  }
}

/** The costs of a kind follow from the flows in the other tables. */
function checkKinds(row: Row, data: StageData, tables: PathTables): void {
  const { hours, hydros, buses, thermals, lines, id } = data;
  const stageHours = add(hours);
  const overBlocks = (cost: (k: number) => number) => add(hours.map((h, k) => h * cost(k)));
  const plant = (k: number, hydro: number) => tables.hydros.at(id, k, hydro);
  const violation = (column: string, penalty: keyof (typeof hydros)[number]["penalties"]) =>
    overBlocks((k) =>
      add(hydros.map(({ id: h, penalties }) => penalties[penalty] * plant(k, h).get(column))),
    );
  const use = (column: string, penalty: keyof (typeof hydros)[number]["usePenalties"]) =>
    stageHours *
    add(hydros.map(({ id: h, usePenalties }) => usePenalties[penalty] * plant(0, h).get(column)));
  const expected: Readonly<Record<string, number>> = {
    thermal_cost: overBlocks((k) =>
      add(thermals.map((t) => t.cost * tables.thermals.at(id, k, t.id).get("generation_mw"))),
    ),
    deficit_cost: overBlocks((k) =>
      add(
        buses.map((bus) =>
          deficitCost(bus.segments, tables.buses.at(id, k, bus.id).get("deficit_mw")),
        ),
      ),
    ),
    excess_cost: overBlocks((k) =>
      add(buses.map((bus) => bus.excessCost * tables.buses.at(id, k, bus.id).get("excess_mw"))),
    ),
    exchange_cost: overBlocks((k) =>
      add(
        lines.map((line) => {
          const flows = tables.exchanges.at(id, k, line.id);
          return line.cost * (flows.get("direct_flow_mw") + flows.get("reverse_flow_mw"));
        }),
      ),
    ),
    spillage_cost:
      violation("spillage_m3s", "spillage") +
      overBlocks((k) =>
        add(
          hydros.map(({ id: h, diversion }) =>
            diversion === null ? 0 : diversion.cost * plant(k, h).get("diverted_outflow_m3s"),
          ),
        ),
      ),
    outflow_violation_below_cost: violation("outflow_slack_below_m3s", "outflowBelow"),
    outflow_violation_above_cost: violation("outflow_slack_above_m3s", "outflowAbove"),
    turbined_violation_cost: violation("turbined_slack_m3s", "turbinedBelow"),
    generation_violation_cost: violation("generation_slack_mw", "generationBelow"),
    storage_violation_cost: add(
      hydros.map(
        ({ id: h, usePenalties }) =>
          usePenalties.storageBelow * plant(0, h).get("storage_violation_below_hm3"),
      ),
    ),
    evaporation_violation_cost:
      use("evaporation_violation_pos_m3s", "evaporationPos") +
      use("evaporation_violation_neg_m3s", "evaporationNeg"),
    withdrawal_violation_cost:
      use("water_withdrawal_violation_pos_m3s", "withdrawalPos") +
      use("water_withdrawal_violation_neg_m3s", "withdrawalNeg"),
    fpha_turbined_cost: overBlocks((k) =>
      add(hydros.map(({ id: h, turbinedCost }) => turbinedCost * plant(k, h).get("turbined_m3s"))),
    ),
    inflow_penalty_cost:
      stageHours *
      add(
        hydros.map(
          ({ id: h, penalties }) =>
            penalties.negativeInflow * plant(0, h).get("inflow_nonnegativity_slack_m3s"),
        ),
      ),
  };
  for (const [column, cost] of Object.entries(expected)) {
    row.equals(column, cost, column === "deficit_cost" ? SOLVED : ROUNDED, "flows × their costs");
  }
}

/** The cheapest segments first. */
function deficitCost(
  segments: readonly { readonly depth: number | null; readonly cost: number }[],
  deficit: number,
): number {
  let left = deficit;
  let cost = 0;
  for (const segment of segments) {
    const taken = Math.min(left, segment.depth ?? left);
    cost += taken * segment.cost;
    left -= taken;
  }
  return cost;
}

/** The future costs what the highest cut says of the state that the stage leaves. */
function checkFuture(
  row: Row,
  data: StageData,
  future: Future | undefined,
  lags: number,
  { hydros, inflow_lags }: PathTables,
): void {
  if (future === undefined) {
    row.equals("future_cost", 0, 0, "nothing follows");
    return;
  }
  const storage = data.hydros.map(({ id }) => hydros.at(data.id, 0, id).get("storage_final_hm3"));
  const left = Array.from({ length: lags }, (_, lag) =>
    data.hydros.map(({ id }) =>
      lag === 0
        ? hydros.at(data.id, 0, id).get("incremental_inflow_m3s")
        : inflow_lags.at(data.id, id, lag).get("inflow_m3s"),
    ),
  );
  const values = future.cuts.map(
    (cut) =>
      cut.intercept +
      add(cut.storage.map((slope, h) => slope * storage[h])) +
      add(cut.lags.flatMap((slopes, lag) => slopes.map((slope, h) => slope * left[lag][h]))),
  );
  const highest = Math.max(future.floor, ...values);
  row.equals("future_cost", data.discount * highest, SOLVED, "the highest cut, discounted");
}
