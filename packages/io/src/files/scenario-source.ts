import type { ObjectReader } from "../json/object-reader.js";
import { LATER_FIELDS } from "../later-fields.js";

export const SCHEMES = ["in_sample", "out_of_sample", "historical", "external"] as const;
export type Scheme = (typeof SCHEMES)[number];

/** Where the noise of forward passes comes from. */
export interface ScenarioSource {
  /** Whether openings are those of a file. Without it they are if there is such a file. */
  readonly openings?: "generated" | "file" | undefined;
  /** For schemes other than in_sample, whose paths come from the seed of the tree. */
  readonly seed?: number | undefined;
  readonly inflow: Scheme;
  readonly load: Scheme;
  readonly ncs: Scheme;
}

/** Where the noise comes from in a case that says nothing. */
export const IN_SAMPLE: ScenarioSource = {
  inflow: "in_sample",
  load: "in_sample",
  ncs: "in_sample",
};

/** `scenario_source` of training or simulation. */
export function readScenarioSource(source: ObjectReader | undefined): ScenarioSource | undefined {
  if (source === undefined) return undefined;
  const scheme = (key: string): Scheme => {
    const entry = source.optionalObject(key);
    const chosen = entry?.choice("scheme", SCHEMES) ?? "in_sample";
    entry?.finish();
    return chosen;
  };
  const schemes = { inflow: scheme("inflow"), load: scheme("load"), ncs: scheme("ncs") };
  const seed = source.optionalInteger("seed");
  if (seed === undefined && Object.values(schemes).some((chosen) => chosen !== "in_sample")) {
    source.report("seed", "is missing", "schemes other than in_sample need a seed");
  }
  source.ignore("historical_years");
  const openings = source.isLater ? readOpenings(source) : undefined;
  source.refuseLater(LATER_FIELDS.scenarioSource);
  source.finish();
  return { seed, ...schemes, ...(openings && { openings }) };
}

function readOpenings(source: ObjectReader): ScenarioSource["openings"] {
  const openings = source.optionalObject("openings");
  const chosen = openings?.choice("source", ["generated", "file"]);
  openings?.finish();
  return chosen;
}
