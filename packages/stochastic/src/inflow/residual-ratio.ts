import { StochasticError } from "../errors.js";
import type {
  InflowAnnualComponent,
  InflowAutoregression,
  InflowModelInput,
} from "./build-inflow-model.js";

const MONTHS = 12;
const ROUNDING = 1e-12;

/**
 * The autoregressions with the standard deviations of their noise, relative to those of the inflows. They follow from the coefficients, because
 * the inflow of every season has the deviation that the statistics give: where ρ_m(k) is the correlation of season m with the k-th one before
 * it, ρ_m(k) = Σ_j φ_mj ρ(t-j, t-k) for all seasons and lags, and the ratio is √(1 - Σ_j Σ_k φ_mj φ_mk ρ(t-j, t-k)).
 *
 * @throws {@link StochasticError} for coefficients with which inflows would grow without end
 * @example
 * ```ts
 * const [first] = withResidualRatios({
 *   stages: [{ id: 0, seasonId: 0 }],
 *   seasonCycle: [0],
 *   hydroIds: [1],
 *   statistics: [],
 *   autoregressions: [{ hydroId: 1, stageId: 0, coefficients: [0.6], residualStdRatio: NaN }],
 * });
 * first.residualStdRatio; // 0.8
 * ```
 */
export function withResidualRatios(input: InflowModelInput): readonly InflowAutoregression[] {
  const { autoregressions = [] } = input;
  const ratios = new Map<string, number>();
  for (const hydroId of new Set(autoregressions.map((row) => row.hydroId))) {
    for (const [stageId, ratio] of ratiosOf(hydroId, input)) {
      ratios.set(`${hydroId} ${stageId}`, ratio);
    }
  }
  return autoregressions.map((row) => ({
    ...row,
    residualStdRatio: ratios.get(`${row.hydroId} ${row.stageId}`) ?? 1,
  }));
}

/** The ratio of a plant in each stage that has coefficients. */
function ratiosOf(hydroId: number, input: InflowModelInput): ReadonlyMap<number, number> {
  const { stages, preStudyStages = [], autoregressions = [] } = input;
  const rows = autoregressions.filter((row) => row.hydroId === hydroId);
  const known = [...stages, ...preStudyStages].filter(({ id }) =>
    rows.some(({ stageId }) => stageId === id),
  );
  const cycle = input.seasonCycle ?? [...new Set(known.map(({ seasonId }) => seasonId))];
  if (input.seasonCycle === undefined && cycle.length > 1) {
    throw new StochasticError(
      "InvalidInflowModel",
      `hydro ${hydroId}: the deviation of the noise follows from the coefficients of all seasons, and the study does not show a whole cycle of them; add season_definitions to stages.json`,
    );
  }
  // The first stage of a season represents it where later stages look back.
  const rowOf = (id: number | undefined) => rows.find(({ stageId }) => stageId === id);
  const coefficients = cycle.map((season) => {
    const row = rowOf(known.find(({ seasonId }) => seasonId === season)?.id);
    return row === undefined ? [] : effective(row, input);
  });
  const correlation = new SeasonCorrelation(coefficients);
  return new Map(
    known.map(({ id, seasonId }) => {
      const own = effective(rowOf(id) as InflowAutoregression, input);
      const explained = correlation.explained(cycle.indexOf(seasonId), own);
      // A correlation beyond 1 may leave a variance above 0: such coefficients describe nothing, either.
      if (explained < 1 && explained > -ROUNDING) {
        return [id, Math.sqrt(Math.min(1, 1 - explained))] as const;
      }
      throw new StochasticError(
        "InvalidInflowModel",
        `hydro ${hydroId}, stage ${id}: with these coefficients inflows do not keep their deviation; give coefficients of a stationary model`,
      );
    }),
  );
}

/** The coefficients on standardised inflows, with those of an annual component among them: it is a part of each of twelve lags. */
function effective(
  { hydroId, stageId, coefficients }: InflowAutoregression,
  { annualComponents = [], statistics, stages }: InflowModelInput,
): readonly number[] {
  const annual: InflowAnnualComponent | undefined = annualComponents.find(
    (row) => row.hydroId === hydroId && row.stageId === stageId,
  );
  if (annual === undefined || annual.std === 0) return coefficients;
  const at = stages.findIndex(({ id }) => id === stageId);
  const deviation = (lag: number) => {
    const then = stages[(((at - lag) % stages.length) + stages.length) % stages.length]?.id;
    return statistics.find((row) => row.hydroId === hydroId && row.stageId === then)?.std ?? 0;
  };
  return Array.from({ length: Math.max(MONTHS, coefficients.length) }, (_, i) => {
    const share = i < MONTHS ? (annual.coefficient * deviation(i + 1)) / (MONTHS * annual.std) : 0;
    return (coefficients[i] ?? 0) + share;
  });
}

/** How standardised inflows of each season correlate with those of the seasons before it. */
class SeasonCorrelation {
  private readonly seasons: number;
  private readonly order: number;
  private readonly values: Float64Array | undefined;

  /** @param coefficients of each season */
  constructor(coefficients: readonly (readonly number[])[]) {
    this.seasons = coefficients.length;
    this.order = Math.max(0, ...coefficients.map(({ length }) => length));
    const size = this.seasons * this.order;
    const matrix = Array.from({ length: size }, () => new Float64Array(size + 1));
    coefficients.forEach((own, m) => {
      for (let k = 1; k <= this.order; k++) {
        const row = matrix[this.unknown(m, k)] as Float64Array;
        row[this.unknown(m, k)] = 1;
        own.forEach((phi, i) => {
          const [season, lag] = this.between(m, i + 1, k);
          const column = lag === 0 ? size : this.unknown(season, lag);
          row[column] = (row[column] as number) + (lag === 0 ? phi : -phi);
        });
      }
    });
    this.values = eliminate(matrix);
  }

  /** How much of the variance of an inflow in a season its coefficients explain. NaN if there is no correlation with which they agree. */
  explained(season: number, coefficients: readonly number[]): number {
    let sum = 0;
    coefficients.forEach((phi, i) => {
      coefficients.forEach((other, j) => {
        sum += phi * other * this.at(...this.between(season, i + 1, j + 1));
      });
    });
    return sum;
  }

  private at(season: number, lag: number): number {
    return lag === 0 ? 1 : (this.values?.[this.unknown(season, lag)] ?? Number.NaN);
  }

  /** Of the seasons `j` and `k` before another one: the later one, and how far the earlier one is before it. */
  private between(season: number, j: number, k: number): readonly [season: number, lag: number] {
    const back = season - Math.min(j, k);
    return [((back % this.seasons) + this.seasons) % this.seasons, Math.abs(j - k)];
  }

  private unknown(season: number, lag: number): number {
    return season * this.order + lag - 1;
  }
}

/** Gaussian elimination with partial pivoting; `undefined` if the matrix is singular. */
function eliminate(matrix: readonly Float64Array[]): Float64Array | undefined {
  const size = matrix.length;
  const rows = [...matrix];
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let i = column + 1; i < size; i++) {
      if (Math.abs(at(rows, i, column)) > Math.abs(at(rows, best, column))) best = i;
    }
    const pivot = rows[best] as Float64Array;
    if (Math.abs(pivot[column] as number) < Number.EPSILON) return undefined;
    rows[best] = rows[column] as Float64Array;
    rows[column] = pivot;
    for (let i = column + 1; i < size; i++) {
      const factor = at(rows, i, column) / (pivot[column] as number);
      if (factor === 0) continue;
      const row = rows[i] as Float64Array;
      for (let j = column; j <= size; j++) {
        row[j] = (row[j] as number) - factor * (pivot[j] as number);
      }
    }
  }
  const solution = new Float64Array(size);
  for (let i = size - 1; i >= 0; i--) {
    let value = at(rows, i, size);
    for (let j = i + 1; j < size; j++) value -= at(rows, i, j) * (solution[j] as number);
    solution[i] = value / at(rows, i, i);
  }
  return solution;
}

function at(rows: readonly Float64Array[], row: number, column: number): number {
  return rows[row]?.[column] as number;
}
