/**
 * The noise of a system whose tree the program draws. The independent draws are the program's, with other tests to hold them. Their correlation is
 * computed here: if any two of n entities have the correlation r, the symmetric square root of the matrix is √(1 - r) on the diagonal,
 * and (√(1 - r + n r) - √(1 - r)) / n is added everywhere.
 */
import { type Case, fillOpeningTree, openingTreeLength } from "@cobre/io";
import { uncertainSourcesById } from "./equipment.js";
import { hydrosById, type SmallSystem, uncertainBusesById } from "./system.js";

/** The system with the noise that `source`, its case, draws. A system with noise of its own stays as it is. */
export function withSampledNoise(system: SmallSystem, source: Case): SmallSystem {
  if (system.treeSeed === null) return system;
  const independent: Case = {
    ...source,
    uncertainty: { ...source.uncertainty, correlation: undefined },
  };
  const tree = fillOpeningTree(independent, new Float64Array(openingTreeLength(source)));
  const hydros = hydrosById(system).map(({ id }) => id);
  const buses = uncertainBusesById(system).map(({ id }) => id);
  const sources = uncertainSourcesById(system).map(({ id }) => id);
  const classes = {
    inflow: { ids: hydros, first: 0 },
    load: { ids: buses, first: hydros.length },
    ncs: { ids: sources, first: hydros.length + buses.length },
  };
  const noise = (kind: keyof typeof classes, id: number, t: number): number[] => {
    const { ids, first } = classes[kind];
    const { openings, correlation } = system.stages[t];
    const r = correlation?.[kind === "ncs" ? "load" : kind] ?? 0;
    const own = Math.sqrt(1 - r);
    const common = (Math.sqrt(1 - r + ids.length * r) - own) / ids.length;
    return Array.from({ length: openings }, (_, opening) => {
      const at = tree.offset(t, opening) + first;
      const draws = ids.map((_id, i) => tree.values[at + i]);
      const sum = draws.reduce((total, value) => total + value, 0);
      return own * draws[ids.indexOf(id)] + common * sum;
    });
  };
  return {
    ...system,
    hydros: system.hydros.map((hydro) => ({
      ...hydro,
      stages: hydro.stages.map((stage, t) => ({ ...stage, noise: noise("inflow", hydro.id, t) })),
    })),
    buses: system.buses.map((bus) => ({
      ...bus,
      stages: buses.includes(bus.id)
        ? bus.stages.map((stage, t) => ({ ...stage, noise: noise("load", bus.id, t) }))
        : bus.stages,
    })),
    equipment: {
      ...system.equipment,
      sources: system.equipment.sources.map((source) => ({
        ...source,
        stages: source.isUncertain
          ? source.stages.map((stage, t) => ({ ...stage, noise: noise("ncs", source.id, t) }))
          : source.stages,
      })),
    },
  };
}
