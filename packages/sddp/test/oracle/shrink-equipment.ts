/** What may be left out of the equipment of a system. */
import { NO_EQUIPMENT, type SmallEquipment } from "./equipment.js";
import type { SmallSystem } from "./system.js";

/** Systems with less equipment: without any, then without single pieces, then without single values. */
export function withLessEquipment(system: SmallSystem): SmallSystem[] {
  const { equipment } = system;
  const changed = (change: Partial<SmallEquipment>): SmallSystem => ({
    ...system,
    equipment: { ...equipment, ...change },
  });
  const { sources, constraints } = equipment;
  return [
    { ...system, equipment: NO_EQUIPMENT },
    ...equipment.pumps.map((gone) =>
      changed({ pumps: equipment.pumps.filter((one) => one !== gone) }),
    ),
    ...equipment.contracts.map((gone) =>
      changed({ contracts: equipment.contracts.filter((one) => one !== gone) }),
    ),
    changed({ blockLimits: [] }),
    changed({ lineFactors: [] }),
    ...equipment.blockLimits.map((gone) =>
      changed({ blockLimits: equipment.blockLimits.filter((one) => one !== gone) }),
    ),
    ...sources.map((gone) => changed({ sources: sources.filter((one) => one !== gone) })),
    ...constraints.map((gone) => changed({ constraints: constraints.filter((c) => c !== gone) })),
    ...constraints.flatMap((constraint, i) => {
      const other = (change: Partial<typeof constraint>) =>
        changed({ constraints: constraints.map((c, j) => (i === j ? { ...c, ...change } : c)) });
      return [
        ...(constraint.terms.length < 2 ? [] : constraint.terms).map((gone) =>
          other({ terms: constraint.terms.filter((term) => term !== gone) }),
        ),
        ...constraint.bounds.map((gone) =>
          other({ bounds: constraint.bounds.filter((bound) => bound !== gone) }),
        ),
      ];
    }),
    ...sources.flatMap((source, i) => {
      const other = (change: Partial<typeof source>) =>
        changed({ sources: sources.map((own, j) => (i === j ? { ...own, ...change } : own)) });
      return [
        other({ entry: null }),
        other({ exit: null }),
        other({ curtails: true }),
        other({ isUncertain: false }),
        other({
          stages: source.stages.map((cell) => ({ ...cell, factors: null, cost: null, std: 0 })),
        }),
      ];
    }),
  ];
}

/** The equipment without a stage. */
export function equipmentWithoutStage(equipment: SmallEquipment, gone: number): SmallEquipment {
  return {
    ...equipment,
    sources: equipment.sources.map((source) => ({
      ...source,
      stages: source.stages.filter((_, t) => t !== gone),
    })),
    pumps: equipment.pumps.map((pump) => ({
      ...pump,
      stages: pump.stages.filter((_, t) => t !== gone),
    })),
    contracts: equipment.contracts.map((contract) => ({
      ...contract,
      stages: contract.stages.filter((_, t) => t !== gone),
    })),
    blockLimits: withoutIndex(equipment.blockLimits, gone),
    lineFactors: withoutIndex(equipment.lineFactors, gone),
    constraints: equipment.constraints.map((constraint) => ({
      ...constraint,
      bounds: constraint.bounds
        .filter(({ stage }) => stage !== gone)
        .map((bound) => (bound.stage > gone ? { ...bound, stage: bound.stage - 1 } : bound)),
    })),
  };
}

function withoutIndex<T extends { readonly stage: number }>(
  items: readonly T[],
  gone: number,
): T[] {
  return items
    .filter(({ stage }) => stage !== gone)
    .map((item) => (item.stage > gone ? { ...item, stage: item.stage - 1 } : item));
}

/** The equipment without an opening or a block of a stage. */
export function equipmentWithoutCell(
  equipment: SmallEquipment,
  stage: number,
  what: "noise" | "factors",
  gone: number,
): SmallEquipment {
  return {
    ...equipment,
    sources: equipment.sources.map((source) => ({
      ...source,
      stages: source.stages.map((cell, t) =>
        t === stage ? { ...cell, [what]: cell[what]?.filter((_, i) => i !== gone) ?? null } : cell,
      ),
    })),
    // A block more or less would be that of another number: simply all of the stage.
    ...(what === "factors" && {
      blockLimits: equipment.blockLimits.filter((one) => one.stage !== stage),
      lineFactors: equipment.lineFactors.filter((one) => one.stage !== stage),
    }),
    constraints:
      what === "noise"
        ? equipment.constraints
        : equipment.constraints.map((constraint) => ({
            ...constraint,
            bounds: constraint.bounds
              .filter((bound) => bound.stage !== stage || bound.block !== gone)
              .map((bound) => {
                const isLater = bound.stage === stage && bound.block !== null && bound.block > gone;
                return isLater ? { ...bound, block: Number(bound.block) - 1 } : bound;
              }),
          })),
  };
}

/** The equipment without what stands at a bus. */
export function equipmentWithoutBus(equipment: SmallEquipment, gone: number): SmallEquipment {
  const stays = ({ bus }: { readonly bus: number }) => bus !== gone;
  return {
    ...equipment,
    sources: equipment.sources.filter(stays),
    pumps: equipment.pumps.filter(stays),
    contracts: equipment.contracts.filter(stays),
  };
}

/** Equipment without what belongs to entities that are gone; a constraint without terms is gone, too. */
export function withoutDanglingTerms(system: SmallSystem): SmallSystem {
  const { equipment, hydros, thermals, lines, buses } = system;
  const isPlant = (id: number) => hydros.some((hydro) => hydro.id === id);
  const pumps = equipment.pumps.filter(({ from, to }) => isPlant(from) && isPlant(to));
  const kinds: Readonly<Record<string, readonly { readonly id: number }[]>> = {
    hydro: hydros,
    thermal: thermals,
    line: lines,
    bus: buses,
    non: equipment.sources,
    pumping: pumps,
    contract: equipment.contracts,
  };
  const exists = ({ variable, id }: { readonly variable: string; readonly id: number }) =>
    kinds[variable.split("_")[0]]?.some((entity) => entity.id === id) === true;
  const constraints = equipment.constraints
    .map((constraint) => ({ ...constraint, terms: constraint.terms.filter(exists) }))
    .filter(({ terms }) => terms.length > 0);
  const isThere = (kind: string, id: number) =>
    kinds[kind]?.some((entity) => entity.id === id) === true;
  const blockLimits = equipment.blockLimits.filter(({ kind, id }) => isThere(kind, id));
  const lineFactors = equipment.lineFactors.filter(({ line }) => isThere("line", line));
  return {
    ...system,
    equipment: { ...equipment, pumps, constraints, blockLimits, lineFactors },
  };
}
