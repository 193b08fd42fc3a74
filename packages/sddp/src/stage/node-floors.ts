import type { CutPool } from "../cuts/cut-pool.js";
import type { MultistageModel } from "../multistage-model.js";
import type { StageProgram } from "./program/stage-program.js";

/**
 * For each node a cost that everything after it cannot fall below, from which θ starts. It follows from the programs of the nodes that may
 * follow, so the last nodes are asked for and added first.
 */
export class NodeFloors {
  private readonly model: MultistageModel;
  private readonly pools: readonly CutPool[];
  /** Of each node that was added, a cost that it and what follows cannot fall below. */
  private readonly lowest: number[] = [];
  private readonly afterCycle: number | undefined;

  constructor(model: MultistageModel, pools: readonly CutPool[]) {
    this.model = model;
    this.pools = pools;
    if (model.graph.isCyclic) this.afterCycle = lowestOfCycles(model);
  }

  /** The floor of what follows a node; `undefined` if nothing does. Boundary cuts are what follows the last stage. */
  behind(node: number): number | undefined {
    const { model, pools, lowest } = this;
    const { stage, children } = model.graph.nodes[node];
    if (stage === model.stages - 1 && this.afterCycle !== undefined) return this.afterCycle;
    if (children.length > 0) return Math.min(...children.map((child) => lowest[child.node]));
    return pools[node].count > 0 ? model.lowestTerminalValue(pools[node]) : undefined;
  }

  add(node: number, program: StageProgram): void {
    this.lowest[node] = this.model.lowestCost(node, program);
  }
}

/**
 * A cost that an endless number of cycles cannot fall below. A cycle with the floor f behind it costs at least a + d f, where d is its discount: the
 * floor with f = a + d f is that of all of them.
 */
function lowestOfCycles(model: MultistageModel): number {
  const { discount } = model.study.time;
  let lowest = 0;
  let worth = 1;
  for (let stage = model.stages - 1; stage >= 0; stage--) {
    lowest = model.lowestCost(stage, model.buildStage(stage, lowest).lp);
    worth *= discount[stage];
  }
  return lowest / (1 - worth);
}
