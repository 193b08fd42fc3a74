import type { Cube, SimulationReport } from "@cobre/study";
import { rounded } from "@cobre/study/numbers";

/** Where power comes from, in the order of the stack. */
export interface PowerSource {
  readonly name: string;
  readonly style: string;
}

/** Energy by place and source, and the load of each place, in MWh. Place 0 is the whole system, the others are the buses. */
export interface PowerBySource {
  readonly sources: readonly PowerSource[];
  /** Items are `place * (sources.length + 1) + source`; after the sources of a place comes its load. */
  readonly cube: Cube;
  /** What the power is for. What pumps take and contracts export is on top of the load. */
  readonly use: string;
}

/** Thermal plants are told apart by what they cost, in so many classes at most. */
const CLASSES = 4;

export function powerBySource(simulation: SimulationReport): PowerBySource {
  const { hydros, thermals, buses, sources: others, pumps, contracts } = simulation;
  const classes = thermalClasses(simulation);
  const sources: PowerSource[] = [
    { name: "hydro", style: "hydro" },
    { name: "non-controllable sources", style: "source" },
    ...classes.names.map((name, i) => ({ name, style: `thermal${i}` })),
    { name: "imports", style: "import" },
    { name: "deficit", style: "deficit" },
  ];
  const [firstThermal, imports, deficit, load] = [
    2,
    sources.length - 2,
    sources.length - 1,
    sources.length,
  ];
  const width = sources.length + 1;
  const { stages, scenarios } = buses.load;
  const cube = buses.load.alike((1 + buses.buses.length) * width, 0);
  const size = stages * scenarios;
  const add = (from: Cube, item: number, busId: number | undefined, source: number) => {
    const place = buses.buses.findIndex(({ id }) => id === busId);
    const values = from.values.subarray(item * size, (item + 1) * size);
    for (const at of place === -1 ? [0] : [0, place + 1]) {
      const start = (at * width + source) * size;
      for (let i = 0; i < size; i++) (cube.values[start + i] as number) += values[i] as number;
    }
  };
  hydros.plants.forEach(({ busId }, plant) => {
    add(hydros.energy, plant, busId, 0);
  });
  thermals.plants.forEach(({ busId }, plant) => {
    add(thermals.energy, plant, busId, firstThermal + (classes.of[plant] as number));
  });
  buses.buses.forEach(({ id }, bus) => {
    add(buses.deficit, bus, id, deficit);
    add(buses.load, bus, id, load);
  });
  others.sources.forEach(({ busId }, source) => {
    add(others.energy, source, busId, 1);
  });
  pumps.stations.forEach(({ busId }, station) => {
    add(pumps.energy, station, busId, load);
  });
  contracts.contracts.forEach(({ busId }, contract) => {
    const isExport = contracts.types[contract] === "export";
    add(contracts.energy, contract, busId, isExport ? load : imports);
  });
  const uses = [
    "load",
    ...(pumps.stations.length > 0 ? ["pumps"] : []),
    ...(contracts.types.includes("export") ? ["exports"] : []),
  ];
  return { sources, cube, use: uses.join(", ") };
}

/** Groups of plants by cost per MWh, each with about as many plants. Plants that never run are in the last one. */
function thermalClasses({ thermals }: SimulationReport): { names: string[]; of: number[] } {
  const [energy, cost] = [thermals.energy.meanSums(), thermals.cost.meanSums()];
  const unit = thermals.plants.map((_, plant) => {
    const mwh = energy[plant] as number;
    return mwh > 1e-9 ? (cost[plant] as number) / mwh : Number.NaN;
  });
  const sorted = unit.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) {
    return thermals.plants.length === 0
      ? { names: [], of: [] }
      : { names: ["thermal"], of: unit.map(() => 0) };
  }
  const count = Math.min(CLASSES, new Set(sorted.map((one) => one.toFixed(2))).size);
  const ends = Array.from(
    { length: count },
    (_, i) => sorted[Math.ceil(((i + 1) * sorted.length) / count) - 1] as number,
  ).filter((end, i, all) => end !== all[i - 1]);
  const names = ends.map((end, i) => {
    const members = sorted.filter(
      (one) => one <= end && (i === 0 || one > (ends[i - 1] as number)),
    );
    const [low, high] = [rounded(members[0] as number, 3), rounded(end, 3)];
    return `thermal at ${low === high ? low : `${low} to ${high}`} $/MWh`;
  });
  const of = unit.map((one) => {
    const place = ends.findIndex((end) => one <= end);
    return place === -1 ? ends.length - 1 : place;
  });
  return { names, of };
}
