import type { RiskMeasure } from "@cobre/core";
import { type CutSelection, nearest, type StoppingRule } from "@cobre/io";
import type { DemandRules } from "./cuts/rows-on-demand.js";
import type { CutSelectionPlugin } from "./cuts/selection/cut-selection.js";
import { CUT_SELECTIONS } from "./cuts/selection/index.js";
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
  readonly cutSelections?: readonly CutSelectionPlugin[] | undefined;
}

/** All stopping rules: those of this package and those of the caller. */
export function stoppingRulesWith({
  stoppingRules = [],
}: Plugins): readonly [StoppingRulePlugin, ...StoppingRulePlugin[]] {
  const all = [...STOPPING_RULES, ...stoppingRules] as const;
  checkNames(
    "stopping rule",
    all.map(({ type }) => type),
  );
  return all;
}

/** All risk measures: those of this package and those of the caller. */
export function riskMeasuresWith({
  riskMeasures = [],
}: Plugins): readonly [RiskMeasurePlugin, ...RiskMeasurePlugin[]] {
  const all = [...RISK_MEASURES, ...riskMeasures] as const;
  checkNames(
    "risk measure",
    all.map(({ kind }) => kind),
  );
  return all;
}

/** The plug-in of a stopping rule. */
export function stoppingRuleOf({ type }: StoppingRule, plugins: Plugins): StoppingRulePlugin {
  const all = stoppingRulesWith(plugins);
  const found = all.find((plugin) => plugin.type === type);
  return (
    found ??
    unknown(
      "stopping rule",
      type,
      all.map((plugin) => plugin.type),
    )
  );
}

/** The plug-in of a risk measure. */
export function riskMeasureOf({ kind }: RiskMeasure, plugins: Plugins): RiskMeasurePlugin {
  const all = riskMeasuresWith(plugins);
  const found = all.find((plugin) => plugin.kind === kind);
  return (
    found ??
    unknown(
      "risk measure",
      kind,
      all.map((plugin) => plugin.kind),
    )
  );
}

/** All methods of cut selection: those of this package and those of the caller. */
export function cutSelectionsWith({
  cutSelections = [],
}: Plugins): readonly [CutSelectionPlugin, ...CutSelectionPlugin[]] {
  const all = [...CUT_SELECTIONS, ...cutSelections] as const;
  checkNames(
    "cut selection",
    all.map(({ method }) => method),
  );
  return all;
}

/** The plug-in of a method of cut selection. */
export function cutSelectionOf(method: string, plugins: Plugins): CutSelectionPlugin {
  const all = cutSelectionsWith(plugins);
  const found = all.find((plugin) => plugin.method === method);
  const names = all.map((plugin) => plugin.method);
  return found ?? unknown("cut selection", method, names);
}

/**
 * How programs take cuts in while they are solved; `undefined` if all cuts that belong there are rows. So they are with a method that nobody knows
 * here: a simulation needs no plug-ins.
 */
export function demandOf(
  selection: CutSelection | undefined,
  plugins: Plugins,
): DemandRules | undefined {
  const found = cutSelectionsWith(plugins).find(({ method }) => method === selection?.method);
  return selection && found?.demand?.(selection);
}

/** Whether cuts are selected after iterations: by a method that keeps some, or by a budget. */
export function selectsCuts(selection: CutSelection, plugins: Plugins): boolean {
  const { method, maxActivePerStage } = selection;
  if (maxActivePerStage !== undefined || method === undefined) return true;
  return cutSelectionOf(method, plugins).keep !== undefined;
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
