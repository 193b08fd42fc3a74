import type { UnitCell } from "@cobre/core";
import type { Term } from "../program/row-builder.js";
import type { Element, StageBuilder } from "./element.js";

/** The cells of all plants whose units feed several buses, with what stands for each in names. */
export function cellsOf({ model }: Pick<StageBuilder, "model">): {
  readonly cells: readonly UnitCell[];
  readonly labels: readonly string[];
} {
  const { units, system } = model.study;
  const cells = units.flat();
  const labels = cells.map(({ plant, bus }) => {
    return `${system.hydros[plant].id}_bus${system.buses[bus].id}`;
  });
  return { cells, labels };
}

/**
 * Units of hydro plants that feed several buses: a cell has a turbined flow of its own, and the plant turbines what its cells do. Water, spillage
 * and limits of the outflow are those of the plant.
 */
export const unitGroups: Element = (builder) => {
  const { program, stage, blocks, blockIds } = builder;
  const { cells, labels } = cellsOf(builder);
  if (cells.length === 0) return {};
  const turbined = program.family("cell_turbined", {
    labels,
    blocks: blockIds,
    upper: (cell, k) => cells[cell].limits[stage][k].maxTurbinedM3s,
  });
  const total = program.familyOf("turbined");
  const { hydros } = builder.model.study.system;
  builder.model.study.units.forEach((own, plant) => {
    if (own.length === 0) return;
    blocks.forEach((block, k) => {
      const parts = cells.flatMap((cell, i): Term[] =>
        cell.plant === plant ? [[turbined.column(i, k), -1]] : [],
      );
      const name = `units_${hydros[plant].id}_${block.id}`;
      program.row(name, 0, 0, [[total.column(plant, k), 1], ...parts]);
    });
  });
  return {
    record({ hydroBusGeneration, primal }) {
      hydroBusGeneration.set("turbined_m3s", (cell, k) => turbined.value(primal, cell, k));
    },
  };
};

/** The least flow and generation of the units that feed a bus. What is missing costs as much as it costs the plant. */
export const unitLimits: Element = (builder) => {
  const { model, program, stage, blocks, blockIds } = builder;
  const { cells, labels } = cellsOf(builder);
  if (cells.length === 0) return {};
  const { hydroPenalties } = model.study;
  const least = (cell: number, k: number, limit: "minTurbinedM3s" | "minGenerationMw") =>
    cells[cell].limits[stage][k][limit];
  const unturbined = program.family("cell_turbined_violation", {
    labels,
    blocks: blockIds,
    kind: "turbined_violation",
    cost: builder.hourly((cell) =>
      hydroPenalties.turbinedViolationBelowCost.at(stage, cells[cell].plant),
    ),
    isThere: (cell, k) => least(cell, k, "minTurbinedM3s") > 0,
  });
  const ungenerated = program.family("cell_generation_violation", {
    labels,
    blocks: blockIds,
    kind: "generation_violation",
    cost: builder.hourly((cell) =>
      hydroPenalties.generationViolationBelowCost.at(stage, cells[cell].plant),
    ),
    isThere: (cell, k) => least(cell, k, "minGenerationMw") > 0,
  });
  cells.forEach((_, cell) => {
    blocks.forEach((block, k) => {
      for (const [limit, quantity, slack] of [
        ["minTurbinedM3s", "cell_turbined", unturbined],
        ["minGenerationMw", "cell_generation", ungenerated],
      ] as const) {
        if (slack.column(cell, k) < 0) continue;
        const terms: Term[] = [
          ...program.expression(quantity, cell, k),
          [slack.column(cell, k), 1],
        ];
        const name = `${slack.name}_${labels[cell]}_${block.id}`;
        program.row(name, least(cell, k, limit), Number.POSITIVE_INFINITY, terms);
      }
    });
  });
  return {
    record({ hydros, primal }) {
      for (const [column, slack] of [
        ["turbined_slack_m3s", unturbined],
        ["generation_slack_mw", ungenerated],
      ] as const) {
        if (slack.isEmpty) continue;
        const values = hydros.column(column);
        hydros.each((row, plant, k) => {
          cells.forEach((cell, i) => {
            if (cell.plant === plant) values[row] += slack.value(primal, i, k);
          });
        });
      }
    },
  };
};
