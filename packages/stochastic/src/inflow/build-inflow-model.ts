import { StochasticError } from "../errors.js";
import { InflowModel } from "./inflow-model.js";

/** Mean and standard deviation of a plant's inflow in a stage, in m³/s. Stages before the study have negative ids. */
export interface InflowStatistics {
  readonly hydroId: number;
  readonly stageId: number;
  readonly mean: number;
  readonly std: number;
}

/** The autoregression of a plant in a stage, estimated on standardised inflows. */
export interface InflowAutoregression {
  readonly hydroId: number;
  readonly stageId: number;
  /** For lag 1, 2, … */
  readonly coefficients: readonly number[];
  /** Standard deviation of the noise, relative to that of the inflow. */
  readonly residualStdRatio: number;
}

/** A term in the mean of the last twelve inflows, estimated on standardised inflows. */
export interface InflowAnnualComponent {
  readonly hydroId: number;
  readonly stageId: number;
  readonly coefficient: number;
  /** The mean of the mean of twelve inflows. The model does not use it. */
  readonly mean?: number;
  readonly std: number;
}

/** A stage and the season in which it lies. */
export interface StageSeason {
  readonly id: number;
  readonly seasonId?: number | undefined;
}

/** The input of {@link buildInflowModel}. */
export interface InflowModelInput {
  /** The stages of the study, in order. */
  readonly stages: readonly StageSeason[];
  /** Stages before the study, with negative ids. */
  readonly preStudyStages?: readonly StageSeason[] | undefined;
  /** The seasons of a year, in their order. Without it, nothing is known of the season of a stage before the study. */
  readonly seasonCycle?: readonly (number | undefined)[] | undefined;
  readonly hydroIds: readonly number[];
  readonly statistics: readonly InflowStatistics[];
  readonly autoregressions?: readonly InflowAutoregression[];
  readonly annualComponents?: readonly InflowAnnualComponent[];
}

const MONTHS = 12;

/**
 * Converts standardised coefficients to those of the LP: ψ_l = ψ*_l s_t / s_{t-l} (0 if s_{t-l} is 0), base = μ_t -
 * Σ ψ_l μ_{t-l}, σ = s_t · residualStdRatio. An annual component adds ψ^A s_t / s^A / 12 to each of the first twelve lags. The
 * statistics of a past stage are those given for its id, else those of its season: as `preStudyStages` says, or counted back from the
 * first stage's season in `seasonCycle`.
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
        const then = past.find(hydroId, t, lag);
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

/** The statistics by stage, and by season for stages without statistics of their own. */
class PastStatistics {
  private readonly byStage: ReadonlyMap<string, InflowStatistics>;
  private readonly bySeason = new Map<string, InflowStatistics>();
  private readonly stages: InflowModelInput["stages"];
  private readonly seasonBefore: ReadonlyMap<number, number | undefined>;
  private readonly cycle: readonly (number | undefined)[] | undefined;

  constructor({ stages, preStudyStages = [], seasonCycle, statistics }: InflowModelInput) {
    this.byStage = byPlantAndStage(statistics);
    this.stages = stages;
    this.cycle = seasonCycle;
    this.seasonBefore = new Map(preStudyStages.map(({ id, seasonId }) => [id, seasonId]));
    // The first stage of a season represents it, else the last one before the study, whatever the order of the rows.
    const inOrder = [...stages, ...[...preStudyStages].sort((a, b) => b.id - a.id)];
    const hydros = new Set(statistics.map(({ hydroId }) => hydroId));
    for (const { id, seasonId } of inOrder) {
      if (seasonId === undefined) continue;
      for (const hydroId of hydros) {
        const row = this.given(hydroId, id);
        const place = key(hydroId, seasonId);
        if (row !== undefined && !this.bySeason.has(place)) this.bySeason.set(place, row);
      }
    }
  }

  given(hydroId: number, stageId: number): InflowStatistics | undefined {
    return this.byStage.get(key(hydroId, stageId));
  }

  /** The statistics of the stage `lag` stages before the one at index `at`. */
  find(hydroId: number, at: number, lag: number): InflowStatistics {
    const { stages } = this;
    const first = stages[0]?.id as number;
    // Stages before the study are counted back from its first one, or from 0; never some of them this way and some that.
    const end = this.given(hydroId, first - 1) === undefined ? 0 : first;
    const then = at >= lag ? (stages[at - lag]?.id as number) : end - (lag - at);
    const found =
      this.given(hydroId, then) ?? (at >= lag ? undefined : this.ofSeason(hydroId, at - lag));
    if (found !== undefined) return found;
    const isUnknown = this.cycle === undefined && stages[0]?.seasonId !== undefined;
    throw new StochasticError(
      "InvalidInflowModel",
      `inflow of hydro ${hydroId} in stage ${stages[at]?.id}: lag ${lag} needs the mean and standard deviation of stage ${then}; ` +
        (isUnknown
          ? "add a row for it to inflow_seasonal_stats, or season_definitions to stages.json, because the study does not show a whole cycle of seasons"
          : "add a row for it to inflow_seasonal_stats, or give the stages a season_id"),
      { entity: `hydro ${hydroId}, stage ${stages[at]?.id}`, field: "lag" },
    );
  }

  /** Of the season of a stage before the study; -1 is the last one. */
  private ofSeason(hydroId: number, before: number): InflowStatistics | undefined {
    const known = this.seasonBefore.get(before);
    if (known !== undefined) return this.bySeason.get(key(hydroId, known));
    const { cycle, stages } = this;
    const first = stages[0]?.seasonId;
    if (cycle === undefined || first === undefined || !cycle.includes(first)) return undefined;
    const start = cycle.indexOf(first);
    const season = cycle[(((start + before) % cycle.length) + cycle.length) % cycle.length];
    return season === undefined ? undefined : this.bySeason.get(key(hydroId, season));
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
