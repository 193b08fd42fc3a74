import { CASE_FILES } from "../case-files.js";
import type { IssueCollector } from "../validation/issue.js";
import { buildCascade, type Cascade } from "./cascade.js";
import { checkDeficitSegments, checkEntities, checkPositive } from "./check-entities.js";
import { HYDRO_PENALTY_COLUMNS } from "./columns.js";
import { withDirections } from "./directional-penalties.js";
import { checkContract, type EnergyContract } from "./energy-contract.js";
import type {
  Bus,
  BusInput,
  DeficitSegment,
  DirectionalPenalties,
  Hydro,
  HydroInput,
  HydroPenalties,
  Line,
  LineInput,
  Ordered,
  Thermal,
} from "./entities.js";
import {
  checkNonControllable,
  type NonControllable,
  type NonControllableInput,
} from "./non-controllable.js";
import { checkPumpingStation, type PumpingStation } from "./pumping-station.js";

/** The penalties of the whole system. They apply where an entity gives none of its own. */
export interface GlobalPenalties {
  readonly bus: {
    readonly deficitSegments: readonly DeficitSegment[];
    readonly excessCost: number;
  };
  readonly line: { readonly exchangeCost: number };
  readonly hydro: HydroPenalties & Partial<DirectionalPenalties>;
  readonly nonControllable: { readonly curtailmentCost: number };
}

/** What a system is built from, in any order. */
export interface SystemInput {
  readonly buses: readonly BusInput[];
  readonly lines: readonly LineInput[];
  readonly thermals: readonly Thermal[];
  readonly hydros: readonly HydroInput[];
  readonly nonControllables?: readonly NonControllableInput[] | undefined;
  readonly pumpingStations?: readonly PumpingStation[] | undefined;
  readonly energyContracts?: readonly EnergyContract[] | undefined;
}

/**
 * The system: its entities, sorted by the days on which they start and by id, so that the order in the files never matters, and their
 * connections by index.
 */
export interface System {
  readonly buses: readonly Bus[];
  readonly lines: readonly Line[];
  readonly thermals: readonly Thermal[];
  readonly hydros: readonly Hydro[];
  readonly cascade: Cascade;
  /** The index of the plant to which each plant diverts water, or -1. */
  readonly diversionOfHydro: Int32Array;
  /** The index of each hydro plant's bus. */
  readonly busOfHydro: Int32Array;
  readonly busOfThermal: Int32Array;
  readonly sourceOfLine: Int32Array;
  readonly targetOfLine: Int32Array;
  readonly nonControllables: readonly NonControllable[];
  readonly busOfNonControllable: Int32Array;
  readonly pumpingStations: readonly PumpingStation[];
  readonly busOfPumpingStation: Int32Array;
  /** The index of the plant from which each station pumps, and of the one to which it does. */
  readonly sourceOfPumpingStation: Int32Array;
  readonly destinationOfPumpingStation: Int32Array;
  readonly energyContracts: readonly EnergyContract[];
  readonly busOfContract: Int32Array;
}

/** Builds the system and reports everything that is wrong with it. Use the result only if there is no error. */
export function buildSystem(
  input: SystemInput,
  penalties: GlobalPenalties,
  issues: IssueCollector,
): System {
  checkGlobalPenalties(penalties, issues);
  const buses = inOrder(input.buses, "bus", CASE_FILES.buses, issues).map((bus): Bus => {
    const { deficitSegments, excessCost } = penalties.bus;
    return { ...bus, deficitSegments: bus.deficitSegments ?? deficitSegments, excessCost };
  });
  const lines = inOrder(input.lines, "line", CASE_FILES.lines, issues).map((line): Line => {
    return { ...line, exchangeCost: line.exchangeCost ?? penalties.line.exchangeCost };
  });
  const thermals = inOrder(input.thermals, "thermal", CASE_FILES.thermals, issues);
  const globalPenalties = withDirections(penalties.hydro) as Hydro["penalties"];
  const hydros = inOrder(input.hydros, "hydro", CASE_FILES.hydros, issues).map((hydro): Hydro => {
    const own = withDirections(defined(hydro.penalties ?? {}));
    return { ...hydro, penalties: { ...globalPenalties, ...defined(own) } };
  });
  checkEntities({ buses, lines, thermals, hydros }, issues);
  const nonControllables = inOrder(
    input.nonControllables ?? [],
    "non-controllable source",
    CASE_FILES.nonControllables,
    issues,
  ).map((source): NonControllable => {
    const { curtailmentCost } = penalties.nonControllable;
    return { ...source, curtailmentCost: source.curtailmentCost ?? curtailmentCost };
  });
  const busIds = new Set(buses.map(({ id }) => id));
  for (const source of nonControllables) checkNonControllable(source, busIds, issues);
  const pumpingStations = inOrder(
    input.pumpingStations ?? [],
    "pumping station",
    CASE_FILES.pumpingStations,
    issues,
  );
  const hydroIds = new Set(hydros.map(({ id }) => id));
  for (const one of pumpingStations) checkPumpingStation(one, busIds, hydroIds, issues);
  const energyContracts = inOrder(
    input.energyContracts ?? [],
    "contract",
    CASE_FILES.energyContracts,
    issues,
  );
  for (const contract of energyContracts) checkContract(contract, busIds, issues);
  const hydroAt = (id: number) => hydros.findIndex((hydro) => hydro.id === id);
  const busIndex = new Map(buses.map(({ id }, index) => [id, index]));
  const indexOf = (id: number) => busIndex.get(id) ?? -1;
  return {
    buses,
    lines,
    thermals,
    hydros,
    cascade: buildCascade(hydros, issues),
    diversionOfHydro: Int32Array.from(hydros, ({ diversion }) =>
      hydros.findIndex(({ id }) => id === diversion?.downstreamId),
    ),
    busOfHydro: Int32Array.from(hydros, ({ busId }) => indexOf(busId)),
    busOfThermal: Int32Array.from(thermals, ({ busId }) => indexOf(busId)),
    sourceOfLine: Int32Array.from(lines, ({ sourceBusId }) => indexOf(sourceBusId)),
    targetOfLine: Int32Array.from(lines, ({ targetBusId }) => indexOf(targetBusId)),
    nonControllables,
    busOfNonControllable: Int32Array.from(nonControllables, ({ busId }) => indexOf(busId)),
    pumpingStations,
    busOfPumpingStation: Int32Array.from(pumpingStations, ({ busId }) => indexOf(busId)),
    sourceOfPumpingStation: Int32Array.from(pumpingStations, (one) => hydroAt(one.sourceHydroId)),
    destinationOfPumpingStation: Int32Array.from(pumpingStations, (one) => {
      return hydroAt(one.destinationHydroId);
    }),
    energyContracts,
    busOfContract: Int32Array.from(energyContracts, ({ busId }) => indexOf(busId)),
  };
}

/** In the order of their days, then of their ids. Of entities with the same id only the first stays. */
function inOrder<T extends Ordered & { readonly id: number; readonly name: string }>(
  entities: readonly T[],
  kind: string,
  file: string,
  issues: IssueCollector,
): readonly T[] {
  const seen = new Map<number, string>();
  const sorted = [...entities].sort((a, b) => a.id - b.id);
  const unique = sorted.filter(({ id, name }) => {
    const previous = seen.get(id);
    seen.set(id, name);
    if (previous === undefined) return true;
    issues.error(
      "references",
      { file, entity: `${kind} ${id}`, field: "id" },
      `"${previous}" and "${name}" have the same id`,
      "ids must be unique",
    );
    return false;
  });
  return unique.sort((a, b) => (a.operationalStart ?? 0) - (b.operationalStart ?? 0));
}

function checkGlobalPenalties(penalties: GlobalPenalties, issues: IssueCollector): void {
  const place = (field: string) => ({ file: CASE_FILES.penalties, field });
  checkDeficitSegments(penalties.bus.deficitSegments, place("bus.deficit_segments"), issues);
  checkPositive(penalties.bus.excessCost, place("bus.excess_cost"), issues);
  checkPositive(penalties.line.exchangeCost, place("line.exchange_cost"), issues);
  const { curtailmentCost } = penalties.nonControllable;
  checkPositive(curtailmentCost, place("non_controllable_source.curtailment_cost"), issues);
  for (const [field, column] of Object.entries(HYDRO_PENALTY_COLUMNS)) {
    const value = penalties.hydro[field as keyof HydroPenalties] as number | undefined;
    if (value === undefined) continue; // that of both directions holds
    if (field === "fphaTurbinedCost" && value === 0) continue;
    checkPositive(value, place(`hydro.${column}`), issues);
  }
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
