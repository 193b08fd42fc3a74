import type { LpData } from "../linear-program.js";
import type { HighsLibrary } from "./library.js";

const ROW_WISE = 2;
const MINIMISE = 1;

/** Passes a whole program to HiGHS and returns the status of the call. */
export function passLp(library: HighsLibrary, highs: number, data: LpData): number {
  const { cost, columnLower, columnUpper } = data;
  const { lower, upper, starts, indices, values } = data.rows;
  const arrays = [cost, columnLower, columnUpper, lower, upper, starts, indices, values] as const;
  return library.withArrays(arrays, (...addresses) =>
    library.call._Highs_passLp(
      highs,
      cost.length,
      lower.length,
      indices.length,
      ROW_WISE,
      MINIMISE,
      0,
      ...addresses,
    ),
  );
}

/** Reads the program back from HiGHS. */
export function readLp(
  library: HighsLibrary,
  highs: number,
  columns: number,
  rows: number,
): LpData {
  const entries = library.call._Highs_getNumNz(highs);
  const data: LpData = {
    cost: new Float64Array(columns),
    columnLower: new Float64Array(columns),
    columnUpper: new Float64Array(columns),
    rows: {
      lower: new Float64Array(rows),
      upper: new Float64Array(rows),
      starts: new Int32Array(rows + 1),
      indices: new Int32Array(entries),
      values: new Float64Array(entries),
    },
  };
  const { cost, columnLower, columnUpper } = data;
  const { lower, upper, starts, indices, values } = data.rows;
  const arrays = [cost, columnLower, columnUpper, lower, upper, starts, indices, values] as const;
  // The call also returns what we know already: four counts, the objective's constant, and that no column is an integer.
  const known = [new Int32Array(4), new Float64Array(1), new Int32Array(columns)] as const;
  library.withArrays(known, (counts, offset, integrality) =>
    library.withArrays(arrays, (...addresses) => {
      const four = [counts, counts + 4, counts + 8, counts + 12] as const;
      library.call._Highs_getLp(highs, ROW_WISE, ...four, offset, ...addresses, integrality);
      arrays.forEach((array, i) => {
        library.read(addresses[i] as number, array);
      });
    }),
  );
  starts[rows] = entries;
  return data;
}
