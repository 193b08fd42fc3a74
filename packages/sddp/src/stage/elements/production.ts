import type { Term } from "../program/row-builder.js";
import type { Element } from "./element.js";
import { cellsOf } from "./unit-groups.js";

/**
 * What hydro plants generate, for their bus or for the buses of their units: a constant for each m³/s, or up to the planes of a production function of storage, turbined flow and spillage.
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
  /** Generation stays below the planes, or below a share of them that belongs to some of the units. */
  const addPlanes = (
    h: number,
    k: number,
    name: string,
    terms: Term[],
    flow: number,
    share = 1,
  ) => {
    if (!canTurbine(h, k)) return;
    planes[h]?.forEach((plane, i) => {
      const storage = program.expression("mean_storage", h, k);
      program.row(
        `plane_${name}_${blocks[k].id}_${i}`,
        Number.NEGATIVE_INFINITY,
        plane.constant * share,
        [
          ...terms,
          ...storage.map(([column, part]): Term => [column, -plane.volume * part * share]),
          [flow, -plane.turbined],
          [spillage.column(h, k), -plane.spilled * share],
        ],
      );
    });
  };
  blocks.forEach((_, k) => {
    ids.forEach((id, h) => {
      if (model.study.units[h].length > 0) return;
      const terms = [...program.expression("hydro_generation", h, k)];
      power.add(system.busOfHydro[h], k, terms);
      addPlanes(h, k, String(id), terms, turbined.column(h, k));
    });
  });
  const { cells, labels } = cellsOf(builder);
  const ofCells =
    cells.length === 0
      ? undefined
      : program.family("cell_generated", {
          labels,
          blocks: blockIds,
          upper: (cell, k) =>
            canTurbine(cells[cell].plant, k) ? cells[cell].limits[stage][k].maxGenerationMw : 0,
          isThere: (cell) => planes[cells[cell].plant] !== undefined,
        });
  program.express("cell_generation", (cell, k): Term[] => {
    const { plant } = cells[cell];
    return planes[plant] === undefined
      ? [[program.familyOf("cell_turbined").column(cell, k), productivity(plant)]]
      : [[ofCells?.column(cell, k) ?? -1, 1]];
  });
  cells.forEach(({ plant, bus, share }, cell) => {
    blocks.forEach((_, k) => {
      const terms = [...program.expression("cell_generation", cell, k)];
      power.add(bus, k, terms);
      const flow = program.familyOf("cell_turbined").column(cell, k);
      addPlanes(plant, k, labels[cell], terms, flow, share);
    });
  });
  // Below planes, the plant generates what its units do.
  model.study.units.forEach((own, plant) => {
    if (own.length === 0 || planes[plant] === undefined) return;
    blocks.forEach((block, k) => {
      const parts = cells.flatMap((cell, i): Term[] =>
        cell.plant === plant ? [[ofCells?.column(i, k) ?? -1, -1]] : [],
      );
      const name = `units_generation_${ids[plant]}_${block.id}`;
      program.row(name, 0, 0, [[generated?.column(plant, k) ?? -1, 1], ...parts]);
    });
  });
  return {
    record({ hydros, hydroBusGeneration, primal }) {
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
      if (cells.length === 0) return;
      const flow = program.familyOf("cell_turbined");
      const ofCell = (cell: number, k: number) =>
        planes[cells[cell].plant] === undefined
          ? productivity(cells[cell].plant) * flow.value(primal, cell, k)
          : (ofCells?.value(primal, cell, k) ?? 0);
      hydroBusGeneration.set("generation_mw", ofCell);
      hydroBusGeneration.set("generation_mwh", (cell, k) => ofCell(cell, k) * blocks[k].hours);
    },
  };
};
