/** What must hold of buses, thermal plants and lines: their balance, their limits, their energy. */
import type { TrainedSystem } from "./small-run.js";
import type { StageBus, StageData } from "./stage-data.js";
import { type PathTables, ROUNDED, SOLVED } from "./tables.js";
import { checkState } from "./water.js";

export function checkPower({ system, stages }: TrainedSystem, tables: PathTables): void {
  const blocks = stages.reduce((sum, { hours }) => sum + hours.length, 0);
  tables.buses.hasRows(blocks * system.buses.length);
  tables.thermals.hasRows(blocks * system.thermals.length);
  tables.exchanges.hasRows(blocks * system.lines.length);
  for (const data of stages) {
    data.hours.forEach((hours, k) => {
      for (const bus of data.buses) checkBus(data, bus, k, hours, tables);
      checkThermals(data, k, hours, tables);
      checkLines(data, k, hours, tables);
    });
  }
}

function checkBus(
  data: StageData,
  bus: StageBus,
  k: number,
  hours: number,
  { buses, hydros, thermals, exchanges }: PathTables,
): void {
  const row = buses.at(data.id, k, bus.id);
  for (const what of ["load", "deficit", "excess"]) {
    row.equals(`${what}_mwh`, row.get(`${what}_mw`) * hours, ROUNDED, "power × hours");
    row.isBetween(`${what}_mw`, 0, Number.POSITIVE_INFINITY, SOLVED, "not negative");
  }
  const depth = bus.segments.reduce((sum, segment) => sum + (segment.depth ?? Infinity), 0);
  row.isBetween("deficit_mw", 0, depth, SOLVED, "the depth of the segments");
  let supply = row.get("deficit_mw") - row.get("excess_mw");
  for (const { id, bus: at } of data.hydros) {
    if (at === bus.id) supply += hydros.at(data.id, k, id).get("generation_mw");
  }
  for (const { id, bus: at } of data.thermals) {
    if (at === bus.id) supply += thermals.at(data.id, k, id).get("generation_mw");
  }
  for (const { id, source, target } of data.lines) {
    const flow = exchanges.at(data.id, k, id).get("net_flow_mw");
    if (target === bus.id) supply += flow;
    if (source === bus.id) supply -= flow;
  }
  row.equals("load_mw", supply, SOLVED, "generation + net import + deficit - excess");
}

function checkThermals(data: StageData, k: number, hours: number, { thermals }: PathTables): void {
  for (const { id, min, max, cost } of data.thermals) {
    const row = thermals.at(data.id, k, id);
    const generation = row.get("generation_mw");
    row.isBetween("generation_mw", min, max, SOLVED, "its limits");
    row.equals("generation_mwh", generation * hours, ROUNDED, "power × hours");
    row.equals("generation_cost", generation * hours * cost, ROUNDED, "energy × cost");
    row.equals("is_gnl", 0, 0, "not in the model");
    row.isNull("gnl_committed_mw");
    row.isNull("gnl_decision_mw");
    checkState(row, generation, max);
  }
}

function checkLines(data: StageData, k: number, hours: number, { exchanges }: PathTables): void {
  for (const { id, direct: directLimit, reverse: reverseLimit, cost } of data.lines) {
    const row = exchanges.at(data.id, k, id);
    const direct = row.get("direct_flow_mw");
    const reverse = row.get("reverse_flow_mw");
    row.isBetween("direct_flow_mw", 0, directLimit, SOLVED, "its limits");
    row.isBetween("reverse_flow_mw", 0, reverseLimit, SOLVED, "its limits");
    row.equals("net_flow_mw", direct - reverse, ROUNDED, "direct - reverse");
    row.equals("net_flow_mwh", (direct - reverse) * hours, ROUNDED, "power × hours");
    row.equals("exchange_cost", (direct + reverse) * hours * cost, ROUNDED, "energy × cost");
    row.equals("losses_mw", 0, 0, "not in the model");
    row.equals("losses_mwh", 0, 0, "not in the model");
    checkState(row, direct, directLimit, reverse, reverseLimit);
  }
}
