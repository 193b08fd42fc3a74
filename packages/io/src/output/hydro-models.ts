import type { Study } from "@cobre/core";
import type { TableRow } from "./column.js";
import type { OutputDirectory } from "./output-directory.js";
import { OUTPUT_FILES } from "./output-files.js";
import { tableOf } from "./table-builder.js";
import { FPHA_PLANES } from "./tables/hydro-model-tables.js";

/** Whether planes were fitted, so that {@link writeHydroModels} has something to write. */
export function hasHydroModels({ production }: Study): boolean {
  return production.fits.length > 0;
}

/** Writes the planes that were fitted to the geometry of plants, and how well they fit. */
export function writeHydroModels(output: OutputDirectory, study: Study): void {
  output.writeTable(OUTPUT_FILES.fphaPlanes, tableOf(FPHA_PLANES, planeRows(study)));
}

function planeRows({ production, system }: Study): TableRow<typeof FPHA_PLANES>[] {
  return production.fits.flatMap((fit) => {
    const { hydroId, planes, kappa, window, correction, meanErrorMw, maxErrorMw } = fit;
    // A plant may be fitted in several ways, each for stages of its own.
    const isOnly = production.fits.every((other) => other === fit || other.hydroId !== hydroId);
    const most = system.hydros.find(({ id }) => id === hydroId)?.maxTurbinedM3s as number;
    return (isOnly ? [null] : fit.stageIds).flatMap((stageId) =>
      planes.map((plane, i) => ({
        hydro_id: hydroId,
        stage_id: stageId,
        plane_id: i,
        gamma_0: plane.constant / kappa,
        gamma_v: plane.volume,
        gamma_q: plane.turbined,
        gamma_s: plane.spilled,
        kappa,
        valid_v_min_hm3: window[0],
        valid_v_max_hm3: window[1],
        valid_q_max_m3s: most,
        correction_factor: correction,
        mean_error_mw: meanErrorMw,
        max_error_mw: maxErrorMw,
      })),
    );
  });
}
