import type { StageTable } from "@cobre/core";
import { COST_SCALE } from "../../model.js";
import { stateOfFlow } from "../../results/codes.js";
import type { Element } from "./element.js";

/** Lines: power flows from one bus to another, in either direction, and a share of it may be lost on the way. */
export const line: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { system, lines: at, linePenalties } = model.study;
  const flow = (name: string, limit: StageTable) =>
    program.family(name, {
      labels: system.lines.map(({ id }) => id),
      blocks: blockIds,
      cost: builder.hourly((i) => linePenalties.exchangeCost.at(stage, i)),
      kind: "exchange",
      upper: (i, k) => limit.at(stage, i, k),
    });
  const direct = flow("direct_flow", at.directMw);
  const reverse = flow("reverse_flow", at.reverseMw);
  const power = program.balanceOf("power");
  system.lines.forEach(({ lossesPercent = 0 }, i) => {
    // In Cobre everything arrives.
    const arriving = model.config.compat === undefined ? 1 - lossesPercent / 100 : 1;
    blocks.forEach((_block, k) => {
      power.add(system.sourceOfLine[i], k, [
        [direct.column(i, k), -1],
        [reverse.column(i, k), arriving],
      ]);
      power.add(system.targetOfLine[i], k, [
        [direct.column(i, k), arriving],
        [reverse.column(i, k), -1],
      ]);
    });
  });
  return {
    record({ exchanges, primal, data }) {
      const { cost, columnUpper } = data;
      const there = exchanges.column("direct_flow_mw");
      const back = exchanges.column("reverse_flow_mw");
      const net = exchanges.column("net_flow_mw");
      const energy = exchanges.column("net_flow_mwh");
      const lost = exchanges.column("losses_mw");
      const lostEnergy = exchanges.column("losses_mwh");
      const costs = exchanges.column("exchange_cost");
      const states = exchanges.column("operative_state_code");
      exchanges.each((row, i, k) => {
        const [onward, backward] = [direct.column(i, k), reverse.column(i, k)];
        const percent = system.lines[i].lossesPercent ?? 0;
        there[row] = primal[onward];
        back[row] = primal[backward];
        net[row] = there[row] - back[row];
        energy[row] = net[row] * blocks[k].hours;
        lost[row] = percent > 0 ? (percent / 100) * (there[row] + back[row]) : 0;
        lostEnergy[row] = lost[row] * blocks[k].hours;
        costs[row] = cost[onward] * (there[row] + back[row]) * COST_SCALE;
        states[row] = Math.max(
          stateOfFlow(there[row], columnUpper[onward]),
          stateOfFlow(back[row], columnUpper[backward]),
        );
      });
    },
  };
};
