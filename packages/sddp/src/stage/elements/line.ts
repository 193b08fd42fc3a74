import type { StageTable } from "@cobre/core";
import { COST_SCALE } from "../../model.js";
import { operativeState } from "../../results/codes.js";
import type { Element } from "./element.js";

/** Lines: power flows from one bus to another, in either direction. */
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
  system.lines.forEach((_, i) => {
    blocks.forEach((_block, k) => {
      power.add(system.sourceOfLine[i], k, [
        [direct.column(i, k), -1],
        [reverse.column(i, k), 1],
      ]);
      power.add(system.targetOfLine[i], k, [
        [direct.column(i, k), 1],
        [reverse.column(i, k), -1],
      ]);
    });
  });
  return {
    record({ exchanges, primal, data }) {
      const { cost, columnUpper } = data;
      const there = (i: number, k: number) => direct.value(primal, i, k);
      const back = (i: number, k: number) => reverse.value(primal, i, k);
      exchanges.set("direct_flow_mw", there);
      exchanges.set("reverse_flow_mw", back);
      exchanges.set("net_flow_mw", (i, k) => there(i, k) - back(i, k));
      exchanges.set("net_flow_mwh", (i, k) => (there(i, k) - back(i, k)) * blocks[k].hours);
      const lost = (i: number, k: number) => {
        const percent = system.lines[i].lossesPercent ?? 0;
        return percent > 0 ? (percent / 100) * (there(i, k) + back(i, k)) : 0;
      };
      exchanges.set("losses_mw", lost);
      exchanges.set("losses_mwh", (i, k) => lost(i, k) * blocks[k].hours);
      exchanges.set(
        "exchange_cost",
        (i, k) => cost[direct.column(i, k)] * (there(i, k) + back(i, k)) * COST_SCALE,
      );
      exchanges.set("operative_state_code", (i, k) =>
        operativeState(
          [there(i, k), back(i, k)],
          [columnUpper[direct.column(i, k)], columnUpper[reverse.column(i, k)]],
        ),
      );
    },
  };
};
