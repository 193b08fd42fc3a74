/** Makes a system smaller, piece by piece, for as long as the smaller one fails in the same way. */
import {
  equipmentWithoutBus,
  equipmentWithoutCell,
  equipmentWithoutStage,
  withLessEquipment,
  withoutDanglingTerms,
} from "./shrink-equipment.js";
import { lagsOf, type SmallHydro, type SmallSystem } from "./system.js";

/** More attempts would take longer than a reader wants to wait. */
const ATTEMPTS = 400;

const ALWAYS = { entry: null, exit: null };

/** The smallest system that was found, and how many attempts it took. */
export async function shrink(
  system: SmallSystem,
  fails: (smaller: SmallSystem) => Promise<boolean>,
): Promise<{ readonly system: SmallSystem; readonly attempts: number }> {
  let best = system;
  let attempts = 0;
  for (let at = 0, unchanged = 0; attempts < ATTEMPTS; ) {
    const all = smallerSystems(best);
    if (unchanged >= all.length) break;
    const next = tidied(all[at % all.length]);
    attempts++;
    if (JSON.stringify(next) !== JSON.stringify(best) && (await fails(next))) {
      best = next;
      unchanged = 0;
      // What follows has moved to the place of what is gone.
      at %= all.length;
      continue;
    }
    at++;
    unchanged++;
  }
  return { system: best, attempts };
}

/** What may be left out: whole parts first, then single values. */
function smallerSystems(system: SmallSystem): readonly SmallSystem[] {
  return [
    ...withoutStages(system),
    ...withoutEntities(system),
    ...withLessEquipment(system),
    ...withoutOpeningsAndBlocks(system),
    ...withoutFeatures(system),
    ...withoutValuesOfHydros(system),
    ...withoutValuesOfOthers(system),
  ];
}

function withoutStages(system: SmallSystem): SmallSystem[] {
  if (system.stages.length < 2) return [];
  return system.stages.map((_, t) => {
    const rest = <T>(items: readonly T[]) => items.filter((_item, i) => i !== t);
    const over = <E extends { readonly stages: readonly unknown[] }>(entities: readonly E[]) =>
      entities.map((entity) => ({ ...entity, stages: rest(entity.stages) }));
    return {
      ...system,
      stages: rest(system.stages),
      hydros: over(system.hydros).map((hydro) => ({
        ...hydro,
        diversion: hydro.diversion && {
          ...hydro.diversion,
          stages: rest(hydro.diversion.stages),
        },
        production: rest(hydro.production),
        filling: hydro.filling && { ...hydro.filling, stages: rest(hydro.filling.stages) },
        groups: hydro.groups?.map((group) => ({ ...group, own: [] })) ?? null,
        withdrawal: rest(hydro.withdrawal),
        stageWaterPenalties: rest(hydro.stageWaterPenalties),
      })),
      buses: over(system.buses),
      lines: over(system.lines),
      thermals: over(system.thermals),
      equipment: equipmentWithoutStage(system.equipment, t),
    };
  });
}

function withoutEntities(system: SmallSystem): SmallSystem[] {
  const { hydros, buses, lines, thermals } = system;
  const without = <E>(entities: readonly E[], entity: E) => entities.filter((e) => e !== entity);
  return [
    ...hydros.map((gone) => ({
      ...system,
      hydros: without(hydros, gone).map((hydro) => ({
        ...hydro,
        downstream: hydro.downstream === gone.id ? gone.downstream : hydro.downstream,
        diversion: hydro.diversion?.target === gone.id ? null : hydro.diversion,
      })),
    })),
    ...thermals.map((gone) => ({ ...system, thermals: without(thermals, gone) })),
    ...lines.map((gone) => ({ ...system, lines: without(lines, gone) })),
    ...(buses.length < 2 ? [] : buses).map((gone) => {
      const rest = without(buses, gone);
      const moved = <E extends { readonly bus: number }>(entity: E): E =>
        entity.bus === gone.id ? { ...entity, bus: rest[0].id } : entity;
      return {
        ...system,
        buses: rest,
        lines: lines.filter(({ source, target }) => source !== gone.id && target !== gone.id),
        hydros: hydros.map(moved),
        thermals: thermals.map(moved),
        equipment: equipmentWithoutBus(system.equipment, gone.id),
      };
    }),
  ];
}

function withoutOpeningsAndBlocks(system: SmallSystem): SmallSystem[] {
  return system.stages.flatMap((stage, t) => {
    const at = <T>(items: readonly T[], change: (item: T) => T) =>
      items.map((item, i) => (i === t ? change(item) : item));
    const openings = stage.openings < 2 ? [] : Array.from({ length: stage.openings }, (_, o) => o);
    const blocks = stage.hours.length < 2 ? [] : stage.hours.map((_, k) => k);
    const rest = <T>(items: readonly T[], gone: number) => items.filter((_item, i) => i !== gone);
    return [
      ...openings.map((gone) => {
        const quieter = <C extends { readonly noise: readonly number[] }>(cell: C): C => ({
          ...cell,
          noise: rest(cell.noise, gone),
        });
        return {
          ...system,
          stages: at(system.stages, (own) => ({ ...own, openings: own.openings - 1 })),
          hydros: system.hydros.map((h) => ({ ...h, stages: at(h.stages, quieter) })),
          buses: system.buses.map((b) => ({ ...b, stages: at(b.stages, quieter) })),
          equipment: equipmentWithoutCell(system.equipment, t, "noise", gone),
        };
      }),
      ...blocks.map((gone) => ({
        ...system,
        stages: at(system.stages, (own) => ({ ...own, hours: rest(own.hours, gone) })),
        buses: system.buses.map((bus) => ({
          ...bus,
          stages: at(bus.stages, (load) => ({
            ...load,
            factors: load.factors && rest(load.factors, gone),
          })),
        })),
        equipment: equipmentWithoutCell(system.equipment, t, "factors", gone),
      })),
    ];
  });
}

function withoutFeatures(system: SmallSystem): SmallSystem[] {
  const { stages, boundary } = system;
  const stage = (t: number, change: Partial<(typeof stages)[number]>): SmallSystem => ({
    ...system,
    stages: stages.map((own, i) => (i === t ? { ...own, ...change } : own)),
  });
  return [
    { ...system, boundary: null },
    ...(boundary === null || boundary.length < 2 ? [] : boundary).map((_, gone) => ({
      ...system,
      boundary: boundary?.filter((_cut, i) => i !== gone) ?? null,
      hydros: system.hydros.map((hydro) => ({
        ...hydro,
        boundary: hydro.boundary.filter((_cut, i) => i !== gone),
      })),
    })),
    { ...system, treeSeed: null },
    { ...system, compat: false },
    { ...system, annualRate: 0 },
    { ...system, segments: system.segments.slice(-1) },
    ...stages.flatMap((_, t) => [
      stage(t, { isChronological: false }),
      stage(t, { risk: null }),
      stage(t, { rate: null }),
      stage(t, { correlation: null }),
      stage(t, { id: t }),
      stage(t, { days: 30 }),
      stage(t, { hours: stages[t].hours.map(() => 100) }),
    ]),
  ];
}

function withoutValuesOfHydros(system: SmallSystem): SmallSystem[] {
  return system.hydros.flatMap((hydro, h) => {
    const changed = (change: Partial<SmallHydro>): SmallSystem => ({
      ...system,
      hydros: system.hydros.map((own, i) => (i === h ? { ...own, ...change } : own)),
    });
    const { bounds } = hydro;
    /** Another limit in all stages. */
    const limit = (own: Partial<SmallHydro["bounds"]>): SmallSystem =>
      changed({
        bounds: { ...bounds, ...own },
        stages: hydro.stages.map((cell) => ({ ...cell, bounds: without(cell.bounds, own) })),
      });
    const cell = (t: number, change: Partial<SmallHydro["stages"][number]>): SmallSystem =>
      changed({ stages: hydro.stages.map((own, i) => (i === t ? { ...own, ...change } : own)) });
    return [
      changed({ downstream: null }),
      changed({ diversion: null }),
      changed({
        diversion: hydro.diversion && { ...hydro.diversion, stages: hydro.stages.map(() => ({})) },
      }),
      changed({ production: hydro.production.map(() => null) }),
      ...hydro.production.map((_, t) =>
        changed({ production: hydro.production.map((own, i) => (i === t ? null : own)) }),
      ),
      changed({ life: ALWAYS }),
      changed({ turbinedCost: null }),
      changed({ evaporation: null }),
      changed({ filling: null }),
      changed({ groups: null }),
      changed({ travel: null }),
      changed({ withdrawal: hydro.withdrawal.map(() => 0) }),
      ...hydro.withdrawal.map((_, t) =>
        changed({ withdrawal: hydro.withdrawal.map((own, i) => (i === t ? 0 : own)) }),
      ),
      changed({ waterPenalties: {} }),
      changed({ stageWaterPenalties: hydro.stages.map(() => ({})) }),
      changed({ penalties: {} }),
      changed({ past: hydro.past.map(() => 0) }),
      limit({ minStorage: 0 }),
      limit({ minOutflow: 0 }),
      limit({ maxOutflow: null }),
      limit({ minTurbined: 0 }),
      limit({ minGeneration: 0 }),
      limit({ maxGeneration: 9999 }),
      limit({ maxStorage: 9999 }),
      ...hydro.boundary.map((cut, i) =>
        changed({
          boundary: hydro.boundary.map((own, j) =>
            i === j ? { storage: 0, lags: cut.lags.map(() => 0), transit: [] } : own,
          ),
        }),
      ),
      ...hydro.stages.flatMap((own, t) => [
        cell(t, { penalties: {} }),
        cell(t, { annual: null }),
        cell(t, { coefficients: own.coefficients.slice(0, -1) }),
        cell(t, { std: 0, coefficients: [], annual: null }),
        cell(t, { noise: own.noise.map(Math.round) }),
        // Without its own least storage a stage may ask for more than the one before has kept.
        ...Object.keys(own.bounds)
          .filter((field) => field !== "minStorage")
          .map((field) => cell(t, { bounds: without(own.bounds, { [field]: 0 }) })),
      ]),
    ];
  });
}

function withoutValuesOfOthers(system: SmallSystem): SmallSystem[] {
  const { buses, lines, thermals } = system;
  const replaced = <E>(entities: readonly E[], at: number, change: Partial<E>) =>
    entities.map((entity, i) => (i === at ? { ...entity, ...change } : entity));
  return [
    ...buses.flatMap((bus, b) => {
      const changed = (change: Partial<typeof bus>) => ({
        ...system,
        buses: replaced(buses, b, change),
      });
      return [
        changed({ segments: null }),
        ...bus.stages.flatMap((_, t) => [
          changed({ stages: replaced(bus.stages, t, { mean: 0, std: 0 }) }),
          changed({ stages: replaced(bus.stages, t, { std: 0 }) }),
          changed({ stages: replaced(bus.stages, t, { factors: null }) }),
          changed({ stages: replaced(bus.stages, t, { excessCost: null }) }),
        ]),
      ];
    }),
    ...lines.flatMap((line, i) => [
      { ...system, lines: replaced(lines, i, { life: ALWAYS }) },
      { ...system, lines: replaced(lines, i, { losses: 0 }) },
      { ...system, lines: replaced(lines, i, { cost: null }) },
      ...line.stages.map((_, t) => ({
        ...system,
        lines: replaced(lines, i, { stages: line.stages.map((own, j) => (j === t ? {} : own)) }),
      })),
    ]),
    ...thermals.flatMap((thermal, i) => [
      { ...system, thermals: replaced(thermals, i, { life: ALWAYS }) },
      { ...system, thermals: replaced(thermals, i, { lead: null, behind: [] }) },
      {
        ...system,
        thermals: replaced(thermals, i, {
          min: 0,
          stages: thermal.stages.map((own) => without(own, { min: 0 })),
        }),
      },
      ...thermal.stages.map((_, t) => ({
        ...system,
        thermals: replaced(thermals, i, {
          stages: thermal.stages.map((own, j) => (j === t ? {} : own)),
        }),
      })),
    ]),
  ];
}

/** The values except those with these names. */
function without<T extends object>(values: T, gone: object): T {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !(field in gone))) as T;
}

/** What goes without saying once something else is gone. */
function tidied(untidy: SmallSystem): SmallSystem {
  const system = withoutDanglingTerms(untidy);
  const lags = lagsOf(system);
  const boundary = system.hydros.length === 0 ? null : system.boundary;
  return {
    ...system,
    boundary,
    stages: system.stages.map((stage, t) =>
      t + 1 === system.stages.length ? { ...stage, rate: null } : stage,
    ),
    hydros: system.hydros.map((hydro) => ({
      ...hydro,
      past: hydro.past.slice(0, lags),
      before: hydro.before.slice(0, lags),
      boundary:
        boundary === null
          ? []
          : hydro.boundary.map((cut) => ({ ...cut, lags: cut.lags.slice(0, lags) })),
    })),
  };
}
