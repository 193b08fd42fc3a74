/** The decisions of one node of the tree, from the mathematics of the model. */
import { decidingStage, deliveriesOf, hoursOf, supplyOf, worthOf } from "./commitments.js";
import { capacitiesIn, limitsIn } from "./equipment.js";
import { addConstraints, addEquipment, Quantities } from "./equipment-program.js";
import { fillingOf, isFilling } from "./filling.js";
import { cellsOf, isSplitPlant, withGroupLimits } from "./groups.js";
import {
  arrivingFrom,
  committedTo,
  discountOf,
  type Made,
  type NodeColumns,
  pathTo,
  VOLUME_PER_HOUR,
} from "./path-links.js";
import { gathered, type Program, type Terms, times } from "./program.js";
import {
  existsIn,
  type SmallBounds,
  type SmallHydro,
  type SmallPenalties,
  type SmallSystem,
} from "./system.js";
import { arcsOf, periodShare, seedOf, shareInPeriod } from "./travel.js";
import type { TreeNode } from "./tree.js";
import { evaporationOf, isSoft, waterPenaltiesOf } from "./water-use.js";

/** A plant whose reservoir is being filled has neither turbines nor limits of what flows on. */
const IDLE = {
  minStorage: 0,
  minOutflow: 0,
  maxOutflow: null,
  minTurbined: 0,
  maxTurbined: 0,
  minGeneration: 0,
  maxGeneration: 0,
} as const;

/** Adds the decisions of a node. */
export function addNode(
  program: Program,
  system: SmallSystem,
  node: TreeNode,
  made: Made,
): NodeColumns {
  const incoming = node.parent === null ? null : (made.get(node.parent)?.storage ?? null);
  const arcs = arcsOf(system);
  const released = system.hydros.map((): Terms[] => []);
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
  const isFilled = system.hydros.map((hydro) => isFilling(system, hydro, node.stage));
  /** Whether a plant has a reservoir. */
  const stands = system.hydros.map(
    (hydro, h) => isFilled[h] || existsIn(system, hydro, node.stage),
  );
  const limits = system.hydros.map((hydro, h) => ({
    ...boundsOf(hydro, node.stage),
    ...(isFilled[h] ? IDLE : {}),
  }));
  const storageColumn = (h: number) => {
    const hydro = system.hydros[h];
    if (!stands[h]) return program.column();
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
    const takesTime = arcs.some(({ from }) => from === h);
    const below = takesTime ? -1 : system.hydros.findIndex(({ id }) => id === hydro.downstream);
    const diversion = isFilled[h] ? null : diversionOf(system, hydro, node.stage);
    if (!stands[h]) {
      // The river flows through its place, whatever it brings, and what was stored stays.
      hours.forEach((duration, k) => {
        const volume = VOLUME_PER_HOUR * duration;
        const passing = program.column(-free, free);
        released[h].push([[passing, 1]]);
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
      const usual = isFilled[h]
        ? limits[h]
        : limitsIn(system, "hydro", hydro.id, node.stage, k, limits[h]);
      const given = hydro.production[node.stage];
      const isFunction = given !== null && !("productivity" in given);
      const rho = given !== null && !isFunction ? given.productivity : hydro.productivity;
      const limit = isFilled[h]
        ? usual
        : withGroupLimits(hydro, node.stage, k, isFunction ? null : rho, usual);
      const price = isFunction ? (hydro.turbinedCost ?? system.turbinedCost) : 0;
      const most = isFunction ? free : limit.maxGeneration / rho;
      const turbined = paid(price, duration, 0, Math.min(limit.maxTurbined, most));
      const spilled = paid(prices.spillage, duration, 0, free);
      const outflow: [number, number][] = [
        [turbined, 1],
        [spilled, 1],
      ];
      released[h].push([...outflow]);
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
        const isSplit = !isFilled[h] && isSplitPlant(hydro);
        for (const plane of isSplit ? [] : given) {
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
      const cells = isFilled[h] ? null : cellsOf(hydro, node.stage, k, isFunction ? null : rho);
      if (cells === null) power[busAt(hydro.bus)][k].push(generated);
      const [turbinedParts, generatedParts]: [number, number][][] = [[], []];
      for (const cell of cells ?? []) {
        const own = program.column(0, Math.min(cell.maxTurbined, limit.maxTurbined));
        turbinedParts.push([own, -1]);
        let power1: [number, number] = [own, rho];
        if (isFunction) {
          const canTurbine = limit.maxTurbined > 0;
          const mostPower = Math.min(cell.maxGeneration, limit.maxGeneration);
          power1 = [program.column(0, canTurbine ? mostPower : 0), 1];
          generatedParts.push([power1[0], -1]);
          for (const plane of canTurbine ? given : []) {
            const mean = meanStorage(h, p, -plane.volume * cell.share);
            program.atMost(
              [
                power1,
                ...mean.terms,
                [own, -plane.turbined],
                [spilled, -plane.spilled * cell.share],
              ],
              plane.kappa * plane.constant * cell.share - mean.known,
            );
          }
        }
        power[busAt(cell.bus)][k].push(power1);
        const [slow, weak] = [prices.turbinedBelow, prices.generationBelow].map((price1) =>
          paid(price1, duration, 0, free),
        );
        program.atLeast(
          [
            [own, 1],
            [slow, 1],
          ],
          cell.minTurbined,
        );
        program.atLeast([power1, [weak, 1]], cell.minGeneration);
      }
      if (cells !== null) {
        program.equal([[turbined, 1], ...turbinedParts], 0);
        if (isFunction) program.equal([[generated[0], 1], ...generatedParts], 0);
      }
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
        cells === null ? limit.minTurbined : 0,
      );
      const ungenerated = paid(prices.generationBelow, duration, 0, free);
      // Cobre 0.5 takes the productivity of the plant here, also in stages that have another one.
      const limited: [number, number] =
        system.compat && !isFunction ? [turbined, hydro.productivity] : generated;
      program.atLeast([limited, [ungenerated, 1]], cells === null ? limit.minGeneration : 0);
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
    if (isFilled[h]) {
      const { target, most } = fillingOf(system, hydro, node.stage);
      const missing = paid(usePrices.fillingTarget, 1, 0, free);
      program.atLeast(
        [
          [storage[h], 1],
          [missing, 1],
        ],
        target,
      );
      const before: [number, number][] = incoming === null ? [] : [[incoming[h], -1]];
      const known = incoming === null ? hydro.storage : 0;
      program.atMost([[storage[h], 1], ...before], most + known);
    }
    addMissingInflow(h, prices.negativeInflow);
  });
  const committed = new Map<string, number>();
  for (const thermal of system.thermals) {
    const { bus, stages, ...own } = thermal;
    const exists = existsIn(system, own, node.stage);
    const { cost: usualPrice, ...usual } = { ...own, ...stages[node.stage] };
    const isDelivery = decidingStage(system, thermal, node.stage) < node.stage;
    // What was committed has been paid for where it was decided.
    const price = isDelivery ? 0 : usualPrice;
    const energy: [number, number][] = [];
    hours.forEach((duration, k) => {
      const { min, max } = exists
        ? limitsIn(system, "thermal", own.id, node.stage, k, usual)
        : { min: 0, max: 0 };
      const generated = paid(price, duration, min, max);
      energy.push([generated, duration]);
      power[busAt(bus)][k].push([generated, 1]);
      quantities.note("thermal_generation", own.id, k, [[generated, 1]]);
    });
    if (isDelivery) {
      const to = committedTo(system, pathTo(node), made, thermal, node.stage);
      program.equal([...energy, ...times(-length, to.terms)], length * to.known);
    }
    for (let m = node.stage + 1; m < deliveriesOf(system); m++) {
      if (decidingStage(system, thermal, m) !== node.stage) continue;
      const { min, max, cost: later } = supplyOf(system, thermal, m);
      const worth = worthOf(system, (t) => discountOf(system, system.stages[t]), node.stage, m);
      committed.set(`${own.id} ${m}`, paid(later * worth, hoursOf(system, m), min, max));
    }
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
      const arriving = system.compat ? 1 : 1 - own.losses / 100;
      power[busAt(source)][k].push([forth, -1], [back, arriving]);
      power[busAt(target)][k].push([forth, arriving], [back, -1]);
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
    const seed = seedOf(system, h, node.stage);
    const earlier = arrivingFrom(system, pathTo(node).slice(0, -1), made, h, node.stage);
    const coming = arcs.filter(({ to }) => to === h);
    const arriving = node.inflow[h] - (stands[h] ? system.hydros[h].withdrawal[node.stage] : 0);
    periods.forEach((duration, p) => {
      const part = coming.length === 0 ? 0 : periodShare(system, h, node.stage, p);
      const own = coming.flatMap((arc) =>
        hours.flatMap((length, k) =>
          times(
            VOLUME_PER_HOUR * length * shareInPeriod(system, arc, node.stage, k, p),
            released[arc.from][k],
          ),
        ),
      );
      const inflow = VOLUME_PER_HOUR * duration * arriving + part * seed;
      program.equal(
        gathered([...water[h][p], ...times(-part, earlier), ...times(-1, own)]),
        startOf(h, p) === null ? initial + inflow : inflow,
      );
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
  return { storage, released, committed, cost };
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
