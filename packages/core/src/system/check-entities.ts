import { CASE_FILES } from "../case-files.js";
import { checkLifetime } from "../lifetime.js";
import type { IssueCollector, IssuePlace } from "../validation/issue.js";
import { HYDRO_COLUMNS, HYDRO_PENALTY_COLUMNS } from "./columns.js";
import { isRepeated } from "./directional-penalties.js";
import type { Bus, DeficitSegment, Hydro, HydroBounds, Line, Thermal } from "./entities.js";
import { checkUnitGroups } from "./unit-groups.js";

/** The group in the file to which each field of a hydro plant belongs. */
const HYDRO_GROUPS = {
  Storage: "reservoir",
  Outflow: "outflow",
  Turbined: "generation",
  Generation: "generation",
};

/** Reports values without physical sense, and references to missing buses. */
export function checkEntities(
  system: {
    readonly buses: readonly Bus[];
    readonly lines: readonly Line[];
    readonly thermals: readonly Thermal[];
    readonly hydros: readonly Hydro[];
  },
  issues: IssueCollector,
): void {
  const buses = new Set(system.buses.map(({ id }) => id));
  if (buses.size === 0) {
    issues.error(
      "physics",
      { file: CASE_FILES.buses, field: "buses" },
      "there is no bus",
      "give at least one",
    );
  }
  for (const bus of system.buses) {
    const place = { file: CASE_FILES.buses, entity: `bus ${bus.id}`, field: "deficit_segments" };
    checkDeficitSegments(bus.deficitSegments, place, issues);
  }
  for (const line of system.lines) checkLine(line, buses, issues);
  for (const thermal of system.thermals) checkThermal(thermal, buses, issues);
  const plants = new Set(system.hydros.map(({ id }) => id));
  for (const hydro of system.hydros) {
    checkHydro(hydro, buses, issues);
    checkDiversion(hydro, plants, issues);
    checkUnitGroups(hydro, buses, issues);
  }
}

/** Costs must increase from segment to segment, and the last segment must be unlimited. */
export function checkDeficitSegments(
  segments: readonly DeficitSegment[],
  place: IssuePlace,
  issues: IssueCollector,
): void {
  if (segments.length === 0) {
    issues.error("physics", place, "there is no segment", "give at least one, with depth_mw null");
  }
  segments.forEach(({ depthMw, costPerMwh }, i) => {
    const at = { ...place, field: `${place.field}[${i}]` };
    const isLast = i === segments.length - 1;
    if (isLast && depthMw !== Number.POSITIVE_INFINITY) {
      issues.error(
        "physics",
        at,
        `the last segment ends at ${depthMw} MW`,
        "its depth_mw must be null",
      );
    }
    if (!isLast && !(depthMw > 0 && depthMw < Number.POSITIVE_INFINITY)) {
      const depth = depthMw === Number.POSITIVE_INFINITY ? "null" : depthMw;
      issues.error(
        "physics",
        at,
        `depth_mw is ${depth}`,
        "it must be above 0; only the last segment may have null",
      );
    }
    checkPositive(costPerMwh, { ...at, field: `${at.field}.cost` }, issues);
    const previous = segments[i - 1];
    if (previous !== undefined && costPerMwh <= previous.costPerMwh) {
      issues.error(
        "physics",
        { ...at, field: `${at.field}.cost` },
        `${costPerMwh} is not above the previous segment's ${previous.costPerMwh}`,
        "costs must increase",
      );
    }
  });
}

/** Penalties must be positive and finite. */
export function checkPositive(value: number, place: IssuePlace, issues: IssueCollector): void {
  if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
    issues.error("physics", place, `is ${value}`, "must be above 0");
  }
}

function checkLine(line: Line, buses: ReadonlySet<number>, issues: IssueCollector): void {
  const place = (field: string) => ({ file: CASE_FILES.lines, entity: `line ${line.id}`, field });
  checkBus(line.sourceBusId, buses, place("source_bus_id"), issues);
  checkBus(line.targetBusId, buses, place("target_bus_id"), issues);
  if (line.sourceBusId === line.targetBusId) {
    issues.error(
      "physics",
      place("target_bus_id"),
      `is bus ${line.targetBusId}, where the line starts`,
      "must be another bus",
    );
  }
  checkNotNegative(line.directMw, place("capacity.direct_mw"), issues);
  checkNotNegative(line.reverseMw, place("capacity.reverse_mw"), issues);
  checkPositive(line.exchangeCost, place("exchange_cost"), issues);
  checkLifetime(line, place(""), issues);
}

function checkThermal(thermal: Thermal, buses: ReadonlySet<number>, issues: IssueCollector): void {
  const place = (field: string) => ({
    file: CASE_FILES.thermals,
    entity: `thermal ${thermal.id}`,
    field,
  });
  checkBus(thermal.busId, buses, place("bus_id"), issues);
  checkNotNegative(thermal.minGenerationMw, place("generation.min_mw"), issues);
  checkPair(thermal.minGenerationMw, thermal.maxGenerationMw, place("generation.max_mw"), issues);
  checkLifetime(thermal, place(""), issues);
  if (thermal.costPerMwh < 0) {
    issues.warning(
      "physics",
      place("cost_per_mwh"),
      `is ${thermal.costPerMwh}`,
      "check the sign: a negative cost pays for generation",
    );
  }
}

function checkHydro(hydro: Hydro, buses: ReadonlySet<number>, issues: IssueCollector): void {
  const entity = `hydro ${hydro.id}`;
  const place = (field: string) => ({ file: CASE_FILES.hydros, entity, field });
  if (hydro.unitGroups === undefined) checkBus(hydro.busId, buses, place("bus_id"), issues);
  checkLifetime(hydro, place(""), issues);
  for (const [name, group] of Object.entries(HYDRO_GROUPS) as [
    keyof typeof HYDRO_GROUPS,
    string,
  ][]) {
    const unit = name === "Storage" ? "Hm3" : name === "Generation" ? "Mw" : "M3s";
    const lower = `min${name}${unit}` as keyof HydroBounds;
    const upper = `max${name}${unit}` as keyof HydroBounds;
    checkNotNegative(hydro[lower], place(`${group}.${HYDRO_COLUMNS[lower]}`), issues);
    checkPair(hydro[lower], hydro[upper], place(`${group}.${HYDRO_COLUMNS[upper]}`), issues);
  }
  if (hydro.productivityMwPerM3s !== undefined) {
    checkPositive(hydro.productivityMwPerM3s, place("generation.productivity_mw_per_m3s"), issues);
  }
  for (const [field, column] of Object.entries(HYDRO_PENALTY_COLUMNS)) {
    const value = hydro.penalties[field as keyof typeof HYDRO_PENALTY_COLUMNS];
    if (isRepeated(field, { ...hydro.penalties })) continue;
    if (field === "fphaTurbinedCost") checkNotNegative(value, place(`penalties.${column}`), issues);
    else checkPositive(value, place(`penalties.${column}`), issues);
  }
}

/** The target of a diversion may be any other plant, also one upstream. */
function checkDiversion(
  { id, diversion }: Hydro,
  plants: ReadonlySet<number>,
  issues: IssueCollector,
): void {
  if (diversion === undefined) return;
  const { downstreamId, maxFlowM3s } = diversion;
  const place = (field: string) => ({ file: CASE_FILES.hydros, entity: `hydro ${id}`, field });
  const target = place("diversion.downstream_id");
  if (downstreamId === id) {
    issues.error("references", target, "is the plant itself", "give the id of another plant");
  } else if (!plants.has(downstreamId)) {
    issues.error(
      "references",
      target,
      `hydro ${downstreamId} does not exist`,
      `give the id of a plant in ${CASE_FILES.hydros}`,
    );
  }
  checkNotNegative(maxFlowM3s, place("diversion.max_flow_m3s"), issues);
}

/** A reference to a bus must be to one that exists. */
export function checkBus(
  id: number,
  buses: ReadonlySet<number>,
  place: IssuePlace,
  issues: IssueCollector,
): void {
  if (!buses.has(id)) {
    issues.error(
      "references",
      place,
      `bus ${id} does not exist`,
      `give the id of a bus in ${CASE_FILES.buses}`,
    );
  }
}

export function checkNotNegative(value: number, place: IssuePlace, issues: IssueCollector): void {
  if (!(value >= 0)) issues.error("physics", place, `is ${value}`, "must not be below 0");
}

export function checkPair(
  lower: number,
  upper: number,
  place: IssuePlace,
  issues: IssueCollector,
): void {
  if (lower > upper) {
    issues.error(
      "physics",
      place,
      `is ${upper}, below the minimum of ${lower}`,
      "the maximum must not be below the minimum",
    );
  }
}
