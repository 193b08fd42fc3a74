import {
  CASE_FILES,
  type Discounting,
  type GraphInput,
  type IssueCollector,
  type NodeInput,
  type Stage,
  type TransitionInput,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { unsupported } from "../unsupported.js";

/** What `policy_graph` of `stages.json` says: how stages are discounted, and what follows what. */
export interface PolicyGraph {
  readonly discounting: Discounting;
  readonly graph: GraphInput;
}

/** Reads `policy_graph`. With `nodes`, transitions are between nodes; without, from each stage to the next. */
export function readPolicyGraph(
  graph: ObjectReader,
  stages: readonly Stage[],
  issues: IssueCollector,
): PolicyGraph {
  const isCyclic = graph.choice("type", ["finite_horizon", "cyclic"]) === "cyclic";
  const annualRate = graph.number("annual_discount_rate");
  const nodes = graph.optionalList("nodes")?.map(readNode);
  const hasNodes = nodes !== undefined && nodes.length > 0;
  const overrides: { sourceStageId: number; annualRate: number }[] = [];
  const transitions = (graph.optionalList("transitions") ?? []).map((transition) => {
    const read: TransitionInput = {
      sourceId: transition.integer("source_id"),
      targetId: transition.integer("target_id"),
      probability: transition.number("probability", { min: 0, max: 1 }),
    };
    const field = "annual_discount_rate_override";
    const rate = transition.optionalNumber(field);
    if (hasNodes && transition.has(field)) {
      transition.report(field, "stands on a transition between nodes", "leave it out");
    } else if (!hasNodes && rate !== undefined) {
      overrides.push({ sourceStageId: read.sourceId, annualRate: rate });
    }
    transition.finish();
    return read;
  });
  graph.finish();
  if (!hasNodes) checkChain(transitions, stages, isCyclic, issues);
  else if (isCyclic) {
    unsupported(issues, CASE_FILES.stages, "policy_graph.nodes", "nodes in a cyclic horizon");
  }
  return {
    discounting: { annualRate, overrides },
    graph: { isCyclic, ...(hasNodes && { nodes, transitions }) },
  };
}

function readNode(entry: ObjectReader): NodeInput {
  const node = {
    id: entry.integer("id"),
    stageId: entry.integer("stage_id"),
    label: entry.has("label") ? entry.text("label") : undefined,
  };
  if (entry.has("scenario_id")) entry.cannot("scenario_id", "a node with an external scenario");
  entry.finish();
  return node;
}

/** Refuses transitions between stages that do not lead to the next one. */
function checkChain(
  transitions: readonly TransitionInput[],
  stages: readonly Stage[],
  isCyclic: boolean,
  issues: IssueCollector,
): void {
  const ids = stages.map(({ id }) => id).sort((a, b) => a - b);
  const refuse = (what: string) =>
    unsupported(issues, CASE_FILES.stages, "policy_graph.transitions", what);
  for (const { sourceId, targetId, probability } of transitions) {
    const place = ids.indexOf(sourceId);
    const isBack = isCyclic && place === ids.length - 1;
    const next = isBack ? ids[0] : ids[place + 1];
    if (place >= 0 && next !== targetId) {
      refuse(`a transition from stage ${sourceId} to ${targetId}, which is not the next`);
    }
    if (probability !== 1) {
      refuse(`a transition with probability ${probability}`);
    }
  }
}
