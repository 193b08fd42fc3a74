import type { Communicator, SharedMemoryProvider, SharedRegion } from "@cobre/comm";
import { moveTables, studyTables, tablesLength } from "@cobre/core";
import { type Case, fillOpeningTree, openingTreeLength } from "@cobre/io";
import { InflowModel, LoadModel, OpeningTree } from "@cobre/stochastic";
import { COST_SCALE, type Model } from "./model.js";
import { caseFingerprints } from "./policy/fingerprint.js";
import { pricingDates, stateComponents } from "./policy/state-components.js";
import { blankTables } from "./results/blank-tables.js";
import { ScenarioRecord } from "./results/scenario-record.js";
import { buildStage } from "./stage/build-stage.js";
import { lowestCost, lowestTerminalValue } from "./stage/cost-floors.js";
import { reachableInflows } from "./stage/reachable-inflows.js";

/** Collective: puts the numbers of a case into shared regions. */
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
  const hydroIds = study.system.hydros.map(({ id }) => id);
  const stageIds = study.time.stages.map(({ id }) => id);
  const busIds = study.system.buses.map(({ id }) => id);
  const initialState = new Float64Array(hydros * (1 + lags));
  initialState.set(study.initialConditions.storageHm3);
  for (let h = 0; h < hydros; h++) {
    const past = study.initialConditions.pastInflowsM3s[h];
    for (let lag = 0; lag < lags; lag++) initialState[hydros * (1 + lag) + h] = past[lag] ?? 0;
  }
  const inflow = new InflowModel(stages, hydros, lags, inflowValues);
  const tree = new OpeningTree(treeStages, layout.dimension, treeValues);
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
    inflow,
    load: new LoadModel(stageIds, busIds, [], loadValues),
    noise: layout,
    noiseOfBus: Int32Array.from(busIds, (id) => layout.indexOf("load", id) ?? -1),
    tree,
    inflows: reachableInflows(inflow, tree, initialState, config),
    costScale: COST_SCALE,
    sign: 1,
    states: {
      hydroIds,
      lags,
      stageIds,
      components: stateComponents(hydroIds, lags),
      pricedAt: pricingDates(study),
    },
    buildStage(stage, floor) {
      return buildStage(this, stage, floor);
    },
    lowestCost: (_stage, { data }) => lowestCost(data),
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
    close,
    [Symbol.dispose]: close,
  };
}
