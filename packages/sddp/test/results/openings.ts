/** Inflows and loads of a path are those of one path through the tree. */
import { treeOf } from "../oracle/index.js";
import type { TrainedSystem } from "./small-run.js";
import { loadsOf, type StageData } from "./stage-data.js";
import { type PathTables, SOLVED } from "./tables.js";

export function checkOpenings({ system, stages }: TrainedSystem, tables: PathTables): void {
  let nodes = treeOf(system).filter(({ parent }) => parent === null);
  for (const data of stages) {
    const found = readStage(data, tables);
    const known = nodes.map(({ opening, inflow }) => {
      const inflows = data.hydros.map(
        ({ id }) => inflow[system.hydros.findIndex((hydro) => hydro.id === id)],
      );
      return [...inflows, ...loadsOf(system, data.stage, opening).flat()];
    });
    const here = nodes.filter((_, i) => areNear(found, known[i]));
    if (here.length === 0) {
      const openings = known.map((values) => values.join(" ")).join(", or ");
      throw new Error(
        `${tables.path}, stage_id ${data.id}, inflows and loads: ${found.join(" ")}, must be those of an opening: ${openings}`,
      );
    }
    nodes = here.flatMap(({ children }) => children);
  }
}

/** The inflow of each plant, then the load of each bus in each block. */
function readStage({ id, hydros, buses, hours }: StageData, tables: PathTables): number[] {
  return [
    ...hydros.map((hydro) => tables.hydros.at(id, 0, hydro.id).get("incremental_inflow_m3s")),
    ...buses.flatMap((bus) => hours.map((_, k) => tables.buses.at(id, k, bus.id).get("load_mw"))),
  ];
}

function areNear(these: readonly number[], those: readonly number[]): boolean {
  return these.every((value, i) => {
    return Math.abs(value - those[i]) <= SOLVED * Math.max(1, Math.abs(those[i]));
  });
}
