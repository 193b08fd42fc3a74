/** What must hold of plants: their balance, their limits, what they pass on to the next stage. */
import { OPERATIVE_STATE, STORAGE_BINDING } from "@cobre/io";
import { hydrosById, type SmallSystem } from "../oracle/index.js";
import type { TrainedSystem } from "./small-run.js";
import type { StageData, StageHydro } from "./stage-data.js";
import { type PathTables, ROUNDED, type Row, SOLVED } from "./tables.js";

/** What the model does not have. */
const ZERO = ["filling_target_violation_hm3"];
/** Values of the stage, which every block repeats. */
const OF_STAGE = [
  "storage_initial_hm3",
  "storage_final_hm3",
  "incremental_inflow_m3s",
  "inflow_nonnegativity_slack_m3s",
  "water_value_per_hm3",
  "storage_binding_code",
  "storage_violation_below_hm3",
  "evaporation_violation_pos_m3s",
  "evaporation_violation_neg_m3s",
  "water_withdrawal_violation_pos_m3s",
  "water_withdrawal_violation_neg_m3s",
];

export function checkWater({ system, stages, lags }: TrainedSystem, tables: PathTables): void {
  const blocks = stages.reduce((sum, { hours }) => sum + hours.length, 0);
  tables.hydros.hasRows(blocks * system.hydros.length);
  tables.inflow_lags.hasRows(stages.length * system.hydros.length * lags);
  for (const data of stages) {
    for (const hydro of data.hydros) {
      checkPlant(data, hydro, tables);
      checkAddedWater(system, data, hydro, tables);
      checkPassedOn(system, stages, data, hydro, lags, tables);
    }
  }
}

/** What 1 hm³ makes in turbines of 1 MW per m³/s, in MWh. */
const MWH_PER_HM3 = 1e6 / 3600;

/** What the water is worth: these systems have no heads, so that productivities are those of the stage, and those below planes unknown. */
function checkEnergy(
  data: StageData,
  hydro: StageHydro,
  block: number,
  hydros: PathTables["hydros"],
): void {
  const row = hydros.at(data.id, block, hydro.id);
  const river: StageHydro[] = [];
  for (let at: StageHydro | undefined = hydro; at !== undefined; ) {
    river.push(at);
    const { id }: StageHydro = at;
    at = data.hydros.find(({ upstream }) => upstream.includes(id));
  }
  const isKnown = river.every(({ planes }) => planes === null);
  const sum = river.reduce((all, { productivity }) => all + productivity, 0);
  const hours = data.hours.reduce((all, ofBlock) => all + ofBlock, 0);
  const above = (when: "initial" | "final") =>
    row.get(`storage_${when}_hm3`) - hydro.minStorageOfPlant;
  const expected: readonly [column: string, value: () => number][] = [
    ["accumulated_productivity_mw_per_m3s", () => sum],
    ["integrated_accumulated_productivity_mw_per_m3s", () => sum],
    ["incremental_inflow_energy_mw", () => sum * row.get("incremental_inflow_m3s")],
    ["stored_energy_initial_mwh", () => sum * above("initial") * MWH_PER_HM3],
    ["stored_energy_final_mwh", () => sum * above("final") * MWH_PER_HM3],
    ["stored_energy_initial_mw", () => (sum * above("initial") * MWH_PER_HM3) / hours],
    ["stored_energy_final_mw", () => (sum * above("final") * MWH_PER_HM3) / hours],
  ];
  for (const [column, value] of expected) {
    if (isKnown) row.equals(column, value(), ROUNDED, "by all plants downstream");
    else row.isNull(column);
  }
  for (const column of ["equivalent", "integrated_equivalent"]) {
    const name = `${column}_productivity_mw_per_m3s`;
    if (hydro.planes === null) row.equals(name, hydro.productivity, 0, "as described");
    else row.isNull(name);
  }
}

function checkPlant(data: StageData, hydro: StageHydro, { hydros }: PathTables): void {
  const { bounds, penalties, productivity, limitedProductivity, planes } = hydro;
  const first = hydros.at(data.id, 0, hydro.id);
  let balance = first.get("storage_initial_hm3");
  data.hours.forEach((hours, k) => {
    const row = hydros.at(data.id, k, hydro.id);
    for (const column of OF_STAGE) row.equals(column, first.get(column), 0, "as in block 0");
    for (const column of ZERO) row.equals(column, 0, 0, "not in the model");

    const turbined = row.get("turbined_m3s");
    const spilled = row.get("spillage_m3s");
    const outflow = turbined + spilled;
    const diverted = hydro.diversion === null ? 0 : row.get("diverted_outflow_m3s");
    const leaving = outflow + diverted;
    const generation = planes === null ? productivity * turbined : row.get("generation_mw");
    const limited = planes === null ? limitedProductivity * turbined : generation;
    row.equals("outflow_m3s", outflow, ROUNDED, "turbined + spilled");
    const arriving = hydro.upstream.reduce(
      (sum, up) => sum + hydros.at(data.id, k, up).get("outflow_m3s"),
      row.get("incremental_inflow_m3s"),
    );
    row.equals("inflow_m3s", arriving, ROUNDED, "natural inflow + outflow of the plants upstream");
    if (hydro.diversion === null) row.isNull("diverted_outflow_m3s");
    else row.isBetween("diverted_outflow_m3s", 0, hydro.diversion.max, SOLVED, "its limits");
    const diverting = hydro.diverting.map((id) => hydros.at(data.id, k, id));
    const received = diverting.reduce((sum, other) => sum + other.get("diverted_outflow_m3s"), 0);
    if (diverting.length === 0) row.isNull("diverted_inflow_m3s");
    else row.equals("diverted_inflow_m3s", received, ROUNDED, "what others divert to the plant");
    checkEnergy(data, hydro, k, hydros);
    if (planes === null) row.equals("productivity_mw_per_m3s", productivity, 0, "as described");
    else {
      row.isNull("productivity_mw_per_m3s");
      const storage = (row.get("storage_initial_hm3") + row.get("storage_final_hm3")) / 2;
      const most = planes.map(
        (plane) =>
          plane.kappa * plane.constant +
          plane.volume * storage +
          plane.turbined * turbined +
          plane.spilled * spilled,
      );
      const limit = Math.min(bounds.maxGeneration, ...most);
      row.isBetween("generation_mw", 0, limit, SOLVED, "its planes and its limit");
    }
    row.equals("generation_mw", generation, ROUNDED, "productivity × turbined");
    row.equals("generation_mwh", generation * hours, ROUNDED, "generation × hours");
    row.equals(
      "spillage_cost",
      spilled * penalties.spillage * hours,
      ROUNDED,
      "spilled × its cost",
    );

    const capacity =
      planes === null
        ? Math.min(bounds.maxTurbined, bounds.maxGeneration / productivity)
        : bounds.maxTurbined;
    row.isBetween("turbined_m3s", 0, capacity, SOLVED, "its limits");
    row.isBetween("spillage_m3s", 0, Number.POSITIVE_INFINITY, SOLVED, "its limits");
    const slacks: readonly [column: string, violation: number][] = [
      ["turbined_slack_m3s", bounds.minTurbined - turbined],
      ["outflow_slack_below_m3s", bounds.minOutflow - leaving],
      ["outflow_slack_above_m3s", leaving - (bounds.maxOutflow ?? Number.POSITIVE_INFINITY)],
      ["generation_slack_mw", bounds.minGeneration - limited],
    ];
    for (const [column, violation] of slacks) {
      row.equals(column, Math.max(0, violation), SOLVED, "by how much the limit is violated");
    }
    checkState(row, turbined, capacity);
    balance += data.volumes[k] * (row.get("inflow_m3s") + received - leaving);
    balance += data.volumes[k] * row.get("inflow_nonnegativity_slack_m3s");
    balance -= data.volumes[k] * checkUse(row, hydro);
  });
  first.equals(
    "storage_final_hm3",
    balance,
    SOLVED,
    "initial storage + what arrives - what leaves",
  );
  const least = hydro.isSoft ? 0 : bounds.minStorage;
  first.isBetween("storage_final_hm3", least, bounds.maxStorage, SOLVED, "its limits");
  const missing = Math.max(0, bounds.minStorage - first.get("storage_final_hm3"));
  first.equals(
    "storage_violation_below_hm3",
    hydro.isSoft ? missing : 0,
    SOLVED,
    "what is missing",
  );
  checkBinding(first, bounds.minStorage, bounds.maxStorage);
}

/** Evaporation and withdrawal are what is due, but for their violations. Returns what leaves the reservoir that way, in m³/s. */
function checkUse(row: Row, { due, taken, mostLess }: StageHydro): number {
  const of = (what: string, direction: string) => row.get(`${what}_violation_${direction}_m3s`);
  const less = of("water_withdrawal", "neg");
  const more = of("water_withdrawal", "pos");
  const limit = taken > 0 ? mostLess : 0;
  row.isBetween("water_withdrawal_violation_neg_m3s", 0, limit, SOLVED, "no more than is taken");
  const most = taken > 0 ? Number.POSITIVE_INFINITY : 0;
  row.isBetween("water_withdrawal_violation_pos_m3s", 0, most, SOLVED, "only where water is taken");
  const withdrawn = taken - less + more;
  if (due === null) {
    row.isNull("evaporation_m3s");
    row.equals("evaporation_violation_neg_m3s", 0, 0, "nothing is due");
    row.equals("evaporation_violation_pos_m3s", 0, 0, "nothing is due");
    return withdrawn;
  }
  const storage = (row.get("storage_initial_hm3") + row.get("storage_final_hm3")) / 2;
  const expected = due.constant + due.slope * storage - of("evaporation", "neg");
  const why = "what is due of the mean storage";
  row.equals("evaporation_m3s", expected + of("evaporation", "pos"), SOLVED, why);
  row.isBetween("evaporation_m3s", due.least, due.most, SOLVED, "its limits");
  return withdrawn + row.get("evaporation_m3s");
}

/** Water is added only to a negative inflow, and no more than it lacks. */
function checkAddedWater(
  { method }: SmallSystem,
  data: StageData,
  { id }: StageHydro,
  { hydros }: PathTables,
): void {
  const row = hydros.at(data.id, 0, id);
  const lack = method.endsWith("penalty") ? Math.max(0, -row.get("incremental_inflow_m3s")) : 0;
  row.isBetween("inflow_nonnegativity_slack_m3s", 0, lack, SOLVED, "what the inflow lacks");
}

/** Storage and past inflows are those that the stage before has left, or the study began with. */
function checkPassedOn(
  system: SmallSystem,
  stages: readonly StageData[],
  data: StageData,
  { id, bounds, isSoft }: StageHydro,
  lags: number,
  { hydros, inflow_lags }: PathTables,
): void {
  const described = hydrosById(system).find((hydro) => hydro.id === id);
  const before = data.stage === 0 ? undefined : stages[data.stage - 1];
  const own = hydros.at(data.id, 0, id);
  if (before === undefined) {
    own.equals("storage_initial_hm3", described?.storage ?? Number.NaN, 0, "initial conditions");
  } else {
    const left = hydros.at(before.id, 0, id).get("storage_final_hm3");
    own.equals("storage_initial_hm3", left, SOLVED, "final storage of the stage before");
    const limits = before.hydros.find((hydro) => hydro.id === id)?.bounds ?? bounds;
    const why = "limits of the stage before, which rounding must not exceed";
    const least = isSoft ? 0 : limits.minStorage;
    own.isBetween("storage_initial_hm3", least, limits.maxStorage, 0, why);
  }
  for (let lag = 1; lag <= lags; lag++) {
    const row = inflow_lags.at(data.id, id, lag);
    if (before === undefined) {
      row.equals("inflow_m3s", described?.past[lag - 1] ?? 0, 0, "initial conditions");
    } else if (lag === 1) {
      const inflow = hydros.at(before.id, 0, id).get("incremental_inflow_m3s");
      row.equals("inflow_m3s", inflow, 0, "inflow of the stage before");
    } else {
      const older = inflow_lags.at(before.id, id, lag - 1).get("inflow_m3s");
      row.equals("inflow_m3s", older, 0, `lag ${lag - 1} of the stage before`);
    }
  }
}

/** A code says what the numbers say, where they are clear. */
export function checkState(
  row: Row,
  flow: number,
  capacity: number,
  otherFlow = 0,
  otherCapacity = 0,
): void {
  const isFull = (value: number, limit: number) => limit > 0 && value >= limit * (1 - 1e-12);
  const isBelow = (value: number, limit: number) =>
    limit === 0 || value < limit - SOLVED * (1 + limit);
  const is = (state: number, why: string) => row.equals("operative_state_code", state, 0, why);
  if (capacity === 0 && otherCapacity === 0) is(OPERATIVE_STATE.deactivated, "no capacity");
  else if (isFull(flow, capacity) || isFull(otherFlow, otherCapacity)) {
    is(OPERATIVE_STATE.saturated, "at its capacity");
  } else if (isBelow(flow, capacity) && isBelow(otherFlow, otherCapacity)) {
    is(OPERATIVE_STATE.operating, "below its capacity");
  }
}

function checkBinding(row: Row, min: number, max: number): void {
  const storage = row.get("storage_final_hm3");
  const { none, at_minimum, at_maximum, both } = STORAGE_BINDING;
  const is = (code: number, why: string) => row.equals("storage_binding_code", code, 0, why);
  const margin = SOLVED * (1 + Math.abs(max));
  if (storage < min - margin) is(at_minimum, "below its minimum");
  else if (max === min) is(both, "minimum and maximum are the same");
  else if (storage === min) is(at_minimum, "at its minimum");
  else if (storage === max) is(at_maximum, "at its maximum");
  else if (storage > min + margin && storage < max - margin) is(none, "between its limits");
}
