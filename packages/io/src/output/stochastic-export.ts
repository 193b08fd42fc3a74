import { type Case, fillOpeningTree, openingTreeLength } from "../load-case.js";
import type { TableRow, TableSpec } from "./column.js";
import type { OutputDirectory } from "./output-directory.js";
import { tableOf } from "./table-builder.js";
import {
  INFLOW_ANNUAL_COMPONENTS,
  INFLOW_AUTOREGRESSIONS,
  INFLOW_STATISTICS,
  LOAD_STATISTICS,
  NOISE_OPENINGS,
} from "./tables/stochastic-tables.js";

/**
 * Writes the data from which the scenarios of a case are made, in the format of a case: copied to `scenarios/`, these files give the
 * same openings. Tables without rows are not written.
 */
export function writeStochastic(output: OutputDirectory, source: Case): void {
  const { input } = source.uncertainty;
  const write = <S extends TableSpec>(name: string, spec: S, rows: readonly TableRow<S>[]) => {
    if (rows.length > 0) output.writeTable(`stochastic/${name}.parquet`, tableOf(spec, rows));
  };
  write("noise_openings", NOISE_OPENINGS, openingRows(source));
  output.writeJson("stochastic/correlation.json", correlationOf(source));
  write(
    "inflow_seasonal_stats",
    INFLOW_STATISTICS,
    input.inflowStatistics.map(({ hydroId: hydro_id, stageId: stage_id, mean, std }) => {
      return { hydro_id, stage_id, mean_m3s: mean, std_m3s: std };
    }),
  );
  write(
    "inflow_ar_coefficients",
    INFLOW_AUTOREGRESSIONS,
    input.autoregressions.flatMap(({ hydroId, stageId, coefficients, residualStdRatio }) =>
      coefficients.map((coefficient, i) => ({
        hydro_id: hydroId,
        stage_id: stageId,
        lag: i + 1,
        coefficient,
        residual_std_ratio: residualStdRatio,
      })),
    ),
  );
  write(
    "inflow_annual_component",
    INFLOW_ANNUAL_COMPONENTS,
    input.annualComponents.map(({ hydroId, stageId, coefficient, mean = 0, std }) => ({
      hydro_id: hydroId,
      stage_id: stageId,
      annual_coefficient: coefficient,
      annual_mean_m3s: mean,
      annual_std_m3s: std,
    })),
  );
  write(
    "load_seasonal_stats",
    LOAD_STATISTICS,
    input.loadStatistics.map(({ busId: bus_id, stageId: stage_id, mean, std }) => {
      return { bus_id, stage_id, mean_mw: mean, std_mw: std };
    }),
  );
}

function openingRows(source: Case): TableRow<typeof NOISE_OPENINGS>[] {
  const tree = fillOpeningTree(source, new Float64Array(openingTreeLength(source)));
  const rows: TableRow<typeof NOISE_OPENINGS>[] = [];
  tree.stages.forEach(({ id, openings }, stage) => {
    for (let opening = 0; opening < openings; opening++) {
      for (let entity = 0; entity < tree.dimension; entity++) {
        rows.push({
          stage_id: id,
          opening_index: opening,
          entity_index: entity,
          value: tree.values[tree.offset(stage, opening) + entity] as number,
        });
      }
    }
  });
  return rows;
}

/** Without a correlation, the profile has no groups: all noise is independent. */
function correlationOf({ uncertainty }: Case): object {
  const { profiles = { default: [] }, schedule = [] } = uncertainty.input.correlation ?? {};
  return {
    method: "spectral",
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([name, groups]) => [name, { correlation_groups: groups }]),
    ),
    schedule: schedule.map(({ stageId, profile }) => {
      return { stage_id: stageId, profile_name: profile };
    }),
  };
}
