/** The inner door: what tests and benchmarks need beyond the public one. No published package opens it. */
export { CutRows } from "./cuts/cut-rows.js";
export { Deal } from "./distribution/deal.js";
export { Exchange } from "./distribution/exchange.js";
export { SharedCutMemory } from "./distribution/shared-cut-memory.js";
export { type Model, shareModel } from "./model.js";
export { operativeState, storageBinding } from "./results/codes.js";
export { ResultTable } from "./results/result-table.js";
export { ScenarioRecord } from "./results/scenario-record.js";
export { runScenario } from "./simulation/scenario.js";
export { buildStage } from "./stage/build-stage.js";
export { coefficientRanges } from "./stage/coefficient-ranges.js";
export { lowestCost, lowestTerminalValue } from "./stage/cost-floors.js";
export { bus } from "./stage/elements/bus.js";
export { diversion } from "./stage/elements/diversion.js";
export { type Element, StageBuilder } from "./stage/elements/element.js";
export { evaporation } from "./stage/elements/evaporation.js";
export { futureCost } from "./stage/elements/future-cost.js";
export { hydro } from "./stage/elements/hydro.js";
export { hydroLimits } from "./stage/elements/hydro-limits.js";
export { inflow } from "./stage/elements/inflow.js";
export { inflowSlack } from "./stage/elements/inflow-slack.js";
export { line } from "./stage/elements/line.js";
export { load } from "./stage/elements/load.js";
export { production } from "./stage/elements/production.js";
export { reservoir } from "./stage/elements/reservoir.js";
export { storageMinimum } from "./stage/elements/storage-minimum.js";
export { thermal } from "./stage/elements/thermal.js";
export { withdrawal } from "./stage/elements/withdrawal.js";
export { ProgramBuilder } from "./stage/program/program-builder.js";
export { RowBuilder } from "./stage/program/row-builder.js";
export { reachableInflows } from "./stage/reachable-inflows.js";
export { SolveStatistics } from "./stage/solve-statistics.js";
export { StageProblem } from "./stage/stage-problem.js";
export { truncatedSlope } from "./stage/truncated-slope.js";
export {
  isSameRule,
  isStalling,
  type Progress,
  rulesHolding,
  rulesHoldingStill,
  whichStops,
} from "./stopping/rules.js";
export { OpeningGroups } from "./training/opening-groups.js";
export { largestOpeningCosts } from "./training/openings.js";
export { finiteCost } from "./training/statistics.js";
export { Workspace } from "./training/workspace.js";
