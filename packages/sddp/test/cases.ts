import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { RiskMeasure } from "@cobre/core";
import { type Case, loadCase, type StoppingRule } from "@cobre/io";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
/** The cases of the Cobre project; a clone without them runs the cases of our own. */
const REFERENCE = process.env.COBRE_REFERENCE_CASES ?? resolve(ROOT, "../shared/cases");
const EXAMPLES = join(ROOT, "examples/cases");

/** The directory of the reference cases, if it is there. */
export const referenceCases = existsSync(REFERENCE) ? REFERENCE : undefined;

/** Where a case is. */
export function directoryOf(name: string): string {
  const own = join(EXAMPLES, name);
  return existsSync(own) ? own : join(REFERENCE, name);
}

/** One of the examples, or a reference case. */
export function caseNamed(name: string): Promise<Case> {
  return loadCase(directoryOf(name));
}

/** What a test changes in a case. */
export interface Changes {
  readonly iterations?: number;
  readonly forwardPasses?: number;
  readonly risk?: RiskMeasure;
  readonly compat?: "cobre-0.5";
  readonly rules?: readonly StoppingRule[];
}

/** The case with changes; stopping rules are an iteration limit alone, if nothing else is said. */
export function changed(source: Case, changes: Changes): Case {
  const { config, study } = source;
  const { iterations, forwardPasses, risk, compat, rules } = changes;
  const stages = study.time.stages.map((stage) => ({
    ...stage,
    riskMeasure: risk ?? stage.riskMeasure,
  }));
  return {
    ...source,
    config: {
      ...config,
      compat: compat ?? config.compat,
      training: {
        ...config.training,
        forwardPasses: forwardPasses ?? config.training.forwardPasses,
        stoppingRules:
          rules ??
          (iterations === undefined
            ? config.training.stoppingRules
            : [{ type: "iteration_limit", limit: iterations }]),
      },
    },
    study: { ...study, time: { ...study.time, stages } },
  };
}
