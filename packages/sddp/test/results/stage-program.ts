/**
 * The cheapest way through one stage, from the description of a small system alone: a linear program of its own, in the words of the
 * mathematics. What is known (storage, inflow, past inflows, load) stands on the right-hand sides.
 */
import type { LinearProgram, LpSolver } from "@cobre/solver";
import type { StageData } from "./stage-data.js";

/** Costs in the program are in thousands of $, which suits the solver's tolerances. */
const SCALE = 1000;

/** θ ≥ intercept + storage · (final storage) + Σ lags · (inflows of this stage and before), in $. */
export interface StageCut {
  readonly intercept: number;
  /** For each plant. */
  readonly storage: readonly number[];
  /** For each lag, for each plant. Lag 1 is the inflow of this stage. */
  readonly lags: readonly (readonly number[])[];
}

/** What is behind a stage: nothing, or a cost above a floor and all cuts. */
export interface Future {
  readonly floor: number;
  readonly cuts: readonly StageCut[];
}

/** What a stage finds. Plants and buses are in the order of their ids. */
export interface StageInput {
  readonly storage: readonly number[];
  /** For each lag, for each plant. Lag 1 is the stage before. */
  readonly lags: readonly (readonly number[])[];
  readonly inflow: readonly number[];
  /** Water that arrives besides, in hm³; unlike storage it has no part in the head. */
  readonly gift?: readonly number[];
  /** How much water may be added to the inflow of each plant. */
  readonly addedLimit: readonly number[];
  /** For each bus, for each block. */
  readonly loads: readonly (readonly number[])[];
}

type Entry = readonly [column: number, value: number];

const INFINITE = Number.POSITIVE_INFINITY;

/** For each entity, for each block. */
type BlockColumns = readonly (readonly number[])[];

/** The columns of decisions. */
interface Decisions {
  readonly storage: readonly number[];
  readonly turbined: BlockColumns;
  readonly spilled: BlockColumns;
  /** Empty for a plant that diverts nothing. */
  readonly diverted: BlockColumns;
  readonly generated: BlockColumns;
  /** What plants with planes generate; empty for the others. */
  readonly hydroGenerated: BlockColumns;
  readonly direct: BlockColumns;
  readonly reverse: BlockColumns;
}

export class StageProgram implements Disposable {
  private readonly data: StageData;
  private readonly future: Future | undefined;
  private readonly program: LinearProgram;
  /** The first column of the water added to inflows, and the first rows of balances and cuts. */
  private readonly added: number;
  private readonly water: number;
  private readonly power: number;
  private readonly planes: number;
  private readonly evaporation: number;
  private readonly cuts: number;

  /** @param future `undefined`: nothing is behind the stage */
  constructor(solver: LpSolver, data: StageData, future: Future | undefined) {
    this.data = data;
    this.future = future;
    const lp = new Columns();
    const decisions = addDecisions(lp, data);
    this.added = lp.count;
    for (const { penalties } of data.hydros) {
      lp.column((penalties.negativeInflow * sum(data.hours)) / SCALE, 0, 0);
    }
    const use = addUse(lp, data);
    this.water = lp.rows;
    addWater(lp, data, decisions, this.added, use);
    this.power = lp.rows;
    addPower(lp, data, decisions);
    addLimits(lp, data, decisions);
    this.planes = lp.rows;
    addPlanes(lp, data, decisions);
    this.evaporation = lp.rows;
    addEvaporation(lp, data, decisions, use);
    addLeastStorage(lp, data, decisions);
    this.cuts = lp.rows;
    if (future !== undefined) addCuts(lp, data, decisions, future);
    this.program = lp.create(solver);
  }

  /** The lowest cost, future included, in $; infinite if there is no way. */
  cost({ storage, lags, inflow, gift = [], addedLimit, loads }: StageInput): number {
    const { program, data, future } = this;
    const volume = sum(data.volumes);
    const setRows = (first: number, values: readonly number[]) => {
      const bounds = Float64Array.from(values);
      if (bounds.length > 0) program.setRowBounds(first, bounds, bounds);
    };
    setRows(
      this.water,
      storage.map(
        (value, h) => value + volume * (inflow[h] - data.hydros[h].taken) + (gift[h] ?? 0),
      ),
    );
    setRows(this.power, loads.flat());
    // The part of the initial storage in the mean.
    const planes = data.hydros.flatMap(({ planes: own }, h) =>
      data.hours.flatMap(() =>
        (own ?? []).map(
          ({ constant, kappa, volume: slope }) => kappa * constant + (slope / 2) * storage[h],
        ),
      ),
    );
    if (planes.length > 0) {
      const lower = new Float64Array(planes.length).fill(-INFINITE);
      program.setRowBounds(this.planes, lower, Float64Array.from(planes));
    }
    setRows(
      this.evaporation,
      data.hydros.flatMap(({ due }, h) =>
        due === null ? [] : [due.constant + (due.slope / 2) * storage[h]],
      ),
    );
    const limits = Float64Array.from(addedLimit);
    if (limits.length > 0) {
      program.setColumnBounds(this.added, new Float64Array(limits.length), limits);
    }
    if (future !== undefined && future.cuts.length > 0) {
      const known = [inflow, ...lags];
      const lower = Float64Array.from(future.cuts, (cut) => {
        const products = cut.lags.flatMap((slopes, lag) => slopes.map((s, h) => s * known[lag][h]));
        return (cut.intercept + sum(products)) / SCALE;
      });
      program.setRowBounds(this.cuts, lower, new Float64Array(lower.length).fill(INFINITE));
    }
    const status = program.solve();
    if (status === "infeasible") return INFINITE;
    if (status !== "optimal") throw new Error(`a stage of a small system is ${status}`);
    return program.objective * SCALE;
  }

  [Symbol.dispose](): void {
    this.program.close();
  }
}

/** What a price per hour costs in a block. */
function hourly({ hours }: StageData, price: number, k: number): number {
  return (price * hours[k]) / SCALE;
}

function addDecisions(lp: Columns, data: StageData): Decisions {
  const { hydros, thermals, lines, hours } = data;
  const perBlock = (price: number, lower = 0, upper = INFINITE) =>
    hours.map((_, k) => lp.column(hourly(data, price, k), lower, upper));
  return {
    storage: hydros.map(({ bounds, isSoft }) =>
      lp.column(0, isSoft ? 0 : bounds.minStorage, bounds.maxStorage),
    ),
    turbined: hydros.map(({ bounds, turbinedCost }) =>
      perBlock(turbinedCost, 0, bounds.maxTurbined),
    ),
    spilled: hydros.map(({ penalties }) => perBlock(penalties.spillage)),
    diverted: hydros.map(({ diversion }) =>
      diversion === null ? [] : perBlock(diversion.cost, 0, diversion.max),
    ),
    generated: thermals.map(({ cost, min, max }) => perBlock(cost, min, max)),
    hydroGenerated: hydros.map(({ planes, bounds }) =>
      planes === null ? [] : perBlock(0, 0, bounds.maxGeneration),
    ),
    direct: lines.map(({ cost, direct }) => perBlock(cost, 0, direct)),
    reverse: lines.map(({ cost, reverse }) => perBlock(cost, 0, reverse)),
  };
}

/** Final storage + what leaves - what arrives from upstream - water added = initial storage + inflow. */
function addWater(
  lp: Columns,
  { hydros, volumes }: StageData,
  { storage, turbined, spilled, diverted }: Decisions,
  added: number,
  use: WaterUse,
): void {
  const indexOf = (id: number) => hydros.findIndex((plant) => plant.id === id);
  hydros.forEach(({ upstream, diverting }, h) => {
    const entries: Entry[] = [
      [storage[h], 1],
      [added + h, -sum(volumes)],
    ];
    const { evaporated, less, more } = use[h];
    if (evaporated >= 0) entries.push([evaporated, sum(volumes)]);
    if (less >= 0) entries.push([less, -sum(volumes)], [more, sum(volumes)]);
    volumes.forEach((volume, k) => {
      entries.push([turbined[h][k], volume], [spilled[h][k], volume]);
      for (const id of upstream) {
        const up = indexOf(id);
        entries.push([turbined[up][k], -volume], [spilled[up][k], -volume]);
      }
      if (diverted[h].length > 0) entries.push([diverted[h][k], volume]);
      for (const id of diverting) entries.push([diverted[indexOf(id)][k], -volume]);
    });
    lp.row(0, 0, entries);
  });
}

/** Generation + net import + unserved load - excess = load. */
function addPower(lp: Columns, data: StageData, decisions: Decisions): void {
  const { hydros, thermals, lines, buses, hours } = data;
  const { turbined, generated, hydroGenerated, direct, reverse } = decisions;
  for (const { id, segments, excessCost } of buses) {
    hours.forEach((_, k) => {
      const entries: Entry[] = [[lp.column(hourly(data, excessCost, k)), -1]];
      for (const { cost, depth } of segments) {
        entries.push([lp.column(hourly(data, cost, k), 0, depth ?? INFINITE), 1]);
      }
      hydros.forEach(({ bus, productivity }, h) => {
        if (bus !== id) return;
        const own = hydroGenerated[h];
        entries.push(own.length > 0 ? [own[k], 1] : [turbined[h][k], productivity]);
      });
      thermals.forEach(({ bus }, plant) => {
        if (bus === id) entries.push([generated[plant][k], 1]);
      });
      lines.forEach(({ source, target }, line) => {
        if (target === id) entries.push([direct[line][k], 1], [reverse[line][k], -1]);
        if (source === id) entries.push([direct[line][k], -1], [reverse[line][k], 1]);
      });
      lp.row(0, 0, entries);
    });
  }
}

/** Limits that may be violated at a cost, and the one of generation that may not. */
function addLimits(lp: Columns, data: StageData, decisions: Decisions): void {
  const { turbined, spilled, diverted, hydroGenerated } = decisions;
  data.hydros.forEach(({ bounds, penalties, productivity, limitedProductivity, planes }, h) => {
    data.hours.forEach((_, k) => {
      const slack = (cost: number) => lp.column(hourly(data, cost, k));
      const flow: Entry = [turbined[h][k], 1];
      const ofPlanes: Entry | undefined = planes === null ? undefined : [hydroGenerated[h][k], 1];
      const power: Entry = ofPlanes ?? [turbined[h][k], productivity];
      const limited: Entry = ofPlanes ?? [turbined[h][k], limitedProductivity];
      const outflow: Entry[] = [flow, [spilled[h][k], 1]];
      if (diverted[h].length > 0) outflow.push([diverted[h][k], 1]);
      lp.row(bounds.minOutflow, INFINITE, [...outflow, [slack(penalties.outflowBelow), 1]]);
      const most = bounds.maxOutflow ?? INFINITE;
      lp.row(-INFINITE, most, [...outflow, [slack(penalties.outflowAbove), -1]]);
      lp.row(bounds.minTurbined, INFINITE, [flow, [slack(penalties.turbinedBelow), 1]]);
      lp.row(bounds.minGeneration, INFINITE, [limited, [slack(penalties.generationBelow), 1]]);
      lp.row(-INFINITE, bounds.maxGeneration, [power]);
    });
  });
}

/** Generation - what each plane gives for final storage and flows; the rest is on the right-hand side. */
function addPlanes(lp: Columns, data: StageData, decisions: Decisions): void {
  const { storage, turbined, spilled, hydroGenerated } = decisions;
  data.hydros.forEach(({ planes }, h) => {
    data.hours.forEach((_, k) => {
      for (const plane of planes ?? []) {
        lp.row(-INFINITE, 0, [
          [hydroGenerated[h][k], 1],
          [storage[h], -plane.volume / 2],
          [turbined[h][k], -plane.turbined],
          [spilled[h][k], -plane.spilled],
        ]);
      }
    });
  });
}

/** The columns of evaporation and of other withdrawals than due; -1 where there is none. */
type WaterUse = readonly {
  readonly evaporated: number;
  readonly tooLittle: number;
  readonly tooMuch: number;
  readonly less: number;
  readonly more: number;
}[];

function addUse(lp: Columns, { hydros, hours }: StageData): WaterUse {
  const cost = (price: number) => (price * sum(hours)) / SCALE;
  return hydros.map(({ due, taken, mostLess, usePenalties: prices }) => ({
    evaporated: due === null ? -1 : lp.column(0, due.least, due.most),
    tooLittle: due === null ? -1 : lp.column(cost(prices.evaporationNeg)),
    tooMuch: due === null ? -1 : lp.column(cost(prices.evaporationPos)),
    less: taken > 0 ? lp.column(cost(prices.withdrawalNeg), 0, mostLess) : -1,
    more: taken > 0 ? lp.column(cost(prices.withdrawalPos)) : -1,
  }));
}

/** Evaporation - what is due of the final storage + too little - too much; the rest is on the right-hand side. */
function addEvaporation(lp: Columns, data: StageData, decisions: Decisions, use: WaterUse): void {
  data.hydros.forEach(({ due }, h) => {
    if (due === null) return;
    lp.row(0, 0, [
      [use[h].evaporated, 1],
      [decisions.storage[h], -due.slope / 2],
      [use[h].tooLittle, 1],
      [use[h].tooMuch, -1],
    ]);
  });
}

function addLeastStorage(lp: Columns, data: StageData, { storage }: Decisions): void {
  data.hydros.forEach(({ isSoft, bounds, usePenalties }, h) => {
    if (!isSoft) return;
    const missing = lp.column(usePenalties.storageBelow / SCALE);
    lp.row(bounds.minStorage, INFINITE, [
      [storage[h], 1],
      [missing, 1],
    ]);
  });
}

function addCuts(lp: Columns, data: StageData, { storage }: Decisions, future: Future): void {
  const theta = lp.column(data.discount, future.floor / SCALE);
  for (const cut of future.cuts) {
    const slopes = cut.storage.map((slope, h): Entry => [storage[h], -slope / SCALE]);
    lp.row(0, INFINITE, [[theta, 1], ...slopes]);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Collects a program. */
class Columns {
  private readonly cost: number[] = [];
  private readonly bounds: [number, number][] = [];
  private readonly rowBounds: [number, number][] = [];
  private readonly entries: Entry[][] = [];

  get count(): number {
    return this.cost.length;
  }

  get rows(): number {
    return this.entries.length;
  }

  column(cost: number, lower = 0, upper = INFINITE): number {
    this.bounds.push([lower, upper]);
    return this.cost.push(cost) - 1;
  }

  row(lower: number, upper: number, entries: readonly Entry[]): void {
    this.rowBounds.push([lower, upper]);
    this.entries.push(entries.filter(([, value]) => value !== 0));
  }

  create(solver: LpSolver): LinearProgram {
    const starts = [0];
    for (const row of this.entries) starts.push(starts[starts.length - 1] + row.length);
    return solver.create({
      cost: Float64Array.from(this.cost),
      columnLower: Float64Array.from(this.bounds, ([lower]) => lower),
      columnUpper: Float64Array.from(this.bounds, ([, upper]) => upper),
      rows: {
        lower: Float64Array.from(this.rowBounds, ([lower]) => lower),
        upper: Float64Array.from(this.rowBounds, ([, upper]) => upper),
        starts: Int32Array.from(starts),
        indices: Int32Array.from(this.entries.flat(), ([column]) => column),
        values: Float64Array.from(this.entries.flat(), ([, value]) => value),
      },
    });
  }
}
