import type { GenericVariable } from "@cobre/core";
import { COST_SCALE } from "../../model.js";
import { scaled, type Term } from "../program/row-builder.js";
import type { Element } from "./element.js";
import { cellsOf } from "./unit-groups.js";

/** The quantity of the program that each variable of a constraint stands for; an exchange is a difference of two. */
const QUANTITIES: Readonly<Record<GenericVariable, readonly (readonly [string, 1 | -1])[]>> = {
  hydro_storage: [["storage", 1]],
  hydro_storage_initial: [["storage_before", 1]],
  hydro_storage_final: [["storage", 1]],
  // What lies below the minimum is in the bounds.
  hydro_useful_volume_initial: [["storage_before", 1]],
  hydro_useful_volume_final: [["storage", 1]],
  hydro_evaporation: [["evaporated", 1]],
  hydro_withdrawal: [["hydro_withdrawal", 1]],
  hydro_turbined: [["turbined", 1]],
  hydro_spillage: [["spillage", 1]],
  hydro_diversion: [["diverted", 1]],
  hydro_outflow: [["outflow", 1]],
  hydro_generation: [["hydro_generation", 1]],
  hydro_inflow: [["hydro_inflow", 1]],
  thermal_generation: [["thermal_generation", 1]],
  anticipated_decision: [["anticipated_decision", 1]],
  line_direct: [["direct_flow", 1]],
  line_reverse: [["reverse_flow", 1]],
  line_exchange: [
    ["direct_flow", 1],
    ["reverse_flow", -1],
  ],
  bus_deficit: [["bus_deficit", 1]],
  bus_excess: [["excess", 1]],
  pumping_flow: [["pumping_flow", 1]],
  pumping_power: [["pumping_power", 1]],
  contract_import: [["contract_import", 1]],
  contract_export: [["contract_export", 1]],
  non_controllable_generation: [["non_controllable_generation", 1]],
  non_controllable_curtailment: [["non_controllable_curtailment", 1]],
};

/** The quantity of the units that feed a bus, for variables that are divided by buses. */
const QUANTITIES_BY_BUS: Readonly<Record<string, string>> = {
  turbined: "cell_turbined",
  hydro_generation: "cell_generation",
};

/** The storages of a stage, where a block is named: those of its period of the water balance. */
const QUANTITIES_OF_PERIOD: Readonly<Record<string, string>> = {
  storage_before: "period_start",
  storage: "period_end",
};

/**
 * Generic constraints: sums of any variables, between bounds, in the blocks where the case makes them active. Slack, where it is allowed, adds
 * to a sum that is too small and takes from one that is too large.
 */
export const genericConstraint: Element = (builder) => {
  const { model, stage, program, blocks } = builder;
  const { constraints, rows: all } = model.study.generic;
  const rows = all[stage];
  if (rows.length === 0) return {};
  const { cells } = cellsOf(builder);
  const slack = (name: string, isThere: (row: number) => boolean) =>
    program.family(name, {
      labels: rows.map(({ constraint, block, isOfStage }) =>
        [constraints[constraint].id, ...(isOfStage ? ["stage"] : []), blocks[block].id].join("_"),
      ),
      cost: (row) => {
        const { constraint, block } = rows[row];
        const penalty = constraints[constraint].slackPenalty ?? 0;
        return (penalty * blocks[block].hours) / COST_SCALE;
      },
      kind: "generic_violation",
      isThere: (row) =>
        constraints[rows[row].constraint].slackPenalty !== undefined && isThere(row),
    });
  const shortfall = slack("generic_shortfall", (row) => Number.isFinite(rows[row].lower));
  const excess = slack("generic_excess", (row) => Number.isFinite(rows[row].upper));

  const built = rows.map(({ constraint, block, lower, upper, isOfStage }, i) => {
    const { id, terms } = constraints[constraint];
    const columns: Term[] = [
      [shortfall.column(i), 1],
      [excess.column(i), -1],
    ];
    /** The parts of the sum that are no columns. */
    const constants: (() => number)[] = [];
    for (const { coefficient, variable, entity: one, bus, block: own, scale } of terms) {
      // Units that feed one bus are the plant: it has no cells.
      const cell =
        bus === undefined ? -1 : cells.findIndex((c) => c.plant === one && c.bus === bus);
      const entity = cell < 0 ? one : cell;
      for (const [ofPlant, sign] of QUANTITIES[variable]) {
        const ofPeriod = own === undefined ? undefined : QUANTITIES_OF_PERIOD[ofPlant];
        const quantity = cell < 0 ? (ofPeriod ?? ofPlant) : QUANTITIES_BY_BUS[ofPlant];
        if (!program.hasQuantity(quantity)) continue;
        const at = own ?? block;
        const factor = coefficient * sign * (scale?.[stage]?.[block] ?? 1);
        columns.push(...scaled(program.expression(quantity, entity, at), factor));
        const constant = program.constantOf(quantity);
        if (constant !== undefined) constants.push(() => factor * constant(entity, at));
      }
    }
    const known = () => constants.reduce((sum, constant) => sum + constant(), 0);
    const name = ["generic", id, ...(isOfStage ? ["stage"] : []), blocks[block].id].join("_");
    const row = program.row(name, lower - known(), upper - known(), columns);
    return { row, lower, upper, known, isFixed: constants.length === 0 };
  });
  const changing = built.filter(({ isFixed }) => !isFixed);
  const bounds = [new Float64Array(1), new Float64Array(1)] as const;
  return {
    open({ program: opened }) {
      for (const { row, lower, upper, known } of changing) {
        const constant = known();
        bounds[0][0] = lower - constant;
        bounds[1][0] = upper - constant;
        opened.setRowBounds(row.index, ...bounds);
      }
    },
    record({ genericViolations, primal, data }) {
      const paid = (column: number) => (column < 0 ? 0 : data.cost[column] * primal[column]);
      genericViolations.set("slack_value", (row) => {
        const over = excess.value(primal, row);
        return Number.isFinite(rows[row].lower) ? shortfall.value(primal, row) - over : over;
      });
      genericViolations.set(
        "slack_cost",
        (row) => (paid(shortfall.column(row)) + paid(excess.column(row))) * COST_SCALE,
      );
    },
  };
};
