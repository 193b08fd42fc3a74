import type { Communicator, SharedMemoryProvider, SharedRegion } from "@cobre/comm";
import { moveTables, type Study, studyTables, tablesLength } from "@cobre/core";
import { type Case, type Config, fillOpeningTree, openingTreeLength } from "@cobre/io";
import {
  InflowModel,
  LoadModel,
  NON_NEGATIVITY,
  type NoiseLayout,
  OpeningTree,
} from "@cobre/stochastic";

/** Costs in the LPs, cuts and policies are in thousands of $. */
export const COST_SCALE = 1000;

/**
 * A case as the algorithm sees it. Its tables, models and opening tree lie in shared regions: one copy per machine.
 *
 * The state that stages hand on is [storage of each plant, then the inflows of the past, lag by lag].
 */
export interface Model extends Disposable {
  readonly config: Config;
  readonly study: Study;
  readonly stages: number;
  readonly hydros: number;
  readonly lags: number;
  /** How many numbers a state has. */
  readonly dimension: number;
  readonly initialState: Float64Array;
  readonly inflow: InflowModel;
  readonly load: LoadModel;
  readonly noise: NoiseLayout;
  /** Where the noise of each bus's load is in a noise vector, or -1. */
  readonly noiseOfBus: Int32Array;
  readonly tree: OpeningTree;
  /** Of each stage: what the costs of all later ones cannot be below, in thousands of $. */
  readonly futureCostFloor: Float64Array;
  close(): void;
}

/** Collective: puts the numbers of a case where all ranks of a machine can read them. */
export function shareModel<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  source: Case,
): Model {
  const { config, study, uncertainty } = source;
  const { inflow: ownInflow, load: ownLoad, layout, treeStages } = uncertainty;
  const regions: SharedRegion<Float64Array>[] = [];
  const share = (length: number, fill: (values: Float64Array) => void): Float64Array => {
    const region = comm.createSharedRegion(Float64Array, length);
    regions.push(region);
    const values = region.asMutSlice();
    if (comm.isLeader) fill(values);
    region.fence();
    return values;
  };
  const tables = studyTables(study);
  const moved = share(tablesLength(tables), (values) => moveTables(tables, values, true));
  if (!comm.isLeader) moveTables(tables, moved, false);
  const { stages, hydros, lags } = ownInflow;
  const inflowValues = share(ownInflow.values.length, (values) => values.set(ownInflow.values));
  const loadValues = share(ownLoad.values.length, (values) => values.set(ownLoad.values));
  const treeValues = share(openingTreeLength(source), (values) => {
    fillOpeningTree(source, values);
  });
  const stageIds = study.time.stages.map(({ id }) => id);
  const busIds = study.system.buses.map(({ id }) => id);
  const initialState = new Float64Array(hydros * (1 + lags));
  initialState.set(study.initialConditions.storageHm3);
  for (let h = 0; h < hydros; h++) {
    const past = study.initialConditions.pastInflowsM3s[h];
    for (let lag = 0; lag < lags; lag++) initialState[hydros * (1 + lag) + h] = past[lag] ?? 0;
  }
  const close = () => {
    for (const region of regions) region.close();
  };
  return {
    config,
    study,
    stages,
    hydros,
    lags,
    dimension: initialState.length,
    initialState,
    inflow: new InflowModel(stages, hydros, lags, inflowValues),
    load: new LoadModel(stageIds, busIds, [], loadValues),
    noise: layout,
    noiseOfBus: Int32Array.from(busIds, (id) => layout.indexOf("load", id) ?? -1),
    tree: new OpeningTree(treeStages, layout.dimension, treeValues),
    futureCostFloor: floorFutureCosts(study),
    close,
    [Symbol.dispose]: close,
  };
}

/** What the LP may add to inflows that are negative, if it may. */
export function hasInflowSlack(config: Config): boolean {
  return NON_NEGATIVITY[config.inflowNonNegativity.method].hasSlack;
}

/**
 * Only generation of thermals can have a cost below 0, and it is limited. The floor of a stage is that of the next one's own cost,
 * plus its floor, discounted.
 */
function floorFutureCosts({ thermals, time }: Study): Float64Array {
  const stages = time.stages.length;
  const floors = new Float64Array(stages);
  const plants = thermals.costPerMwh.values.length / stages;
  for (let stage = stages - 1; stage > 0; stage--) {
    const hours = time.stages[stage].blocks.reduce((sum, block) => sum + block.hours, 0);
    let own = 0;
    for (let plant = 0; plant < plants; plant++) {
      const cost = thermals.costPerMwh.at(stage, plant);
      if (cost < 0) own += (cost * thermals.maxGenerationMw.at(stage, plant) * hours) / COST_SCALE;
    }
    floors[stage - 1] = own + time.discount[stage] * floors[stage];
  }
  return floors;
}
