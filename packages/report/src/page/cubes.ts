import { deflateSync } from "node:zlib";
import type { Cube } from "@cobre/study";

/** The values of all scenarios that the script draws, as one string for each cube. */
export interface PackedCube {
  readonly name: string;
  readonly items: number;
  readonly stages: number;
  /** Float32, little-endian, deflated, in base64: `[(item * stages + stage) * scenarios + scenario]`. */
  readonly base64: string;
}

/** Which scenarios the page has. */
export interface PageScenarios {
  /** Indices in the report, in its order. */
  readonly chosen: readonly number[];
}

/** So many bytes of float32 make a page of less than 15 MB with everything else. */
const BUDGET_BYTES = 8_000_000;

/**
 * All scenarios if their values fit into the page, otherwise as many as fit, evenly by rank of their cost. Percentiles and means are
 * those of all scenarios in any case.
 */
export function chooseScenarios(
  total: Float64Array,
  cubes: readonly Cube[],
  budget = BUDGET_BYTES,
): PageScenarios {
  const count = total.length;
  const perScenario = cubes.reduce((sum, { items, stages }) => sum + 4 * items * stages, 0);
  const room = Math.max(1, Math.floor(budget / Math.max(1, perScenario)));
  const all = Array.from({ length: count }, (_, s) => s);
  if (room >= count) return { chosen: all };
  const byCost = [...all].sort((a, b) => (total[a] as number) - (total[b] as number));
  const places = Array.from({ length: room }, (_, i) =>
    Math.round((i * (count - 1)) / Math.max(1, room - 1)),
  );
  const chosen = [...new Set(places)].map((place) => byCost[place] as number);
  return { chosen: chosen.sort((a, b) => a - b) };
}

/** A cube of the chosen scenarios. Seven digits are more than a screen can show; tables have the values themselves. */
export function packCube(name: string, cube: Cube, { chosen }: PageScenarios): PackedCube {
  const rows = cube.items * cube.stages;
  const bytes = Buffer.alloc(4 * rows * chosen.length);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (const scenario of chosen) {
      bytes.writeFloatLE(cube.values[row * cube.scenarios + scenario] as number, at);
      at += 4;
    }
  }
  return {
    name,
    items: cube.items,
    stages: cube.stages,
    base64: deflateSync(bytes).toString("base64"),
  };
}
