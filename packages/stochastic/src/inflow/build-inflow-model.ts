import { StochasticError } from "../errors.js";
import { InflowModel } from "./inflow-model.js";

/** Mean and standard deviation of a plant's inflow in a stage, in m³/s. Stages before the study have ids below 0. */
export interface InflowStatistics {
  readonly hydroId: number;
  readonly stageId: number;
  readonly mean: number;
  readonly std: number;
}

/** The autoregression of a plant in a stage, as it is estimated: on standardised inflows. */
export interface InflowAutoregression {
  readonly hydroId: number;
  readonly stageId: number;
  /** Of lag 1, 2, … */
  readonly coefficients: readonly number[];
  /** Standard deviation of the noise, relative to that of the inflow. */
  readonly residualStdRatio: number;
}

/** A term in the mean of the last twelve inflows, as it is estimated: on standardised inflows. */
export interface InflowAnnualComponent {
  readonly hydroId: number;
  readonly stageId: number;
  readonly coefficient: number;
  /** Of the mean of twelve inflows; the model does without it. */
  readonly mean?: number;
  readonly std: number;
}

/** What {@link buildInflowModel} builds from. */
export interface InflowModelInput {
  /** The stages of the study, in order. */
  readonly stages: readonly { readonly id: number; readonly seasonId?: number | undefined }[];
  readonly hydroIds: readonly number[];
  readonly statistics: readonly InflowStatistics[];
  readonly autoregressions?: readonly InflowAutoregression[];
  readonly annualComponents?: readonly InflowAnnualComponent[];
}

const MONTHS = 12;

/**
 * Turns standardised coefficients into those of the LP: ψ_l = ψ*_l s_t / s_{t-l} (0 if s_{t-l} is 0), base = μ_t -
 * Σ ψ_l μ_{t-l}, σ = s_t · residualStdRatio. An annual component adds ψ^A s_t / s^A / 12 to each of twelve lags. The statistics of
 * a past stage are those given for its id, else those of its season, counted back from the first stage's season.
 * A plant without statistics in a stage has no inflow there.
 *
 * @example
 * ```ts
 * const model = buildInflowModel({
 *   stages: [{ id: 0, seasonId: 0 }],
 *   hydroIds: [1],
 *   statistics: [{ hydroId: 1, stageId: -1, mean: 100, std: 30 }, { hydroId: 1, stageId: 0, mean: 100, std: 30 }],
 *   autoregressions: [{ hydroId: 1, stageId: 0, coefficients: [0.3], residualStdRatio: 0.954 }],
 * });
 * model.base[0]; // 70
 * ```
 */
export function buildInflowModel(input: InflowModelInput): InflowModel {
  const { stages, hydroIds } = input;
  const autoregressions = byPlantAndStage(input.autoregressions ?? []);
  const annualComponents = byPlantAndStage(input.annualComponents ?? []);
  const past = new PastStatistics(input);
  const model = new InflowModel(stages.length, hydroIds.length, countLags(input));
  stages.forEach((stage, t) => {
    hydroIds.forEach((hydroId, h) => {
      const statistics = past.given(hydroId, stage.id);
      if (statistics === undefined) return;
      const at = t * hydroIds.length + h;
      const autoregression = autoregressions.get(key(hydroId, stage.id));
      const annual = annualComponents.get(key(hydroId, stage.id));
      const share =
        annual === undefined || annual.std === 0
          ? 0
          : (annual.coefficient * statistics.std) / annual.std / MONTHS;
      let base = statistics.mean;
      for (let lag = 1; lag <= model.lags; lag++) {
        const standardised = autoregression?.coefficients[lag - 1] ?? 0;
        const yearly = lag <= MONTHS ? share : 0;
        if (standardised === 0 && yearly === 0) continue;
        const then = past.find(hydroId, stage.id, lag);
        const scaled = then.std === 0 ? 0 : (standardised * statistics.std) / then.std;
        const psi = scaled + yearly;
        model.psi[at * model.lags + lag - 1] = psi;
        base -= psi * then.mean;
      }
      model.base[at] = base;
      model.sigma[at] = statistics.std * (autoregression?.residualStdRatio ?? 1);
    });
  });
  return model;
}

function countLags({ autoregressions = [], annualComponents = [] }: InflowModelInput): number {
  const order = autoregressions.reduce(
    (max, { coefficients }) => Math.max(max, coefficients.length),
    0,
  );
  return annualComponents.length > 0 ? Math.max(MONTHS, order) : order;
}

/** The statistics by stage, and by season for stages that have none. */
class PastStatistics {
  private readonly byStage: ReadonlyMap<string, InflowStatistics>;
  private readonly bySeason = new Map<string, InflowStatistics>();
  private readonly seasons: number;
  private readonly firstSeason: number | undefined;

  constructor({ stages, statistics }: InflowModelInput) {
    this.byStage = byPlantAndStage(statistics);
    const seasonOf = new Map(stages.map(({ id, seasonId }) => [id, seasonId]));
    for (const row of statistics) {
      const season = seasonOf.get(row.stageId);
      if (season === undefined) continue;
      // The first stage of a season speaks for it, whatever the order of the rows.
      const known = this.bySeason.get(key(row.hydroId, season));
      if (known === undefined || row.stageId < known.stageId) {
        this.bySeason.set(key(row.hydroId, season), row);
      }
    }
    const ids = stages.flatMap(({ seasonId }) => (seasonId === undefined ? [] : [seasonId]));
    this.seasons = new Set(ids).size;
    this.firstSeason = ids[0];
  }

  given(hydroId: number, stageId: number): InflowStatistics | undefined {
    return this.byStage.get(key(hydroId, stageId));
  }

  find(hydroId: number, stageId: number, lag: number): InflowStatistics {
    const then = stageId - lag;
    const given = this.given(hydroId, then) ?? this.ofSeason(hydroId, then);
    if (given === undefined) {
      throw new StochasticError(
        "InvalidInflowModel",
        `inflow of hydro ${hydroId} in stage ${stageId}: lag ${lag} needs the mean and standard deviation of stage ${then}; ` +
          "give inflow_seasonal_stats a row for it, or the stages a season_id",
      );
    }
    return given;
  }

  private ofSeason(hydroId: number, stageId: number): InflowStatistics | undefined {
    if (this.firstSeason === undefined) return undefined;
    const n = this.seasons;
    const season = (((stageId + this.firstSeason) % n) + n) % n;
    return this.bySeason.get(key(hydroId, season));
  }
}

function byPlantAndStage<T extends { readonly hydroId: number; readonly stageId: number }>(
  rows: readonly T[],
): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [key(row.hydroId, row.stageId), row]));
}

function key(hydroId: number, stageOrSeason: number): string {
  return `${hydroId} ${stageOrSeason}`;
}
