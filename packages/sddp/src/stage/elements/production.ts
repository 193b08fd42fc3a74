import type { Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/**
 * What hydro plants generate: a constant for each m³/s, or up to the planes of a production function of storage, turbined flow and spillage.
 * The storage is the mean of that at the start and at the end, so the planes are one more way in which the initial storage matters.
 */
export const production: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { system, hydros: at, production: given } = model.study;
  const ids = system.hydros.map(({ id }) => id);
  const turbined = program.familyOf("turbined");
  const spillage = program.familyOf("spillage");
  const productivity = (h: number) => given.productivity.at(stage, h);
  const planes = given.planes[stage];
  const canTurbine = (h: number, k: number) => at.maxTurbinedM3s.at(stage, h, k) > 0;
  const generated = planes.some((ofPlant) => ofPlant !== undefined)
    ? program.family("hydro_generated", {
        labels: ids,
        blocks: blockIds,
        // Turbines that stand still generate nothing, whatever the planes say.
        upper: (h, k) => (canTurbine(h, k) ? at.maxGenerationMw.at(stage, h, k) : 0),
        isThere: (h) => planes[h] !== undefined,
      })
    : undefined;
  program.express("hydro_generation", (h, k): Term[] =>
    planes[h] === undefined
      ? [[turbined.column(h, k), productivity(h)]]
      : [[generated?.column(h, k) ?? -1, 1]],
  );
  const power = program.balanceOf("power");
  blocks.forEach((block, k) => {
    ids.forEach((id, h) => {
      power.add(system.busOfHydro[h], k, program.expression("hydro_generation", h, k));
      if (!canTurbine(h, k)) return;
      planes[h]?.forEach((plane, i) => {
        const storage = program.expression("mean_storage", h, k);
        program.row(`plane_${id}_${block.id}_${i}`, Number.NEGATIVE_INFINITY, plane.constant, [
          ...program.expression("hydro_generation", h, k),
          ...storage.map(([column, share]): Term => [column, -plane.volume * share]),
          [turbined.column(h, k), -plane.turbined],
          [spillage.column(h, k), -plane.spilled],
        ]);
      });
    });
  });
  return {
    record({ hydros, primal }) {
      const mw = hydros.column("generation_mw");
      const mwh = hydros.column("generation_mwh");
      const productivities = hydros.column("productivity_mw_per_m3s");
      hydros.each((row, h, k) => {
        productivities[row] = productivity(h);
        mw[row] =
          planes[h] === undefined
            ? productivities[row] * turbined.value(primal, h, k)
            : (generated?.value(primal, h, k) ?? 0);
        mwh[row] = mw[row] * blocks[k].hours;
      });
    },
  };
};
