import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { RiskMeasure } from "@cobre/core";
import type { Case, CutSelection, StoppingRule } from "@cobre/io";
import { loadCase } from "@cobre/sddp";
import { referenceCases } from "@cobre/testing/needs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const EXAMPLES = join(ROOT, "examples/cases");

/** Where a case is. */
export function directoryOf(name: string): string {
  if (isAbsolute(name)) return name;
  const own = join(EXAMPLES, name);
  return existsSync(own) ? own : join(referenceCases ?? "", name);
}

/** One of the examples, a reference case, or the case at a path. */
export function caseNamed(name: string): Promise<Case> {
  return loadCase(directoryOf(name));
}

/** The settings of the method "dynamic": few rows, so that cuts are taken in. Other methods do not look at them. */
const DEMAND = {
  startIteration: 2,
  seedWindow: 1,
  maxAddedPerRound: 3,
  violationTolerance: 1e-10,
};

/** What a test changes in a case. */
export interface Changes {
  readonly iterations?: number;
  readonly forwardPasses?: number;
  readonly risk?: RiskMeasure;
  readonly compat?: "cobre-0.5";
  readonly rules?: readonly StoppingRule[];
  readonly mode?: "any" | "all";
  /** How cuts are selected, after every second iteration. Default: as in the case. */
  readonly selection?: CutSelection["method"];
}

/** The case with changes; stopping rules are an iteration limit alone, if nothing else is said. */
export function changed(source: Case, changes: Changes): Case {
  const { config, study } = source;
  const { iterations, forwardPasses, risk, compat, rules, mode, selection } = changes;
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
        cutSelection:
          selection === undefined
            ? config.training.cutSelection
            : { method: selection, checkFrequency: 2, tolerance: 1e-10, ...DEMAND },
        stoppingMode: mode ?? config.training.stoppingMode,
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
