import type { Communicator } from "@cobre/comm";
import type { CutSelection } from "@cobre/io";
import { selectCuts } from "../cuts/select-cuts.js";
import type { CutSelectionPlugin } from "../cuts/selection/cut-selection.js";
import { StateArchive } from "../cuts/state-archive.js";
import { cutSelectionOf, type Plugins } from "../plugins.js";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/** What cut selection did with the cuts of a stage. */
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
 * bound never falls; the last one has boundary cuts at most, which belong to the case. All ranks come to the same choice.
 */
export class CutSelector<C extends Communicator> {
  /** For each stage, the states in which it ended; empty for stages that keep all of their cuts. */
  readonly archives: readonly StateArchive[];
  private readonly workspace: Workspace<C>;
  private readonly selection: CutSelection;
  private readonly method: CutSelectionPlugin | undefined;

  /** @param resumed the states of a training that is resumed, by stage */
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
    this.archives = pools.map((pool, stage) =>
      StateArchive.from(model.dimension, resumed[stage] ?? new Float64Array(0), pool),
    );
  }

  /** After a backward sweep from these trial points; returns what changed, or `undefined` if no selection was due. */
  after(iteration: number, points: TrialPoints): readonly SelectedCuts[] | undefined {
    const { pools, problems, model } = this.workspace;
    const stages = Array.from({ length: Math.max(0, model.stages - 2) }, (_, i) => i + 1);
    for (const stage of stages) {
      const offsets = Array.from({ length: points.passes }, (_, pass) =>
        points.stateOffset(pass, stage + 1),
      );
      this.archives[stage].add(pools[stage], points.values, offsets);
    }
    if (iteration % this.selection.checkFrequency !== 0) return undefined;
    return stages.map((stage) => {
      const pool = pools[stage];
      const activeBefore = pool.active;
      const archive = this.archives[stage];
      const flags = selectCuts(this.selection, this.method, pool, archive, iteration);
      let removed = 0;
      let returned = 0;
      flags.forEach((flag, slot) => {
        if (pool.isActive(slot) && flag === 0) removed++;
        if (!pool.isActive(slot) && flag === 1) returned++;
      });
      pool.select(flags);
      problems[stage].followCuts(pool);
      const activeAfter = pool.active;
      return { stage, cuts: pool.count, activeBefore, removed, returned, activeAfter };
    });
  }
}
