/** Programs for the embedded simplex, and what happens to them. */
import type { LinearProgram, LpData, LpSolver } from "@cobre/solver";
import { SmallProgram } from "#internal";
import { type DenseRow, program, rowData, type Sequence } from "./programs.js";
import { loadPlain } from "./solvers.js";

export const highs = await loadPlain("highs-wasm");
const INF = Number.POSITIVE_INFINITY;

/** A small program over HiGHS, which counts how often HiGHS was asked. */
export function counted(data: LpData): { lp: SmallProgram; asked: () => number } {
  let asked = 0;
  const lp = new SmallProgram("highs-wasm", data, {}, (...args: Parameters<LpSolver["create"]>) => {
    asked++;
    return highs.create(...args);
  });
  return { lp, asked: () => asked };
}

/**
 * A program without order: free, fixed and boxed columns, rows with one bound, two or none. If it is `elastic`, every row can be violated at a cost
 * and every gain has a limit, so that there is an optimum.
 */
export function wildProgram(random: Sequence, isElastic: boolean): LpData {
  const pick = <T>(...values: readonly T[]) =>
    values[Math.floor(random.next() * values.length)] as T;
  const count = 2 + Math.floor(random.next() * 14);
  const columns = Array.from({ length: count }, () => {
    const lower = pick(0, 0, 0, -5, -INF, 2);
    const width = pick(INF, INF, 10, 3, 0);
    const upper = lower === -INF ? pick(INF, 8, 0) : lower + width;
    const cost = pick(0, 1, 7, 0.01, 300, -2) * pick(1, random.next());
    if (!isElastic) return { cost, lower, upper };
    return { cost: Math.abs(cost), lower: Math.max(lower, -5), upper };
  });
  const rows: DenseRow[] = Array.from({ length: 1 + Math.floor(random.next() * 10) }, () => {
    const coefficients = columns.map(() =>
      random.next() < 0.5 ? 0 : pick(1, -1, 1, 2.592, -0.3, 40) * pick(1, 1, random.next()),
    );
    const middle = 20 * random.next() - 5;
    return [pick(middle, middle, -INF), coefficients, middle + pick(0, 0, 3, INF)];
  });
  if (!isElastic) return program(columns, rows);
  const violations = rows.flatMap(() => [{ cost: 500 }, { cost: 500 }]);
  const elastic = rows.map(([lower, coefficients, upper], i): DenseRow => {
    const own = rows.flatMap((_, k) => (k === i ? [1, -1] : [0, 0]));
    return [lower, [...coefficients, ...own], upper];
  });
  return program([...columns, ...violations], elastic);
}

/** Changes a bound, a cost or the rows. */
export function change(lp: LinearProgram, random: Sequence): void {
  const [kind, where] = [Math.floor(random.next() * 6), random.next()];
  const value = 10 * random.next() - 2;
  const one = Float64Array.of(value);
  const column = Math.floor(where * lp.columns);
  const row = Math.floor(where * lp.rows);
  if (kind === 0) lp.setColumnBounds(column, one, Float64Array.of(value + 4 * where));
  else if (kind <= 2 && lp.rows > 0) lp.setRowBounds(row, one, one);
  else if (kind === 3) lp.setCosts(column, one);
  else if (kind === 4 && lp.rows > 1) lp.deleteRows(Int32Array.of(row));
  else {
    const dense = Array.from({ length: lp.columns }, () => Math.round(6 * random.next()) - 2);
    lp.addRows(rowData([[value, dense, INF]]));
  }
}
