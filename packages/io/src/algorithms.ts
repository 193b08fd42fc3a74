import type { IssueCollector, RiskMeasure, Study } from "@cobre/core";
import type { Config } from "./files/config.js";
import type { ObjectReader } from "./json/object-reader.js";

/**
 * A condition that ends training: the name of a rule, and its settings. They are plain values, which JSON can hold: policies keep them, and a
 * rule is the same if all of them are.
 */
export interface StoppingRule {
  readonly type: string;
  readonly [setting: string]: unknown;
}

/** How a stopping rule is written in `config.json`: `{"type": "time_limit", "seconds": 60}`. */
export interface StoppingRuleFormat {
  /** The name of the rule. */
  readonly type: string;
  /** How it is written, for messages: `{"type": "iteration_limit", "limit": …}`. */
  readonly example: string;
  /** Whether every case must have one. */
  readonly isNeeded?: boolean;
  /** Reads its settings. Faults go to the reader, which knows file and field; then any values that it accepts will do. */
  read(settings: ObjectReader): StoppingRule;
}

/** How a risk measure is written in `stages.json`: `"expectation"`, or with settings `{"cvar": {"alpha": 0.5, "lambda": 1}}`. */
export interface RiskMeasureFormat {
  /** The name of the measure. */
  readonly kind: string;
  /** How it is written, for messages: `{"cvar": {"alpha": …, "lambda": …}}`. */
  readonly example: string;
  /** Reads its settings. A measure without this function has none, and is written as its name. */
  read?(settings: ObjectReader): RiskMeasure;
}

/**
 * Which cuts are kept in the programs: what all methods have, and the settings of the method. They are plain values, which JSON can hold.
 */
export interface CutSelection {
  /** How cuts are judged; `undefined` if only the budget counts. */
  readonly method?: string | undefined;
  /** Cuts are selected after every so many iterations. */
  readonly checkFrequency: number;
  /** The budget. */
  readonly maxActivePerStage?: number | undefined;
  readonly [setting: string]: unknown;
}

/** How a method of cut selection is written in `training.cut_selection`. */
export interface CutSelectionFormat {
  /** The name of the method. */
  readonly method: string;
  /** Reads its settings among those of the section. They have names of their own, and are read even if another method is chosen. */
  read(selection: ObjectReader): { readonly [setting: string]: unknown };
}

/**
 * How the algorithms are written in a case. This package knows none of them: who has algorithms says how to read their settings. Of stages
 * that name no risk measure, the first one is taken. The first method of cut selection is that of a case which says nothing about it.
 */
export interface AlgorithmFormats {
  readonly stoppingRules: readonly [StoppingRuleFormat, ...StoppingRuleFormat[]];
  readonly riskMeasures: readonly [RiskMeasureFormat, ...RiskMeasureFormat[]];
  readonly cutSelections: readonly [CutSelectionFormat, ...CutSelectionFormat[]];
  /** Reports what is wrong with algorithms that each make sense alone, but not together or not in this study. */
  check?(
    config: Pick<Config, "training" | "simulation">,
    study: Study,
    issues: IssueCollector,
  ): void;
}

/** `training.stopping_rules` */
export function readStoppingRules(
  training: ObjectReader,
  [first, ...others]: AlgorithmFormats["stoppingRules"],
): readonly StoppingRule[] {
  const formats = [first, ...others];
  const types = formats.map(({ type }) => type);
  const rules = training.list("stopping_rules").map((rule) => {
    const given = rule.raw("type");
    if (given === "gap" && !types.includes(given)) {
      rule.cannot("type", "a rule about the gap of both bounds, which enumerated paths have");
      return { type: given };
    }
    const type = rule.choice("type", types);
    // Reported: what the fields of a rule that nobody knows should be, nobody knows either.
    if (given !== undefined && given !== type) return { type: String(given) };
    const parsed = (formats.find((format) => format.type === type) ?? first).read(rule);
    rule.finish();
    return parsed;
  });
  const areKnown = rules.length > 0 && rules.every(({ type }) => types.includes(type));
  for (const { type, example, isNeeded = false } of areKnown ? formats : []) {
    if (!isNeeded || rules.some((rule) => rule.type === type)) continue;
    training.report("stopping_rules", `has no ${type}`, `add ${example}`);
  }
  return rules;
}

/** `risk_measure` of a stage. */
export function readRiskMeasure(
  stage: ObjectReader,
  [first, ...others]: AlgorithmFormats["riskMeasures"],
): RiskMeasure {
  const formats = [first, ...others];
  const names = formats.filter(({ read }) => read === undefined).map(({ kind }) => kind);
  const [kind, ...kinds] = formats.filter(({ read }) => read !== undefined).map((one) => one.kind);
  if (kind === undefined) return { kind: stage.choice("risk_measure", names, first.kind) };
  const examples = formats.map(({ example }) => example);
  const remedy = `must be ${[examples.slice(0, -1).join(", "), examples.at(-1)].filter(Boolean).join(" or ")}`;
  const given = stage.choiceOrObject("risk_measure", names, remedy);
  if (given === undefined || typeof given === "string") return { kind: given ?? first.kind };
  const [name, settings] = given.variant([kind, ...kinds]);
  const measure = formats.find((format) => format.kind === name)?.read?.(settings);
  settings.finish();
  given.finish();
  return measure ?? { kind: name };
}
