/**
 * The deterministic equivalent of a small system: one linear program with the decisions of every node of the tree. It is written from the
 * mathematics of the model and shares no code with the package. What is optimal here is what a converged training must find.
 */
import type { LpSolver } from "@cobre/solver";
import { capacitiesIn, limitsIn } from "./equipment.js";
import { addConstraints, addEquipment, Quantities } from "./equipment-program.js";
import { Program, type Terms, times } from "./program.js";
import type { SmallBounds, SmallHydro, SmallPenalties, SmallStage, SmallSystem } from "./system.js";
import { existsIn } from "./system.js";
import { pastInflow, type TreeNode, treeOf } from "./tree.js";
import { evaporationOf, isSoft, waterPenaltiesOf } from "./water-use.js";

/** The volume of one m³/s in an hour, in hm³. */
const VOLUME_PER_HOUR = 0.0036;
const DAYS_A_YEAR = 365.25;
/** Costs in the program are in thousands of $, so that they have the size of the other numbers. */
const SCALE = 1000;

/** The cost, in $, of the best policy. The noise of a sampled tree must have been put into the system. */
export function optimumOf(system: SmallSystem, solver: LpSolver): number {
  const tree = treeOf(system);
  const program = new Program();
  const storages = new Map<TreeNode, readonly number[]>();
  const costs = new Map<TreeNode, Terms>();
  for (const node of tree) {
    const incoming = node.parent === null ? null : (storages.get(node.parent) ?? null);
    const { storage, cost } = addNode(program, system, node, incoming);
    storages.set(node, storage);
    costs.set(node, cost);
  }
  /** The cost of a node and of all that comes after it. */
  const worthOf = (node: TreeNode): Terms => {
    const stage = system.stages[node.stage];
    const future =
      node.children.length > 0
        ? riskOf(program, system, stage, node.children.map(worthOf))
        : terminalValue(program, system, node, storages.get(node) ?? []);
    return [...(costs.get(node) ?? []), ...times(discountOf(system, stage), future)];
  };
  const roots = tree.filter(({ parent }) => parent === null);
  const objective = riskOf(program, system, system.stages[0], roots.map(worthOf));
  return SCALE * program.minimum(times(1 / SCALE, objective), solver);
}

/** (1 + r)^(-days / 365.25) */
export function discountOf({ annualRate }: SmallSystem, { rate, days }: SmallStage): number {
  return (1 + (rate ?? annualRate)) ** (-days / DAYS_A_YEAR);
}

/**
 * The worth of equally likely values: (1 - λ) · mean + λ · CVaR_α. By Rockafellar and Uryasev, CVaR_α is the minimum over u of u + mean of
 * max(0, value - u) / α. Cobre 0.5 lets no weight exceed ((1 - λ) + λ / α) / n and asks for no least one: that is CVaR alone, with 1 / α =
 * (1 - λ) + λ / α.
 */
function riskOf(
  program: Program,
  { compat }: SmallSystem,
  { risk }: SmallStage,
  values: readonly Terms[],
): Terms {
  const mean = values.flatMap((value) => times(1 / values.length, value));
  if (risk === null || risk.lambda === 0) return mean;
  const lambda = compat ? 1 : risk.lambda;
  const alpha = compat ? 1 / (1 - risk.lambda + risk.lambda / risk.alpha) : risk.alpha;
  const threshold = program.column(Number.NEGATIVE_INFINITY);
  const excesses = values.map((value) => {
    const excess = program.column();
    // In thousands, like the objective.
    program.atLeast([[excess, 1], [threshold, 1], ...times(-1 / SCALE, value)], 0);
    return [excess, (lambda * SCALE) / alpha / values.length] as const;
  });
  return [...times(1 - lambda, mean), [threshold, lambda * SCALE], ...excesses];
}

/** A column that is at least as large as each boundary cut. */
function terminalValue(
  program: Program,
  { boundary, hydros }: SmallSystem,
  leaf: TreeNode,
  storage: readonly number[],
): Terms {
  if (boundary === null) return [];
  const value = program.column(Number.NEGATIVE_INFINITY);
  boundary.forEach((intercept, cut) => {
    let known = intercept;
    const slopes: [number, number][] = [];
    hydros.forEach((hydro, h) => {
      const { storage: slope, lags } = hydro.boundary[cut];
      slopes.push([storage[h], -slope / SCALE]);
      // Lag 1 behind the study is the inflow of its last stage.
      lags.forEach((lagSlope, i) => {
        known += lagSlope * pastInflow(hydro, h, leaf, i + 1);
      });
    });
    program.atLeast([[value, 1], ...slopes], known / SCALE);
  });
  return [[value, SCALE]];
}

/** Adds the decisions of a node. Returns the columns of its final storages, and its cost. */
function addNode(
  program: Program,
  system: SmallSystem,
  node: TreeNode,
  incoming: readonly number[] | null,
): { readonly storage: readonly number[]; readonly cost: Terms } {
  const { hours } = system.stages[node.stage];
  const length = hours.reduce((sum, value) => sum + value, 0);
  const cost: [number, number][] = [];
  /** A column that costs this much per hour of the block, or of the stage. */
  const paid = (price: number, duration: number, lower: number, upper: number): number => {
    const column = program.column(lower, upper);
    cost.push([column, price * duration]);
    return column;
  };
  const free = Number.POSITIVE_INFINITY;
  const limits = system.hydros.map((hydro) => boundsOf(hydro, node.stage));
  const storageColumn = (h: number) => {
    const hydro = system.hydros[h];
    if (!existsIn(system, hydro, node.stage)) return program.column();
    const { minStorage, maxStorage } = limits[h];
    return program.column(isSoft(system, hydro) ? 0 : minStorage, maxStorage);
  };
  const storage = limits.map((_, h) => storageColumn(h));
  /** The hours of each water balance: of the blocks, if they follow each other, else of the stage. Cobre 0.5 knows only the latter. */
  const periods =
    system.stages[node.stage].isChronological && !system.compat ? [...hours] : [length];
  const periodOf = (block: number) => (periods.length === 1 ? 0 : block);
  /** The storages at the ends of all periods; that at the start of the first one is known or decided before. */
  const ends = system.hydros.map((_, h) =>
    periods.map((_, p) => {
      return p === periods.length - 1 ? storage[h] : storageColumn(h);
    }),
  );
  const startOf = (h: number, p: number): number | null =>
    p > 0 ? ends[h][p - 1] : (incoming?.[h] ?? null);
  /** A multiple of the mean storage of a period: in columns, and what is known. */
  const meanStorage = (h: number, p: number, factor: number) => {
    const start = startOf(h, p);
    const terms: [number, number][] = [[ends[h][p], factor / 2]];
    if (start !== null) terms.push([start, factor / 2]);
    return { terms, known: start === null ? (factor / 2) * system.hydros[h].storage : 0 };
  };
  const water = system.hydros.map((_, h) =>
    periods.map((_hours, p) => {
      const start = startOf(h, p);
      const before: [number, number][] = start === null ? [] : [[start, -1]];
      return [[ends[h][p], 1], ...before] as [number, number][];
    }),
  );
  const quantities = new Quantities();
  system.hydros.forEach(({ id }, h) => {
    quantities.note("hydro_storage", id, null, [[storage[h], 1]]);
  });
  /** What each bus gets in each block. */
  const power = system.buses.map(() => hours.map((): [number, number][] => []));
  const busAt = (id: number) => system.buses.findIndex((bus) => bus.id === id);

  /** What is the same in all blocks of a period. */
  const noteIn = (p: number, variable: string, id: number, terms: Terms, constant = 0) => {
    hours.forEach((_, k) => {
      if (periodOf(k) === p) quantities.note(variable, id, k, terms, constant);
    });
  };

  /** A negative inflow may be made up for, and no more than that. */
  const addMissingInflow = (h: number, price: number) => {
    if (!system.method.endsWith("penalty")) return;
    const added = paid(price, length, 0, Math.max(0, -node.inflow[h]));
    periods.forEach((duration, p) => {
      water[h][p].push([added, -VOLUME_PER_HOUR * duration]);
    });
  };

  system.hydros.forEach((hydro, h) => {
    const prices = penaltiesOf(system, hydro, node.stage);
    const below = system.hydros.findIndex(({ id }) => id === hydro.downstream);
    const diversion = diversionOf(system, hydro, node.stage);
    if (!existsIn(system, hydro, node.stage)) {
      // The river flows through its place, whatever it brings, and what was stored stays.
      hours.forEach((duration, k) => {
        const volume = VOLUME_PER_HOUR * duration;
        const passing = program.column(-free, free);
        quantities.note("hydro_spillage", hydro.id, k, [[passing, 1]]);
        quantities.note("hydro_outflow", hydro.id, k, [[passing, 1]]);
        water[h][periodOf(k)].push([passing, volume]);
        if (below >= 0) water[below][periodOf(k)].push([passing, -volume]);
      });
      periods.forEach((_, p) => {
        const start = startOf(h, p);
        const terms: [number, number][] = start === null ? [] : [[start, -1]];
        program.equal([[ends[h][p], 1], ...terms], start === null ? hydro.storage : 0);
      });
      addMissingInflow(h, prices.negativeInflow);
      return;
    }
    hours.forEach((duration, k) => {
      const volume = VOLUME_PER_HOUR * duration;
      const p = periodOf(k);
      const limit = limitsIn(system, "hydro", hydro.id, node.stage, k, limits[h]);
      const given = hydro.production[node.stage];
      const isFunction = given !== null && !("productivity" in given);
      const rho = given !== null && !isFunction ? given.productivity : hydro.productivity;
      const price = isFunction ? (hydro.turbinedCost ?? system.turbinedCost) : 0;
      const most = isFunction ? free : limit.maxGeneration / rho;
      const turbined = paid(price, duration, 0, Math.min(limit.maxTurbined, most));
      const spilled = paid(prices.spillage, duration, 0, free);
      const outflow: [number, number][] = [
        [turbined, 1],
        [spilled, 1],
      ];
      water[h][p].push([turbined, volume], [spilled, volume]);
      if (below >= 0) water[below][p].push([turbined, -volume], [spilled, -volume]);
      if (diversion !== null) {
        const diverted = paid(diversion.cost, duration, 0, diversion.max);
        const target = system.hydros.findIndex(({ id }) => id === diversion.target);
        water[h][p].push([diverted, volume]);
        water[target][p].push([diverted, -volume]);
        // The limits of the outflow are about everything that leaves the plant.
        outflow.push([diverted, 1]);
        quantities.note("hydro_diversion", hydro.id, k, [[diverted, 1]]);
      }
      quantities.note("hydro_turbined", hydro.id, k, [[turbined, 1]]);
      quantities.note("hydro_spillage", hydro.id, k, [[spilled, 1]]);
      quantities.note("hydro_outflow", hydro.id, k, [
        [turbined, 1],
        [spilled, 1],
      ]);
      let generated: [number, number] = [turbined, rho];
      if (isFunction) {
        generated = [program.column(0, limit.maxGeneration), 1];
        for (const plane of given) {
          const mean = meanStorage(h, p, -plane.volume);
          const terms: [number, number][] = [
            generated,
            ...mean.terms,
            [turbined, -plane.turbined],
            [spilled, -plane.spilled],
          ];
          program.atMost(terms, plane.kappa * plane.constant - mean.known);
        }
      }
      quantities.note("hydro_generation", hydro.id, k, [generated]);
      power[busAt(hydro.bus)][k].push(generated);
      const tooLittle = paid(prices.outflowBelow, duration, 0, free);
      program.atLeast([...outflow, [tooLittle, 1]], limit.minOutflow);
      if (limit.maxOutflow !== null) {
        const tooMuch = paid(prices.outflowAbove, duration, 0, free);
        program.atMost([...outflow, [tooMuch, -1]], limit.maxOutflow);
      }
      const unturbined = paid(prices.turbinedBelow, duration, 0, free);
      program.atLeast(
        [
          [turbined, 1],
          [unturbined, 1],
        ],
        limit.minTurbined,
      );
      const ungenerated = paid(prices.generationBelow, duration, 0, free);
      // Cobre 0.5 takes the productivity of the plant here, also in stages that have another one.
      const limited: [number, number] =
        system.compat && !isFunction ? [turbined, hydro.productivity] : generated;
      program.atLeast([limited, [ungenerated, 1]], limit.minGeneration);
    });
    const usePrices = waterPenaltiesOf(system, hydro, node.stage);
    const due = evaporationOf(system, hydro, node.stage);
    const taken = hydro.withdrawal[node.stage];
    periods.forEach((duration, p) => {
      const volume = VOLUME_PER_HOUR * duration;
      if (due !== null) {
        const evaporated = program.column(due.least, due.most);
        const tooLittle = paid(usePrices.evaporationNeg, duration, 0, free);
        const tooMuch = paid(usePrices.evaporationPos, duration, 0, free);
        const mean = meanStorage(h, p, -due.slope);
        program.equal(
          [[evaporated, 1], ...mean.terms, [tooLittle, 1], [tooMuch, -1]],
          due.constant - mean.known,
        );
        water[h][p].push([evaporated, volume]);
        noteIn(p, "hydro_evaporation", hydro.id, [[evaporated, 1]]);
      }
      const change: [number, number][] = [];
      if (taken > 0) {
        const less = paid(usePrices.withdrawalNeg, duration, 0, system.compat ? free : taken);
        const more = paid(usePrices.withdrawalPos, duration, 0, free);
        change.push([less, -1], [more, 1]);
      }
      for (const [column, sign] of change) water[h][p].push([column, sign * volume]);
      noteIn(p, "hydro_withdrawal", hydro.id, change, taken);
    });
    if (isSoft(system, hydro)) {
      const missing = paid(usePrices.storageBelow, 1, 0, free);
      program.atLeast(
        [
          [storage[h], 1],
          [missing, 1],
        ],
        limits[h].minStorage,
      );
    }
    addMissingInflow(h, prices.negativeInflow);
  });
  for (const { bus, stages, ...own } of system.thermals) {
    const exists = existsIn(system, own, node.stage);
    const { cost: price, ...usual } = { ...own, ...stages[node.stage] };
    hours.forEach((duration, k) => {
      const { min, max } = exists
        ? limitsIn(system, "thermal", own.id, node.stage, k, usual)
        : { min: 0, max: 0 };
      const generated = paid(price, duration, min, max);
      power[busAt(bus)][k].push([generated, 1]);
      quantities.note("thermal_generation", own.id, k, [[generated, 1]]);
    });
  }
  for (const { source, target, stages, ...own } of system.lines) {
    const exists = existsIn(system, own, node.stage);
    const { cost: price, ...usual } = { ...own, ...stages[node.stage] };
    hours.forEach((duration, k) => {
      const { direct, reverse } = exists
        ? capacitiesIn(system, own.id, node.stage, k, usual)
        : { direct: 0, reverse: 0 };
      const forth = paid(price ?? system.exchangeCost, duration, 0, direct);
      const back = paid(price ?? system.exchangeCost, duration, 0, reverse);
      power[busAt(source)][k].push([forth, -1], [back, 1]);
      power[busAt(target)][k].push([forth, 1], [back, -1]);
      quantities.note("line_direct", own.id, k, [[forth, 1]]);
      quantities.note("line_reverse", own.id, k, [[back, 1]]);
      quantities.note("line_exchange", own.id, k, [
        [forth, 1],
        [back, -1],
      ]);
    });
  }
  const more = {
    paid,
    feed: (bus: number, k: number, column: number, share: number) =>
      power[busAt(bus)][k].push([column, share]),
    drain: (id: number, k: number, column: number, volume: number) => {
      const plant = system.hydros.findIndex((hydro) => hydro.id === id);
      water[plant][periodOf(k)].push([column, volume]);
    },
    row: (terms: Terms, lower: number, upper: number) => program.between(terms, lower, upper),
    quantities,
  };
  addEquipment(system, node, more);
  system.hydros.forEach(({ storage: initial }, h) => {
    const exists = existsIn(system, system.hydros[h], node.stage);
    const arriving = node.inflow[h] - (exists ? system.hydros[h].withdrawal[node.stage] : 0);
    periods.forEach((duration, p) => {
      const inflow = VOLUME_PER_HOUR * duration * arriving;
      program.equal(water[h][p], startOf(h, p) === null ? initial + inflow : inflow);
    });
  });
  system.buses.forEach(({ id, segments, stages }, b) => {
    const { mean, std, noise, factors, excessCost } = stages[node.stage];
    hours.forEach((duration, k) => {
      for (const { depth, cost: price } of segments ?? system.segments) {
        const unserved = paid(price, duration, 0, depth ?? free);
        power[b][k].push([unserved, 1]);
        quantities.note("bus_deficit", id, k, [[unserved, 1]]);
      }
      const surplus = paid(excessCost ?? system.excessCost, duration, 0, free);
      power[b][k].push([surplus, -1]);
      quantities.note("bus_excess", id, k, [[surplus, 1]]);
      const load = Math.max(0, mean + (std > 0 ? std * noise[node.opening] : 0));
      program.equal(power[b][k], load * (factors?.[k] ?? 1));
    });
  });
  addConstraints(system, node, more);
  return { storage, cost };
}

/** The limits of a plant in a stage: its own, unless the stage has another one. */
function boundsOf({ bounds, stages }: SmallHydro, stage: number): SmallBounds {
  return { ...bounds, ...stages[stage].bounds };
}

/** The diversion of a plant in a stage. Cobre 0.5 does not look at the limits of single stages. */
export function diversionOf(
  { compat, diversionCost }: SmallSystem,
  { diversion }: SmallHydro,
  stage: number,
): { readonly target: number; readonly max: number; readonly cost: number } | null {
  if (diversion === null) return null;
  const { target, max, cost, stages } = diversion;
  const own = stages[stage];
  return {
    target,
    max: compat ? max : (own.max ?? max),
    cost: own.cost ?? cost ?? diversionCost,
  };
}

/** What a plant pays in a stage: as the stage says, else the plant, else the whole system. */
function penaltiesOf(system: SmallSystem, hydro: SmallHydro, stage: number): SmallPenalties {
  return { ...system.penalties, ...hydro.penalties, ...hydro.stages[stage].penalties };
}
