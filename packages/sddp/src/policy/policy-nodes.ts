import type { NodeGraph } from "@cobre/core";
import type { MultistageModel } from "../multistage-model.js";
import type { PolicyStates } from "./policy.js";

/** What a policy says of its graph. Nothing for a chain from the first stage to the last. */
export function policyNodes(graph: NodeGraph): Pick<PolicyStates, "nodes" | "isCyclic"> {
  const nodes = graph.nodes.map(({ id, label, stage }) => ({
    id,
    ...(label !== undefined && { label }),
    stage,
  }));
  return {
    ...(!graph.isChain && { nodes }),
    ...(graph.isCyclic && { isCyclic: true }),
  };
}

/** What a graph adds to the settings that are hashed. Nothing for a chain, so that policies from before there were graphs can be resumed. */
export function graphSettings({
  graph,
  config,
}: Pick<MultistageModel, "graph" | "config">): object {
  const { isEnumerated = false } = config.training;
  return {
    ...((!graph.isChain || graph.isCyclic) && { graph: graphNumbers(graph) }),
    ...(isEnumerated && { isEnumerated }),
  };
}

/** A graph without its labels, which change nothing. */
export function graphNumbers({ nodes, roots }: NodeGraph): object {
  return { nodes: nodes.map(({ id, stage, children }) => ({ id, stage, children })), roots };
}
