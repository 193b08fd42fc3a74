import type { RiskMeasure } from "@cobre/core";
import { type AlgorithmFormats, nearest, type StoppingRule } from "@cobre/io";
import { SddpError } from "./errors.js";
import { RISK_MEASURES } from "./risk/index.js";
import type { RiskMeasurePlugin } from "./risk/risk-measure.js";
import { STOPPING_RULES } from "./stopping/index.js";
import type { StoppingRulePlugin } from "./stopping/stopping-rule.js";

/**
 * Algorithms of your own beside those of this package. `loadCase` and `validateCase` then read their settings, and `train` runs them: give
 * the same to both. All ranks give the same.
 */
export interface Plugins {
  readonly stoppingRules?: readonly StoppingRulePlugin[] | undefined;
  readonly riskMeasures?: readonly RiskMeasurePlugin[] | undefined;
}

/** How all algorithms are written in a case: those of this package and those of the caller. */
export function formatsWith({ stoppingRules = [], riskMeasures = [] }: Plugins): AlgorithmFormats {
  const formats: AlgorithmFormats = {
    stoppingRules: [...STOPPING_RULES, ...stoppingRules],
    riskMeasures: [...RISK_MEASURES, ...riskMeasures],
  };
  checkNames(
    "stopping rule",
    formats.stoppingRules.map(({ type }) => type),
  );
  checkNames(
    "risk measure",
    formats.riskMeasures.map(({ kind }) => kind),
  );
  return formats;
}

/** The plug-in of a stopping rule. */
export function stoppingRuleOf(
  { type }: StoppingRule,
  { stoppingRules = [] }: Plugins,
): StoppingRulePlugin {
  const known = [...STOPPING_RULES, ...stoppingRules];
  const names = known.map((plugin) => plugin.type);
  checkNames("stopping rule", names);
  return known.find((plugin) => plugin.type === type) ?? unknown("stopping rule", type, names);
}

/** The plug-in of a risk measure. */
export function riskMeasureOf(
  { kind }: RiskMeasure,
  { riskMeasures = [] }: Plugins,
): RiskMeasurePlugin {
  const known = [...RISK_MEASURES, ...riskMeasures];
  const names = known.map((plugin) => plugin.kind);
  checkNames("risk measure", names);
  return known.find((plugin) => plugin.kind === kind) ?? unknown("risk measure", kind, names);
}

function checkNames(what: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  throw new SddpError(
    "InvalidSettings",
    `there are two plug-ins for the ${what} "${twice}"; give yours another name`,
  );
}

function unknown(what: string, name: string, names: readonly string[]): never {
  const like = nearest(name, names);
  throw new SddpError(
    "InvalidSettings",
    `the ${what} "${name}" is none of ${names.join(", ")}; ${like === undefined ? "" : `did you mean "${like}"? `}give train the plug-in (plugins of its options) if it is your own`,
  );
}
