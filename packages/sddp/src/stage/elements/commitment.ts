import { COST_SCALE } from "../../model.js";
import type { Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/**
 * Thermal plants that are committed ahead of time. What they are committed to is part of the state, by plant and by how many stages ahead they
 * deliver. A decision has the limits and the cost of its delivery. In the stage of the delivery, the mean generation is what was decided.
 */
export const commitment: Element = (builder) => {
  const { model, stage, program, blocks } = builder;
  const { system, commitments } = model.study;
  const { states } = commitments;
  if (states.length === 0) return {};
  const labels = states.map(({ plant, ahead }) => `${system.thermals[plant].id}_ahead${ahead}`);
  const decisions = states.map(({ plant, ahead }) =>
    commitments.decisions[stage][plant].find((decision) => decision.ahead === ahead),
  );
  const indexOf = (plant: number, ahead: number) =>
    states.findIndex((state) => state.plant === plant && state.ahead === ahead);
  /** What was decided before comes one stage nearer. */
  const nearer = states.map(({ plant, ahead }) =>
    commitments.carried[stage][plant].includes(ahead) ? indexOf(plant, ahead + 1) : -1,
  );
  // A column of what is not decided yet is fixed at 0.
  const decided = program.family("commitment", {
    labels,
    cost: (i) => (decisions[i]?.cost ?? 0) / COST_SCALE,
    kind: "thermal",
    lower: (i) => decisions[i]?.minMw ?? 0,
    upper: (i) => decisions[i]?.maxMw ?? 0,
    isThere: (i) => nearer[i] < 0,
  });
  const before = program.state("commitment", {
    labels,
    outgoing: (i) => (nearer[i] < 0 ? decided.column(i) : before.column(nearer[i])),
  });
  /** The columns in which a plant decides, in this stage. */
  const made = (plant: number) =>
    states.flatMap((state, i) =>
      state.plant === plant && decisions[i] !== undefined ? [decided.column(i)] : [],
    );
  program.express("anticipated_decision", (plant) =>
    made(plant).map((column): Term => [column, 1]),
  );
  const generation = program.familyOf("thermal_generation");
  let hours = 0;
  for (const block of blocks) hours += block.hours;
  commitments.isDelivery[stage].forEach((isDelivery, plant) => {
    if (!isDelivery) return;
    const energy = blocks.map((block, k): Term => [generation.column(plant, k), block.hours]);
    const committed: Term = [before.column(indexOf(plant, 1)), -hours];
    program.row(`delivery_${system.thermals[plant].id}`, 0, 0, [...energy, committed]);
  });
  return {
    record({ thermals, commitments: table, primal, incoming, data }) {
      const isCommitted = (plant: number) => commitments.depth[plant] > 0;
      const flags = thermals.column("is_gnl");
      const committed = thermals.column("gnl_committed_mw");
      const now = thermals.column("gnl_decision_mw");
      const costs = thermals.column("generation_cost");
      thermals.each((row, plant, k) => {
        if (!isCommitted(plant)) return;
        flags[row] = 1;
        if (commitments.isDelivery[stage][plant]) {
          committed[row] = incoming[before.state + indexOf(plant, 1)];
        }
        const columns = made(plant);
        if (columns.length === 0) return;
        let [sum, cost] = [0, 0];
        for (const column of columns) {
          sum += primal[column];
          cost += data.cost[column] * primal[column];
        }
        now[row] = sum;
        costs[row] += ((cost * blocks[k].hours) / hours) * COST_SCALE;
      });
      table.set("commitment_mw", (i) =>
        nearer[i] < 0 ? decided.value(primal, i) : incoming[before.state + nearer[i]],
      );
    },
  };
};
