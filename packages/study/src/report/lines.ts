import type { Entity } from "../results/dictionaries.js";
import type { Cube } from "./cube.js";
import type { SimulationSource } from "./simulation-source.js";

/** Exchanges between buses, in MW. */
export interface LineReport {
  readonly lines: readonly Entity[];
  /** The ids of the blocks. */
  readonly blocks: readonly number[];
  /** By line and block (`line * blocks.length + block`): positive from source to target. */
  readonly flows: Cube;
  /** The limit from source to target, `[line * stages + stage]`; NaN if there is none. */
  readonly maxFlow: Float64Array;
  /** The limit from target to source, as a negative number. */
  readonly minFlow: Float64Array;
}

const COLUMNS = ["stage_id", "block_id", "line_id", "net_flow_mw"] as const;

export async function readLines(source: SimulationSource): Promise<LineReport> {
  const { blocks, entities } = source.axes;
  const { lines } = entities;
  const flows = source.cube(lines.length * blocks.length);
  const report: LineReport = {
    lines,
    blocks,
    flows,
    maxFlow: source.limits("line", "flow_max", lines),
    minFlow: source.limits("line", "flow_min", lines),
  };
  if (!source.simulation.tables.includes("exchanges")) return report;
  const places = source.indices("line", lines);
  let s = 0;
  for await (const { rows, columns } of source.simulation.scenariosOf("exchanges", COLUMNS)) {
    for (let row = 0; row < rows; row++) {
      const stage = source.stages.of(columns.stage_id[row] as number);
      const block = source.blocks.of(columns.block_id[row] as number);
      const line = places.of(columns.line_id[row] as number);
      flows.set(line * blocks.length + block, stage, s, columns.net_flow_mw[row] as number);
    }
    s++;
  }
  return report;
}
