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
  const { sources } = equipment;
  return [
    { ...system, equipment: NO_EQUIPMENT },
    ...sources.map((gone) => changed({ sources: sources.filter((one) => one !== gone) })),
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
  };
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
  };
}

/** The equipment without what stands at a bus. */
export function equipmentWithoutBus(equipment: SmallEquipment, gone: number): SmallEquipment {
  return { ...equipment, sources: equipment.sources.filter(({ bus }) => bus !== gone) };
}
