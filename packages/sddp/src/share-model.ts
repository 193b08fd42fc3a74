import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { COST_SCALE, type Model, shareNumbers } from "./model.js";
import { caseFingerprints } from "./policy/fingerprint.js";
import { policyNodes } from "./policy/policy-nodes.js";
import { pricingDates } from "./policy/state-components.js";
import { blankTables } from "./results/blank-tables.js";
import { ScenarioRecord } from "./results/scenario-record.js";
import { buildStage } from "./stage/build-stage.js";
import { lowestCost, lowestTerminalValue } from "./stage/cost-floors.js";

/** Collective: a case as the algorithm sees it, with its numbers in shared regions. */
export function shareModel<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  source: Case,
): Model {
  const numbers = shareNumbers(comm, source);
  const { study, lags } = numbers;
  const hydroIds = study.system.hydros.map(({ id }) => id);
  return {
    ...numbers,
    costScale: COST_SCALE,
    sign: 1,
    states: {
      hydroIds,
      lags,
      stageIds: study.time.stages.map(({ id }) => id),
      components: numbers.components,
      pricedAt: pricingDates(study),
      ...policyNodes(numbers.graph),
    },
    buildStage(node, floor) {
      return buildStage(this, this.graph.nodes[node].stage, floor);
    },
    lowestCost: (_node, { data }) => lowestCost(data),
    lowestTerminalValue(pool) {
      return lowestTerminalValue(this, pool);
    },
    fingerprints(problems, boundary) {
      return caseFingerprints(this, problems, boundary);
    },
    recorder() {
      const blank = blankTables(this);
      return () => new ScenarioRecord(this, blank);
    },
  };
}
