/** The inner door: what tests and benchmarks need beyond the public one. No published package opens it. */
export { formatsWith } from "./case-format.js";
export { CutRows } from "./cuts/cut-rows.js";
export { HeightKernel } from "./cuts/height-kernel.js";
export { HeightsInParts } from "./cuts/heights-in-parts.js";
export { type DemandRules, RowsOnDemand } from "./cuts/rows-on-demand.js";
export { selectCuts } from "./cuts/select-cuts.js";
export { StateArchive } from "./cuts/state-archive.js";
export { Deal } from "./distribution/deal.js";
export { Exchange } from "./distribution/exchange.js";
export { ranksByText } from "./distribution/ranks-by-text.js";
export { SharedCutMemory } from "./distribution/shared-cut-memory.js";
export { SnakeDeal } from "./distribution/snake-deal.js";
export { WorkBoard } from "./distribution/work-board.js";
export type { Model } from "./model.js";
export { openModel } from "./open-model.js";
export { cutSelectionOf, stoppingRuleOf } from "./plugins.js";
export { boundaryPool } from "./policy/boundary.js";
export {
  checkBases,
  checkResumable,
  checkStates,
  continuedOrigin,
  nodesWithOtherBases,
} from "./policy/compatibility.js";
export { caseFingerprints, originOf } from "./policy/fingerprint.js";
export { stagesWithOtherFutures } from "./policy/fingerprint-futures.js";
export { startedWarm } from "./policy/policy.js";
export { policyNodes } from "./policy/policy-nodes.js";
export {
  describeComponent,
  pricingDates,
  stateComponents,
  statesOfStudy,
} from "./policy/state-components.js";
export { stateOfFlow, storageBinding } from "./results/codes.js";
export { ResultTable } from "./results/result-table.js";
export { ScenarioRecord } from "./results/scenario-record.js";
export { shareModel } from "./share-model.js";
export { runScenario } from "./simulation/scenario.js";
export { meanStageCosts, scenarioCosts } from "./simulation/stage-costs.js";
export { withRoomFor } from "./solver-room.js";
export { buildStage } from "./stage/build-stage.js";
export { coefficientPlace } from "./stage/coefficient-places.js";
export { coefficientRanges } from "./stage/coefficient-ranges.js";
export { lowestCost, lowestTerminalValue } from "./stage/cost-floors.js";
export { bus } from "./stage/elements/bus.js";
export { commitment } from "./stage/elements/commitment.js";
export { diversion } from "./stage/elements/diversion.js";
export { type Element, StageBuilder } from "./stage/elements/element.js";
export { energy } from "./stage/elements/energy.js";
export { energyContract } from "./stage/elements/energy-contract.js";
export { evaporation } from "./stage/elements/evaporation.js";
export { fillingTarget } from "./stage/elements/filling-target.js";
export { futureCost } from "./stage/elements/future-cost.js";
export { genericConstraint } from "./stage/elements/generic-constraint.js";
export { hydro } from "./stage/elements/hydro.js";
export { hydroLimits } from "./stage/elements/hydro-limits.js";
export { ELEMENTS } from "./stage/elements/index.js";
export { inflow } from "./stage/elements/inflow.js";
export { inflowSlack } from "./stage/elements/inflow-slack.js";
export { line } from "./stage/elements/line.js";
export { load } from "./stage/elements/load.js";
export { nonControllable } from "./stage/elements/non-controllable.js";
export { production } from "./stage/elements/production.js";
export { pumpingStation } from "./stage/elements/pumping-station.js";
export { reservoir } from "./stage/elements/reservoir.js";
export { storageMinimum } from "./stage/elements/storage-minimum.js";
export { thermal } from "./stage/elements/thermal.js";
export { travelTime } from "./stage/elements/travel-time.js";
export { unitGroups, unitLimits } from "./stage/elements/unit-groups.js";
export { withdrawal } from "./stage/elements/withdrawal.js";
export { FamilyCollector, familyOf } from "./stage/family-coefficients.js";
export { NodeFloors } from "./stage/node-floors.js";
export { ProgramBuilder } from "./stage/program/program-builder.js";
export { RowBuilder } from "./stage/program/row-builder.js";
export { reachableInflows } from "./stage/reachable-inflows.js";
export { SolveStatistics, stagesOfNodes } from "./stage/solve-statistics.js";
export { StageProblem } from "./stage/stage-problem.js";
export { truncatedSlope } from "./stage/truncated-slope.js";
export { isStalling } from "./stopping/stalling.js";
export { isSameRule, StoppingRules } from "./stopping/stopping-rules.js";
export { OpeningGroups } from "./training/opening-groups.js";
export { openingOrder } from "./training/opening-order.js";
export { largestOpeningCosts } from "./training/openings.js";
export { RankMeasures } from "./training/rank-measures.js";
export { finiteCost } from "./training/statistics.js";
export { Workspace } from "./training/workspace.js";
