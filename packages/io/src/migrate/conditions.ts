import { CASE_FILES } from "@cobre/core";
import { periodsBefore } from "../lag-windows.js";
import type { Case } from "../load-case.js";
import { type Json, withEach, without } from "./json.js";
import type { MigrationNotes } from "./notes.js";

const MILLISECONDS_A_DAY = 86_400_000;

/** The seasons that cases without `season_definitions` mean. Cobre 0.18 takes past inflows for 0 without them. */
const MONTHS = {
  cycle_type: "monthly",
  seasons: Array.from({ length: 12 }, (_, id) => ({
    id,
    label: `month ${id + 1}`,
    month_start: id + 1,
  })),
};

/** Whether the season of every stage is the month in which it starts. */
function isByMonth({ study }: Case): boolean {
  return study.time.stages.every(
    ({ seasonId, start }) => seasonId === new Date(start * MILLISECONDS_A_DAY).getUTCMonth(),
  );
}

/** `stages.json` in the words of Cobre 0.18. Where inflows depend on past ones, cuts are told to have them. */
export function migrateStages(document: Json, source: Case): Json {
  const hasLags = source.uncertainty.inflow.psi.some((psi) => psi !== 0);
  const seasons = hasLags && document.season_definitions === undefined && isByMonth(source);
  return withEach(
    { ...document, ...(seasons && { season_definitions: MONTHS }) },
    "stages",
    (stage) => ({
      ...without(stage, "num_scenarios", "state_variables"),
      num_openings: stage.num_scenarios,
      ...(hasLags && { state_variables: { storage: true, inflow_lags: true } }),
    }),
  );
}

/** `initial_conditions.json` in the words of Cobre 0.18: past inflows are observations of the days before the study. */
export function migrateConditions(document: Json, source: Case, notes: MigrationNotes): Json {
  const { study } = source;
  const rest = { filling_storage: [], ...without(document, "past_inflows", "recent_observations") };
  const lags = study.initialConditions.pastInflowsM3s.map((values) => values.length);
  const most = Math.max(0, ...lags);
  if (most === 0) return rest;
  const periods = periodsBefore(study.time, most);
  if (periods === undefined) {
    const problem = "nothing says which days the seasons before the study have; they were left out";
    notes.add(CASE_FILES.initialConditions, "past_inflows", problem);
    return rest;
  }
  const observations = study.initialConditions.pastInflowsM3s.flatMap((values, h) =>
    values.flatMap((value, lag) => {
      const period = periods[lag];
      if (period === undefined) return [];
      const [start_date, end_date] = [text(period.start), text(period.end)];
      const hydro_id = study.system.hydros[h]?.id;
      return [{ hydro_id, start_date, end_date, value_m3s: value }];
    }),
  );
  if (periods.length < most) {
    const problem = `only ${periods.length} of ${most} lie in pre_study_stages; the others were left out`;
    notes.add(CASE_FILES.initialConditions, "past_inflows", problem);
  }
  return { ...rest, recent_observations: observations };
}

function text(day: number): string {
  return new Date(day * MILLISECONDS_A_DAY).toISOString().slice(0, 10);
}
