import { CONTRACT_TYPE } from "@cobre/io";
import { COST_SCALE } from "../../model.js";
import { stateOfFlow } from "../../results/codes.js";
import type { Term } from "../program/row-builder.js";
import type { Element } from "./element.js";

/** Energy contracts: power that is bought at a bus or sold there, at a price, between two limits. */
export const energyContract: Element = (builder) => {
  const { model, stage, program, blocks, blockIds } = builder;
  const { system, contracts: at } = model.study;
  const contracts = system.energyContracts;
  if (contracts.length === 0) return {};
  const traded = program.family("contract", {
    labels: contracts.map(({ id }) => id),
    blocks: blockIds,
    cost: builder.hourly((contract, k) => at.pricePerMwh.at(stage, contract, k)),
    kind: "contract",
    lower: (contract, k) => at.minMw.at(stage, contract, k),
    upper: (contract, k) => at.maxMw.at(stage, contract, k),
  });
  const ofType =
    (type: "import" | "export") =>
    (contract: number, k: number): Term[] =>
      contracts[contract].type === type ? [[traded.column(contract, k), 1]] : [];
  program.express("contract_import", ofType("import"));
  program.express("contract_export", ofType("export"));
  const power = program.balanceOf("power");
  contracts.forEach(({ type }, contract) => {
    blocks.forEach((_, k) => {
      const sign = type === "import" ? 1 : -1;
      power.add(system.busOfContract[contract], k, [[traded.column(contract, k), sign]]);
    });
  });
  return {
    record({ contracts: table, primal, data }) {
      const { cost, columnUpper } = data;
      const value = (contract: number, k: number) => traded.value(primal, contract, k);
      table.set("power_mw", value);
      table.set("energy_mwh", (contract, k) => value(contract, k) * blocks[k].hours);
      table.set("price_per_mwh", (contract, k) => at.pricePerMwh.at(stage, contract, k));
      table.set(
        "total_cost",
        (contract, k) => cost[traded.column(contract, k)] * value(contract, k) * COST_SCALE,
      );
      table.set("operative_state_code", (contract, k) =>
        stateOfFlow(value(contract, k), columnUpper[traded.column(contract, k)]),
      );
      table.set("contract_type_code", (contract) => CONTRACT_TYPE[contracts[contract].type]);
    },
  };
};
