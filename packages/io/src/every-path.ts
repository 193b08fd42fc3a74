import type { NodeGraph } from "@cobre/core";
import type { Config } from "./files/config.js";

/**
 * The configuration with the number of paths where every one is walked: a tree has as many as nodes of the last stage.
 *
 * @example
 * ```ts
 * const { training, simulation } = withEveryPath(config, study.time.graph);
 * ```
 */
export function withEveryPath(config: Config, graph: NodeGraph): Config {
  const { training, simulation } = config;
  const paths = graph.nodesOf(graph.stages - 1).length;
  return {
    ...config,
    ...(training.isEnumerated && { training: { ...training, forwardPasses: paths } }),
    ...(simulation.isEnumerated && { simulation: { ...simulation, scenarios: paths } }),
  };
}
