import {
  CASE_FILES,
  type InitialConditionsInput,
  type IssueCollector,
  type LoadFactorInput,
} from "@cobre/core";
import type { CorrelationGroup, CorrelationSpec, NoiseClass } from "@cobre/stochastic";
import type { ObjectReader } from "../json/object-reader.js";
import { readJson } from "../json/read-json.js";
import type { InflowWindow } from "../lag-windows.js";
import type { CaseDirectory } from "../memory/memory-case.js";
import { unsupported } from "../unsupported.js";
import { pastCommitmentsOf } from "./commitments.js";
import { fillingStorageOf } from "./filling.js";
import { pastDefluencesOf } from "./travel-time.js";

/** Reads `initial_conditions.json`. */
export async function readInitialConditions(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<ReturnType<typeof initialConditionsOf> | undefined> {
  const root = await readJson(directory, CASE_FILES.initialConditions, issues);
  return root && initialConditionsOf(root, issues);
}

/** What `initial_conditions.json` says. Only Cobre 0.18 reckons lags from observations. */
export function initialConditionsOf(
  root: ObjectReader,
  issues: IssueCollector,
): InitialConditionsInput & { readonly observations?: readonly InflowWindow[] } {
  const storage = root.list("storage").map((entry) => {
    const fields = { hydroId: entry.integer("hydro_id"), valueHm3: entry.number("value_hm3") };
    entry.finish();
    return fields;
  });
  const fillingStorage = fillingStorageOf(root);
  const pastDefluences = pastDefluencesOf(root);
  const pastCommitments = pastCommitmentsOf(root);
  if (root.isLater) {
    root.refuseEarlier({
      past_inflows: `give the inflows before the study in recent_observations, or in ${CASE_FILES.inflowHistory}`,
    });
    const observations = (root.optionalList("recent_observations") ?? []).map(readObservation);
    root.finish();
    return { storage, fillingStorage, pastDefluences, pastCommitments, observations };
  }
  const pastInflows = (root.optionalList("past_inflows") ?? []).map((entry) => {
    const fields = { hydroId: entry.integer("hydro_id"), valuesM3s: entry.numbers("values_m3s") };
    entry.ignore("season_ids");
    entry.finish();
    return fields;
  });
  if ((root.optionalList("recent_observations") ?? []).length > 0) {
    const what = "inflows observed in a part of a stage";
    unsupported(issues, CASE_FILES.initialConditions, "recent_observations", what);
  }
  root.finish();
  return { storage, fillingStorage, pastDefluences, pastCommitments, pastInflows };
}

function readObservation(entry: ObjectReader): InflowWindow {
  const fields = {
    hydroId: entry.integer("hydro_id"),
    start: entry.day("start_date"),
    end: entry.day("end_date"),
    valueM3s: entry.number("value_m3s"),
  };
  entry.finish();
  return fields;
}

/** Reads `scenarios/load_factors.json`, if it exists. */
export async function readLoadFactors(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<readonly LoadFactorInput[]> {
  const root = await readJson(directory, CASE_FILES.loadFactors, issues, true);
  return root === undefined ? [] : loadFactorsOf(root);
}

/** What `scenarios/load_factors.json` says. */
export function loadFactorsOf(root: ObjectReader): readonly LoadFactorInput[] {
  const factors = root.list("load_factors").map((entry) => {
    const fields = {
      busId: entry.integer("bus_id"),
      stageId: entry.integer("stage_id"),
      factors: entry.list("block_factors").map((block) => {
        const factor = { blockId: block.integer("block_id"), factor: block.number("factor") };
        block.finish();
        return factor;
      }),
    };
    entry.finish();
    return fields;
  });
  root.finish();
  return factors;
}

const NOISE_CLASSES = ["inflow", "load", "ncs"] as const satisfies readonly NoiseClass[];

/** Reads `scenarios/correlation.json`, if it exists. */
export async function readCorrelation(
  directory: CaseDirectory,
  issues: IssueCollector,
): Promise<CorrelationSpec | undefined> {
  const root = await readJson(directory, CASE_FILES.correlation, issues, true);
  return root && correlationOf(root, issues);
}

/** What `scenarios/correlation.json` says. */
export function correlationOf(root: ObjectReader, issues: IssueCollector): CorrelationSpec {
  if (root.isLater) root.onlyText("method", "spectral", (other) => `the method ${other}`);
  const method = root.isLater ? "spectral" : root.text("method");
  if (method !== "spectral" && method !== "cholesky" && method !== "") {
    const place = { file: CASE_FILES.correlation, field: "method" };
    issues.warning("schema", place, `"${method}" is not a known method`, "spectral is used");
  }
  const profiles: Record<string, readonly CorrelationGroup[]> = {};
  for (const [name, profile] of root.object("profiles").entries()) {
    profiles[name] = profile.list("correlation_groups").map(readGroup);
    profile.finish();
  }
  const schedule = (root.optionalList("schedule") ?? []).map((entry) => {
    const fields = { stageId: entry.integer("stage_id"), profile: entry.text("profile_name") };
    entry.finish();
    return fields;
  });
  root.finish();
  return { profiles, schedule };
}

function readGroup(group: ObjectReader): CorrelationGroup {
  const matrix = group.matrix("matrix");
  const result = {
    name: group.text("name"),
    entities: group.list("entities").map((entry) => {
      const entity = { type: entry.choice("type", NOISE_CLASSES), id: entry.integer("id") };
      entry.finish();
      return entity;
    }),
    matrix,
  };
  group.finish();
  return result;
}
