import type { Communicator, SharedMemoryProvider, SharedRegion } from "@cobre/comm";
import { moveTables, type NodeGraph, type Study, studyTables, tablesLength } from "@cobre/core";
import { type Case, type Config, fillOpeningTree, openingTreeLength } from "@cobre/io";
import {
  AvailabilityModel,
  InflowModel,
  LoadModel,
  NON_NEGATIVITY,
  type NoiseLayout,
  OpeningTree,
} from "@cobre/stochastic";
import type { MultistageModel } from "./multistage-model.js";
import { type StateComponent, statesOfStudy } from "./policy/state-components.js";
import { type ReachableInflows, reachableInflows } from "./stage/reachable-inflows.js";

/** Costs in the LPs, cuts and policies of a case are in thousands of $. */
export const COST_SCALE = 1000;

/**
 * The numbers of a case. Its tables, models and opening tree lie in shared regions: one copy per machine on shm and mpi, one per
 * rank on tcp.
 *
 * The state that a stage passes to the next is [storage of each plant, past inflows lag by lag, water on its way plant by plant,
 * commitments plant by plant].
 */
export interface CaseNumbers extends Disposable {
  readonly config: Config;
  readonly study: Study;
  readonly stages: number;
  readonly graph: NodeGraph;
  readonly hydros: number;
  readonly lags: number;
  /** The number of components of a state. */
  readonly dimension: number;
  readonly components: readonly StateComponent[];
  readonly initialState: Float64Array;
  readonly inflow: InflowModel;
  readonly load: LoadModel;
  /** What non-controllable sources have available. */
  readonly availability: AvailabilityModel;
  readonly noise: NoiseLayout;
  /** The index of each bus's load in a noise vector, or -1. */
  readonly noiseOfBus: Int32Array;
  /** The index of each non-controllable source in a noise vector, or -1. */
  readonly noiseOfNonControllable: Int32Array;
  /** The openings of each node. */
  readonly tree: OpeningTree;
  /** The inflows that paths through the tree can bring. */
  readonly inflows: ReachableInflows;
  close(): void;
}

/** A case as the algorithm sees it; `shareModel` makes it. */
export interface Model extends CaseNumbers, MultistageModel {
  readonly config: Config;
  readonly study: Study;
}

/** Collective: puts the numbers of a case into shared regions. */
export function shareNumbers<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  source: Case,
): CaseNumbers {
  const { config, study, uncertainty } = source;
  const {
    inflow: ownInflow,
    load: ownLoad,
    availability: ownSources,
    layout,
    treeStages,
  } = uncertainty;
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
  const sourceValues = share(ownSources.values.length, (values) => values.set(ownSources.values));
  const treeValues = share(openingTreeLength(source), (values) => {
    fillOpeningTree(source, values);
  });
  const stageIds = study.time.stages.map(({ id }) => id);
  const busIds = study.system.buses.map(({ id }) => id);
  const sourceIds = study.system.nonControllables.map(({ id }) => id);
  const { initial: initialState, components } = statesOfStudy(study, lags);
  const inflow = new InflowModel(stages, hydros, lags, inflowValues);
  const { graph } = study.time;
  // The openings of a stage are dealt to its nodes in order, so those of a node lie together.
  const tree = new OpeningTree(
    graph.nodes.map(({ stage }) => ({
      ...treeStages[stage],
      openings: treeStages[stage].openings / graph.nodesOf(stage).length,
    })),
    layout.dimension,
    treeValues,
  );
  const close = () => {
    for (const region of regions) region.close();
  };
  return {
    config,
    study,
    stages,
    graph,
    hydros,
    lags,
    dimension: initialState.length,
    components,
    initialState,
    inflow,
    load: new LoadModel(stageIds, busIds, [], loadValues),
    availability: new AvailabilityModel(stageIds, sourceIds, [], sourceValues),
    noise: layout,
    noiseOfBus: Int32Array.from(busIds, (id) => layout.indexOf("load", id) ?? -1),
    noiseOfNonControllable: Int32Array.from(sourceIds, (id) => layout.indexOf("ncs", id) ?? -1),
    tree,
    inflows: reachableInflows(
      inflow,
      new OpeningTree(treeStages, layout.dimension, treeValues),
      initialState,
      config,
      graph.isCyclic,
    ),
    close,
    [Symbol.dispose]: close,
  };
}

/** Whether the LP has slack columns that raise negative inflows, at a penalty. */
export function hasInflowSlack(config: Config): boolean {
  return NON_NEGATIVITY[config.inflowNonNegativity.method].hasSlack;
}
