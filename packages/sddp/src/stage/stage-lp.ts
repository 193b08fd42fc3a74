/**
 * The linear program of a stage.
 *
 * What is known when the stage is solved enters as fixed columns: the storage at its start, the inflows of the past and the inflow
 * of the stage itself. Their reduced costs are the derivatives of the cost, so no row is needed to fix them. In the names below, h is a
 * hydro plant and k a block; a table [h · blocks + k] has -1 where a column is not needed.
 */
import type { LpData } from "@cobre/solver";
import { COST_SCALE, hasInflowSlack, type Model } from "../model.js";
import { LpBuilder } from "./lp-builder.js";

/** What a column's cost is for. */
export const COST_KINDS = [
  "none",
  "thermal",
  "deficit",
  "excess",
  "exchange",
  "spillage",
  "outflow_violation_below",
  "outflow_violation_above",
  "turbined_violation",
  "generation_violation",
  "inflow_penalty",
] as const;
export type CostKind = (typeof COST_KINDS)[number];

/** Where everything is in the program of a stage. */
export interface StageLp {
  readonly data: LpData;
  readonly blocks: number;
  readonly storage: number;
  /** The first fixed column; storage, past inflows and inflow follow each other. */
  readonly fixed: number;
  /** The inflow of each plant, first of them. */
  readonly inflow: number;
  readonly theta: number;
  /** The column that holds each component of the outgoing state. */
  readonly outgoing: Int32Array;
  readonly turbined: Int32Array;
  readonly spillage: Int32Array;
  readonly outflowBelow: Int32Array;
  readonly outflowAbove: Int32Array;
  readonly turbinedBelow: Int32Array;
  readonly generationBelow: Int32Array;
  /** Of each plant. */
  readonly inflowSlack: Int32Array;
  /** [thermal · blocks + k] */
  readonly thermal: Int32Array;
  /** [line · blocks + k] */
  readonly direct: Int32Array;
  readonly reverse: Int32Array;
  /** Of each bus: [segment · blocks + k] */
  readonly deficit: readonly Int32Array[];
  /** [bus · blocks + k] */
  readonly excess: Int32Array;
  /** The first rows of the water balances [h] and of the power balances [bus · blocks + k]. */
  readonly water: number;
  readonly power: number;
  /** What each column's cost is for, as an index of {@link COST_KINDS}. */
  readonly costKind: Uint8Array;
}

/** Builds the program of a stage, without cuts. */
export function buildStageLp(model: Model, stage: number, hasFuture: boolean): StageLp {
  const { study, hydros, lags, config } = model;
  const { system, time } = study;
  const { blocks } = time.stages[stage];
  const volumes = time.blockVolumes[stage];
  const K = blocks.length;
  const hours = blocks.map((block) => block.hours);
  const stageHours = hours.reduce((sum, value) => sum + value, 0);
  const lp = new LpBuilder();
  const kinds: number[] = [];
  const column = (kind: CostKind, cost: number, lower?: number, upper?: number): number => {
    kinds.push(COST_KINDS.indexOf(kind));
    return lp.column(cost, lower, upper);
  };
  /** One column for each entity and block, with a cost per hour; -1 where `isThere` says no. */
  const perBlock = (
    kind: CostKind,
    count: number,
    cost: (entity: number) => number,
    upper: (entity: number) => number = () => Number.POSITIVE_INFINITY,
    isThere: (entity: number) => boolean = () => true,
    lower: (entity: number) => number = () => 0,
  ): Int32Array => {
    const columns = new Int32Array(count * K).fill(-1);
    for (let entity = 0; entity < count; entity++) {
      if (!isThere(entity)) continue;
      for (let k = 0; k < K; k++) {
        const hourly = (cost(entity) * hours[k]) / COST_SCALE;
        columns[entity * K + k] = column(kind, hourly, lower(entity), upper(entity));
      }
    }
    return columns;
  };

  const at = study.hydros;
  const storage = lp.columns;
  for (let h = 0; h < hydros; h++) {
    column("none", 0, at.minStorageHm3.at(stage, h), at.maxStorageHm3.at(stage, h));
  }
  const fixed = lp.columns;
  for (let i = 0; i < hydros * (2 + lags); i++) column("none", 0, 0, 0);
  const inflow = fixed + hydros * (1 + lags);
  const floor = hasFuture ? futureFloor(model, stage) : 0;
  const theta = column("none", time.discount[stage], floor, hasFuture ? undefined : 0);

  const penalty = study.hydroPenalties;
  const productivity = (h: number) => system.hydros[h].productivityMwPerM3s;
  const turbined = perBlock(
    "none",
    hydros,
    () => 0,
    (h) => {
      const limit = at.maxTurbinedM3s.at(stage, h);
      return productivity(h) > 0
        ? Math.min(limit, at.maxGenerationMw.at(stage, h) / productivity(h))
        : limit;
    },
  );
  const spillage = perBlock("spillage", hydros, (h) => penalty.spillageCost.at(stage, h));
  const slack = (
    kind: CostKind,
    cost: { at(stage: number, h: number): number },
    isThere: (h: number) => boolean,
  ) => perBlock(kind, hydros, (h) => cost.at(stage, h), undefined, isThere);
  const outflowBelow = slack(
    "outflow_violation_below",
    penalty.outflowViolationBelowCost,
    (h) => at.minOutflowM3s.at(stage, h) > 0,
  );
  const outflowAbove = slack(
    "outflow_violation_above",
    penalty.outflowViolationAboveCost,
    (h) => at.maxOutflowM3s.at(stage, h) < Number.POSITIVE_INFINITY,
  );
  const turbinedBelow = slack(
    "turbined_violation",
    penalty.turbinedViolationBelowCost,
    (h) => at.minTurbinedM3s.at(stage, h) > 0,
  );
  const generationBelow = slack(
    "generation_violation",
    penalty.generationViolationBelowCost,
    (h) => at.minGenerationMw.at(stage, h) > 0,
  );
  const inflowSlack = new Int32Array(hydros).fill(-1);
  if (hasInflowSlack(config)) {
    for (let h = 0; h < hydros; h++) {
      const cost =
        config.inflowNonNegativity.penaltyCost ?? penalty.inflowNonnegativityCost.at(stage, h);
      inflowSlack[h] = column("inflow_penalty", (cost * stageHours) / COST_SCALE);
    }
  }
  const thermal = perBlock(
    "thermal",
    system.thermals.length,
    (plant) => study.thermals.costPerMwh.at(stage, plant),
    (plant) => study.thermals.maxGenerationMw.at(stage, plant),
    undefined,
    (plant) => study.thermals.minGenerationMw.at(stage, plant),
  );
  const exchange = (limit: { at(stage: number, line: number): number }) =>
    perBlock(
      "exchange",
      system.lines.length,
      (line) => study.linePenalties.exchangeCost.at(stage, line),
      (line) => limit.at(stage, line),
    );
  const direct = exchange(study.lines.directMw);
  const reverse = exchange(study.lines.reverseMw);
  const deficit = system.buses.map(({ deficitSegments }) =>
    perBlock(
      "deficit",
      deficitSegments.length,
      (segment) => deficitSegments[segment].costPerMwh,
      (segment) => deficitSegments[segment].depthMw,
    ),
  );
  const excess = perBlock("excess", system.buses.length, (bus) =>
    study.busPenalties.excessCost.at(stage, bus),
  );

  const water = lp.rows;
  let zeta = 0;
  for (const volume of volumes) zeta += volume;
  for (let h = 0; h < hydros; h++) {
    const entries: [number, number][] = [
      [storage + h, 1],
      [fixed + h, -1],
      [inflow + h, -zeta],
      [inflowSlack[h], -zeta],
    ];
    for (let k = 0; k < K; k++) {
      entries.push([turbined[h * K + k], volumes[k]], [spillage[h * K + k], volumes[k]]);
      for (const up of system.cascade.upstream[h]) {
        entries.push([turbined[up * K + k], -volumes[k]], [spillage[up * K + k], -volumes[k]]);
      }
    }
    lp.row(0, 0, entries);
  }

  const power = lp.rows;
  for (let bus = 0; bus < system.buses.length; bus++) {
    for (let k = 0; k < K; k++) {
      const entries: [number, number][] = [[excess[bus * K + k], -1]];
      const add = (columns: Int32Array, entity: number, value: number) =>
        entries.push([columns[entity * K + k], value]);
      system.busOfHydro.forEach((of, h) => {
        if (of === bus) add(turbined, h, productivity(h));
      });
      system.busOfThermal.forEach((of, plant) => {
        if (of === bus) add(thermal, plant, 1);
      });
      system.sourceOfLine.forEach((of, line) => {
        if (of !== bus) return;
        add(direct, line, -1);
        add(reverse, line, 1);
      });
      system.targetOfLine.forEach((of, line) => {
        if (of !== bus) return;
        add(direct, line, 1);
        add(reverse, line, -1);
      });
      for (let i = k; i < deficit[bus].length; i += K) entries.push([deficit[bus][i], 1]);
      const load = model.load.load(stage, bus, 0) * study.loadFactors[stage][bus * K + k];
      lp.row(load, load, entries);
    }
  }

  const infinite = Number.POSITIVE_INFINITY;
  for (let i = 0; i < hydros * K; i++) {
    const h = Math.floor(i / K);
    const outflow: [number, number][] = [
      [turbined[i], 1],
      [spillage[i], 1],
    ];
    if (outflowBelow[i] >= 0) {
      lp.row(at.minOutflowM3s.at(stage, h), infinite, [...outflow, [outflowBelow[i], 1]]);
    }
    if (outflowAbove[i] >= 0) {
      lp.row(-infinite, at.maxOutflowM3s.at(stage, h), [...outflow, [outflowAbove[i], -1]]);
    }
    if (turbinedBelow[i] >= 0) {
      lp.row(at.minTurbinedM3s.at(stage, h), infinite, [
        [turbined[i], 1],
        [turbinedBelow[i], 1],
      ]);
    }
    if (generationBelow[i] >= 0) {
      lp.row(at.minGenerationMw.at(stage, h), infinite, [
        [turbined[i], productivity(h)],
        [generationBelow[i], 1],
      ]);
    }
  }

  // What was the inflow is one stage ago in the next stage, and what was l stages ago is l + 1.
  const outgoing = new Int32Array(model.dimension);
  for (let i = 0; i < model.dimension; i++) {
    if (i < hydros) outgoing[i] = storage + i;
    else if (i < 2 * hydros) outgoing[i] = inflow + (i - hydros);
    else outgoing[i] = fixed + i - hydros;
  }
  return {
    data: lp.build(),
    blocks: K,
    storage,
    fixed,
    inflow,
    theta,
    outgoing,
    turbined,
    spillage,
    outflowBelow,
    outflowAbove,
    turbinedBelow,
    generationBelow,
    inflowSlack,
    thermal,
    direct,
    reverse,
    deficit,
    excess,
    water,
    power,
    costKind: Uint8Array.from(kinds),
  };
}

/** What is behind the last stage is as little below 0 as the costs of the case itself; if they can be, only its cuts limit it. */
function futureFloor({ futureCostFloor, stages }: Model, stage: number): number {
  if (stage < stages - 1) return futureCostFloor[stage];
  return futureCostFloor.some((floor) => floor < 0) ? Number.NEGATIVE_INFINITY : 0;
}
