import { CASE_FILES, existsIn, type IssueCollector, type Study } from "@cobre/core";
import type { AvailabilityStatistics } from "@cobre/stochastic";

/** Reports statistics of sources that do not exist, and what they leave open. */
export function checkAvailability(
  statistics: readonly AvailabilityStatistics[],
  bounds: readonly { readonly id: number }[],
  { system, time }: Study,
  issues: IssueCollector,
): void {
  const file = CASE_FILES.nonControllableStatistics;
  const sources = new Map(system.nonControllables.map((source) => [source.id, source]));
  for (const id of new Set(statistics.map(({ sourceId }) => sourceId))) {
    const entity = `non-controllable source ${id}`;
    const source = sources.get(id);
    if (source === undefined) {
      const remedy = `correct the id, or add it to ${CASE_FILES.nonControllables}`;
      const place = { file, entity, field: "ncs_id" };
      issues.error("references", place, `${entity} does not exist`, remedy);
      continue;
    }
    const given = new Set(
      statistics.filter(({ sourceId }) => sourceId === id).map(({ stageId }) => stageId),
    );
    const missing = time.stages.filter((stage) => existsIn(source, stage) && !given.has(stage.id));
    if (missing.length > 0) {
      const ids = missing.map((stage) => stage.id).join(", ");
      const remedy = "nothing is available there; give mean and std for every stage";
      issues.warning("stochastic", { file, entity }, `there is no row for stage ${ids}`, remedy);
    }
    if (bounds.some((row) => row.id === id)) {
      const place = { file: CASE_FILES.nonControllableBounds, entity };
      const remedy = `${file} says what is available of this source`;
      issues.warning("stochastic", place, "has no effect", remedy);
    }
  }
}
