import type { Communicator } from "@cobre/comm";
import type { CutSelection } from "@cobre/io";
import { selectCuts } from "../cuts/select-cuts.js";
import type { CutSelectionPlugin } from "../cuts/selection/cut-selection.js";
import { StateArchive } from "../cuts/state-archive.js";
import { cutSelectionOf, type Plugins } from "../plugins.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/** What cut selection did with the cuts of a stage, in all of its nodes together. */
export interface SelectedCuts {
  readonly stage: number;
  readonly cuts: number;
  readonly activeBefore: number;
  readonly removed: number;
  /** Cuts that had been taken out before. */
  readonly returned: number;
  readonly activeAfter: number;
}

/**
 * Takes cuts out of the programs that are not needed there, and puts them back when they are. The first stage keeps all of its cuts, so that the lower
 * bound never falls; a stage that nothing follows has boundary cuts at most, which belong to the case. All ranks come to the same choice.
 */
export class CutSelector<C extends Communicator> {
  /** For each node, the states in which it ended; empty for nodes that keep all of their cuts. */
  readonly archives: readonly StateArchive[];
  private readonly workspace: Workspace<C>;
  private readonly selection: CutSelection;
  private readonly method: CutSelectionPlugin | undefined;

  /** @param resumed the states of a training that is resumed, by node */
  constructor(
    workspace: Workspace<C>,
    selection: CutSelection,
    plugins: Plugins,
    resumed: readonly Float64Array[] = [],
  ) {
    this.workspace = workspace;
    this.selection = selection;
    const { method } = selection;
    this.method = method === undefined ? undefined : cutSelectionOf(method, plugins);
    const { pools, model } = workspace;
    this.archives = pools.map((pool, node) =>
      StateArchive.from(model.dimension, resumed[node] ?? new Float64Array(0), pool),
    );
  }

  /** After a backward sweep from these trial points; returns what changed, or `undefined` if no selection was due. */
  after(iteration: number, points: TrialPoints): readonly SelectedCuts[] | undefined {
    const { workspace } = this;
    const { pools, model } = workspace;
    const { nodes } = model.graph;
    const selected = Array.from(nodes.keys()).filter(
      (node) => nodes[node].stage > 0 && nodes[node].children.length > 0,
    );
    for (const node of selected) {
      const offsets: number[] = [];
      for (let place = nodes[node].stage; place < points.places; place += model.stages) {
        for (const pass of workspace.passesWithCuts(points, place)) {
          if (points.node(pass, place) === node) offsets.push(points.stateOffset(pass, place + 1));
        }
      }
      this.archives[node].add(pools[node], points.values, offsets);
    }
    if (iteration % this.selection.checkFrequency !== 0) return undefined;
    const byStage = new Map<number, SelectedCuts>();
    for (const node of selected) {
      const one = this.selectFrom(node, iteration);
      byStage.set(one.stage, together(byStage.get(one.stage), one));
    }
    return [...byStage.values()];
  }

  private selectFrom(node: number, iteration: number): SelectedCuts {
    const { pools, problems } = this.workspace;
    const pool = pools[node];
    const activeBefore = pool.active;
    const archive = this.archives[node];
    const flags = selectCuts(this.selection, this.method, pool, archive, iteration);
    let removed = 0;
    let returned = 0;
    flags.forEach((flag, slot) => {
      if (pool.isActive(slot) && flag === 0) removed++;
      if (!pool.isActive(slot) && flag === 1) returned++;
    });
    pool.select(flags);
    problems[node].followCuts(pool);
    const { stage } = problems[node];
    const activeAfter = pool.active;
    return { stage, cuts: pool.count, activeBefore, removed, returned, activeAfter };
  }
}

function together(before: SelectedCuts | undefined, one: SelectedCuts): SelectedCuts {
  if (before === undefined) return one;
  return {
    stage: one.stage,
    cuts: before.cuts + one.cuts,
    activeBefore: before.activeBefore + one.activeBefore,
    removed: before.removed + one.removed,
    returned: before.returned + one.returned,
    activeAfter: before.activeAfter + one.activeAfter,
  };
}
