import {
  CASE_FILES,
  type DeficitSegment,
  type GlobalPenalties,
  HYDRO_PENALTY_COLUMNS,
  type HydroInput,
  type IssueCollector,
} from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import { LATER_FIELDS } from "../later-fields.js";
import type { CaseDirectory } from "../memory/memory-case.js";

const DEFAULT_NONNEGATIVITY_COST = 1000;
/** Without one of these, the cost of both directions holds. */
const BY_DIRECTION = /(Pos|Neg)Cost$/;

/** Reads `penalties.json`. */
export async function readPenalties(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<GlobalPenalties | undefined> {
  const root = await readJson(directory, CASE_FILES.penalties, issues);
  return root && penaltiesOf(root);
}

/** What `penalties.json` says. */
export function penaltiesOf(root: ObjectReader): GlobalPenalties {
  const bus = root.object("bus");
  const line = root.object("line");
  const hydro = root.object("hydro");
  const source = root.object("non_controllable_source");
  const penalties: GlobalPenalties = {
    bus: {
      deficitSegments: readSegments(bus.list("deficit_segments")),
      excessCost: bus.number("excess_cost"),
    },
    line: { exchangeCost: line.number("exchange_cost") },
    hydro: readHydroPenalties(hydro),
    nonControllable: { curtailmentCost: source.number("curtailment_cost") },
  };
  hydro.refuseLater(LATER_FIELDS.hydroPenalties);
  root.refuseEarlier({ version: "remove it" });
  if (!root.isLater) root.ignore("version");
  for (const reader of [root, bus, line, hydro, source]) reader.finish();
  return penalties;
}

/** Deficit segments; one without a depth is unlimited. */
export function readSegments(segments: readonly ObjectReader[]): readonly DeficitSegment[] {
  return segments.map((segment) => {
    const depthMw = segment.optionalNumber("depth_mw") ?? Number.POSITIVE_INFINITY;
    const costPerMwh = segment.number("cost");
    segment.finish();
    return { depthMw, costPerMwh };
  });
}

/** The penalties that a plant overrides. */
export function readHydroOverrides(penalties: ObjectReader): HydroInput["penalties"] {
  const values: Record<string, number | undefined> = {};
  for (const [field, column] of Object.entries(HYDRO_PENALTY_COLUMNS)) {
    values[field] = penalties.optionalNumber(nameOf(column, penalties));
  }
  penalties.refuseLater(LATER_FIELDS.hydroPenalties);
  penalties.finish();
  return values as HydroInput["penalties"];
}

/** Cobre 0.18 charges turbined water of every plant, and calls its cost so. */
function nameOf(column: string, penalties: ObjectReader): string {
  return column === HYDRO_PENALTY_COLUMNS.fphaTurbinedCost
    ? penalties.word(column, "turbined_cost")
    : column;
}

function readHydroPenalties(hydro: ObjectReader): GlobalPenalties["hydro"] {
  const values: Record<string, number> = {};
  for (const [field, name] of Object.entries(HYDRO_PENALTY_COLUMNS)) {
    const column = nameOf(name, hydro);
    if (BY_DIRECTION.test(field)) {
      const value = hydro.optionalNumber(column);
      if (value !== undefined) values[field] = value;
      continue;
    }
    values[field] =
      field === "inflowNonnegativityCost"
        ? (hydro.optionalNumber(column) ?? DEFAULT_NONNEGATIVITY_COST)
        : hydro.number(column);
  }
  return values as unknown as GlobalPenalties["hydro"];
}
