import type { LpData, RowData } from "@cobre/solver";

export type DenseRow = readonly [lower: number, coefficients: readonly number[], upper: number];

/** Rows written densely, for the eye. */
export function rowData(rows: readonly DenseRow[]): RowData {
  const starts = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (const [, coefficients] of rows) {
    coefficients.forEach((value, column) => {
      if (value === 0) return;
      indices.push(column);
      values.push(value);
    });
    starts.push(indices.length);
  }
  return {
    lower: Float64Array.from(rows, ([lower]) => lower),
    upper: Float64Array.from(rows, ([, , upper]) => upper),
    starts: Int32Array.from(starts),
    indices: Int32Array.from(indices),
    values: Float64Array.from(values),
  };
}

export function program(
  columns: readonly { cost: number; lower?: number; upper?: number }[],
  rows: readonly DenseRow[],
): LpData {
  return {
    cost: Float64Array.from(columns, ({ cost }) => cost),
    columnLower: Float64Array.from(columns, ({ lower }) => lower ?? 0),
    columnUpper: Float64Array.from(columns, ({ upper }) => upper ?? Number.POSITIVE_INFINITY),
    rows: rowData(rows),
  };
}

/**
 * A dispatch as the solver meets it. x0: storage at the end (at most 200), x1: hydro, x2: spill, x3: thermal at 50,
 * x4: cost to come. Row 0: storage balance with 200 at the start; row 1: load 150; row 2: a cut.
 */
export const DISPATCH: LpData = program(
  [{ cost: 0, upper: 200 }, { cost: 0 }, { cost: 0.01 }, { cost: 50 }, { cost: 1 }],
  [
    [200, [1, 1, 1, 0, 0], 200],
    [150, [0, 1, 0, 1, 0], 150],
    [7500, [75, 0, 0, 0, 1], Number.POSITIVE_INFINITY],
  ],
);

/** Numbers that look random and are the same everywhere. */
export class Sequence {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  next(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state / 4294967296;
  }
}

/** A larger dispatch: `plants` reservoirs, thermals, one load, and `cuts` cuts on their storage. */
export function largeDispatch(plants: number, cuts: number, seed: number): LpData {
  const random = new Sequence(seed);
  const thermals = 12;
  const columns: { cost: number; upper?: number }[] = [];
  for (let h = 0; h < plants; h++) columns.push({ cost: 0, upper: 100 + 100 * random.next() });
  for (let h = 0; h < plants; h++) columns.push({ cost: 0, upper: 40 });
  for (let h = 0; h < plants; h++) columns.push({ cost: 0.01 });
  for (let g = 0; g < thermals; g++) columns.push({ cost: 10 + 90 * random.next(), upper: 20 });
  columns.push({ cost: 1000 }, { cost: 1 });
  const theta = columns.length - 1;
  const rows: DenseRow[] = [];
  const zeros = () => new Array<number>(columns.length).fill(0);
  for (let h = 0; h < plants; h++) {
    const row = zeros();
    row[h] = 1;
    row[plants + h] = 1;
    row[2 * plants + h] = 1;
    if (h > 0) {
      row[plants + h - 1] = -1;
      row[2 * plants + h - 1] = -1;
    }
    rows.push([60, row, 60]);
  }
  const load = zeros();
  for (let h = 0; h < plants; h++) load[plants + h] = 0.8 + 0.2 * random.next();
  for (let g = 0; g <= thermals; g++) load[3 * plants + g] = 1;
  rows.push([25 * plants, load, 25 * plants]);
  for (let c = 0; c < cuts; c++) {
    const row = zeros();
    let constant = 0;
    for (let h = 0; h < plants; h++) {
      row[h] = 5 + 45 * random.next();
      constant += (row[h] as number) * (20 + 60 * random.next());
    }
    row[theta] = 1;
    rows.push([constant, row, Number.POSITIVE_INFINITY]);
  }
  return program(columns, rows);
}
