/** How the plants of a small system generate, as files of its case. */
import type { CaseFiles } from "./case-files.js";
import type { SmallPlane, SmallProduction, SmallSystem } from "./system.js";

/** Whether planes limit the generation. */
export function isFunction(production: SmallProduction): production is readonly SmallPlane[] {
  return production !== null && !("productivity" in production);
}

/** A range for each stage; planes that are the same in all stages have no stage. */
export function writeProduction({ hydros, stages }: SmallSystem, files: CaseFiles): void {
  const entries = hydros.filter(({ production }) => production.some((own) => own !== null));
  if (entries.length === 0) return;
  files.json("system/hydro_production_models.json", {
    production_models: entries.map(({ id, production }) => ({
      hydro_id: id,
      selection_mode: "stage_ranges",
      stage_ranges: production.flatMap((own, t) => {
        if (own === null) return [];
        const range = { start_stage_id: stages[t].id, end_stage_id: stages[t].id };
        return isFunction(own)
          ? { ...range, model: "fpha", fpha_config: { source: "precomputed" } }
          : {
              ...range,
              model: "constant_productivity",
              productivity_override: own.productivity,
            };
      }),
    })),
  });
  files.table(
    "system/fpha_hyperplanes",
    entries.flatMap(({ id, production }) =>
      production.flatMap((own, t) => {
        if (!isFunction(own)) return [];
        return own.map((plane, i) => ({
          hydro_id: id,
          stage_id: production.length === 1 ? null : stages[t].id,
          plane_id: i,
          gamma_0: plane.constant,
          gamma_v: plane.volume,
          gamma_q: plane.turbined,
          gamma_s: plane.spilled,
          kappa: plane.kappa === 1 ? null : plane.kappa,
        }));
      }),
    ),
  );
}
