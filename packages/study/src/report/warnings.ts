import { withUnit } from "../numbers.js";
import type { ScalingPart } from "../results/scaling.js";
import { sumOf } from "./cube.js";
import type { Report } from "./report.js";
import { percentText } from "./verdict.js";

/** Something that a reader of the results should know, and what to do about it. */
export interface ReportWarning {
  readonly kind:
    | "interrupted"
    | "foreign_cuts"
    | "bound_rising"
    | "bound_above_cost"
    | "wide_interval"
    | "deficit"
    | "deficit_beyond_load"
    | "coefficients"
    | "retries";
  readonly text: string;
  readonly remedy: string;
}

type Facts = Omit<Report, "verdict" | "warnings">;

/** A bound that still rises so much is not the last word. */
const RISE_PERCENT = 1;
/** A mean that is known no better than this deserves more scenarios. */
const INTERVAL_PERCENT = 5;
const GOOD_INTERVAL_PERCENT = 2;

/** The most important first. */
export function warningsOf(facts: Facts): ReportWarning[] {
  return [
    interrupted(facts),
    foreignCuts(facts),
    boundAboveCost(facts),
    boundRising(facts),
    deficit(facts),
    deficitBeyondLoad(facts),
    wideInterval(facts),
    retries(facts),
    ...coefficients(facts),
  ].filter((warning) => warning !== undefined);
}

function interrupted({ run }: Facts): ReportWarning | undefined {
  if (run.training?.status !== "interrupted") return undefined;
  return {
    kind: "interrupted",
    text: "Training was interrupted: its policy is not yet what the case asks for, and nothing is simulated.",
    remedy:
      "Continue with `cobre run … --resume`: the result has the same bits as without the interruption.",
  };
}

function foreignCuts({ run }: Facts): ReportWarning | undefined {
  if (!run.training?.lowerBoundCaveats.includes("foreign_cuts")) return undefined;
  return {
    kind: "foreign_cuts",
    text: "The bound is an estimate: training began with cuts that were made for other data and may lie above the cost.",
    remedy: 'Train without a warm start (policy.mode "fresh") if you need a lower bound.',
  };
}

function boundAboveCost({ run, simulation }: Facts): ReportWarning | undefined {
  const bound = run.training?.lowerBound;
  if (bound === undefined || simulation === undefined || !run.isRiskNeutral) return undefined;
  const { mean, ci95 } = simulation.costs.distribution;
  if (ci95 === null || mean + ci95 >= bound) return undefined;
  return {
    kind: "bound_above_cost",
    text: "The simulated scenarios cost less than the lower bound, beyond their interval: they are luckier than the openings of training.",
    remedy:
      "Simulate more scenarios; if it stays so, compare the scenario sources of training and simulation in config.json.",
  };
}

function boundRising({ run, convergence }: Facts): ReportWarning | undefined {
  const rise = convergence?.rise;
  const { forward, lowerBound = 0 } = run.training ?? {};
  // A policy that costs hardly more than the bound cannot become much better.
  const isDone =
    forward?.isExact && 100 * (forward.mean - lowerBound) <= RISE_PERCENT * Math.abs(lowerBound);
  if (isDone) return undefined;
  if (!rise || !(rise.percent > RISE_PERCENT) || run.training?.status !== "completed")
    return undefined;
  return {
    kind: "bound_rising",
    text: `The bound still rose ${percentText(rise.percent)} in the last ${rise.iterations} iterations: the policy is not at its best.`,
    remedy: `Train longer: \`cobre run … --resume --iterations ${2 * run.training.iterations}\` goes on from this policy.`,
  };
}

function deficit({ simulation }: Facts): ReportWarning | undefined {
  if (simulation === undefined) return undefined;
  const { deficit: missing, load } = simulation.buses;
  const scenarios = simulation.scenarios.length;
  let hit = 0;
  for (let s = 0; s < scenarios; s++) {
    let energy = 0;
    for (let at = s; at < missing.values.length; at += scenarios) {
      energy += missing.values[at] as number;
    }
    if (energy > 1e-6) hit++;
  }
  if (hit === 0) return undefined;
  const share = (100 * sumOf(missing.meanSums())) / sumOf(load.meanSums());
  return {
    kind: "deficit",
    text: `Load is not met in ${hit} of ${scenarios} scenarios; ${percentText(share)} of all energy is missing on average.`,
    remedy:
      "This is a result, not an error. If it surprises you, look at capacities, initial storage and the costs of deficit in the case.",
  };
}

/** Deficit where there is less load, or none: segments have their own MW, and what they give flows on to other buses. */
function deficitBeyondLoad({ simulation }: Facts): ReportWarning | undefined {
  if (simulation === undefined) return undefined;
  const { buses, deficit: missing, load } = simulation.buses;
  const size = missing.stages * missing.scenarios;
  const found = buses.flatMap(({ name }, bus) => {
    let mwh = 0;
    for (let at = bus * size; at < (bus + 1) * size; at++) {
      const weight = missing.probabilities?.[at % missing.scenarios] ?? 1 / missing.scenarios;
      mwh += weight * Math.max(0, (missing.values[at] as number) - (load.values[at] as number));
    }
    return mwh > 1e-3 ? [{ name, mwh }] : [];
  });
  if (found.length === 0) return undefined;
  found.sort((a, b) => b.mwh - a.mwh);
  const places = found.slice(0, 3).map(({ name, mwh }) => `${name}: ${withUnit(mwh, "MWh", 3)}`);
  const more = found.length > 3 ? `, and ${found.length - 3} more` : "";
  return {
    kind: "deficit_beyond_load",
    text: `Some buses have more deficit than load (${places.join("; ")}${more}, on average): a deficit segment has its own MW, whatever the load of the bus, and what it gives flows on to other buses.`,
    remedy:
      "The costs are right if deficit may be shared so. If not, give these buses `deficit_segments` of their own in system/buses.json that cost more than those of the buses they supply.",
  };
}

function wideInterval({ simulation }: Facts): ReportWarning | undefined {
  if (simulation === undefined) return undefined;
  const { mean, ci95, count } = simulation.costs.distribution;
  if (ci95 === null || mean === 0) return undefined;
  const percent = (100 * ci95) / Math.abs(mean);
  if (percent <= INTERVAL_PERCENT) return undefined;
  const needed = roundUp(count * (percent / GOOD_INTERVAL_PERCENT) ** 2);
  return {
    kind: "wide_interval",
    text: `The mean cost is known to ± ${percentText(percent)} only, because ${count} scenarios were simulated.`,
    remedy: `About ${needed} scenarios give ± ${GOOD_INTERVAL_PERCENT} %: \`cobre simulate … --scenarios ${needed}\`.`,
  };
}

function retries({ numerics }: Facts): ReportWarning | undefined {
  const phases = [numerics.training, numerics.simulation].filter((counts) => counts !== null);
  const retried = phases.reduce((total, counts) => total + counts.retried, 0);
  if (retried === 0) return undefined;
  const solves = phases.reduce((total, counts) => total + counts.solves, 0);
  const places = phases
    .flatMap((counts) => counts.retries)
    .sort((a, b) => b.count - a.count)
    .slice(0, 3)
    .map(({ phase, stage, count }) => `${phase}, stage ${stage}: ${count}`);
  return {
    kind: "retries",
    text: `${retried} of ${solves} programs were solved only with other settings of the solver (${places.join("; ")}).`,
    remedy:
      "The results are valid. If there are many, bring the coefficients below closer together.",
  };
}

/** What to look at in a case, by the part of the programs. */
const LOOK_AT: Readonly<Record<ScalingPart, string>> = {
  matrix: "productivities and hours of blocks that are very small or very large",
  objective: "penalties: lower the largest, and raise or drop those that are nearly 0",
  bounds: 'capacities that mean "no limit": leave them out instead of writing a very large number',
  rhs: "loads, inflows and initial storages that are nearly 0 or very large",
};

function coefficients({ numerics }: Facts): ReportWarning[] {
  const { scaling } = numerics;
  if (scaling === null) return [];
  const isTroubled = (numerics.training?.retried ?? 0) + (numerics.simulation?.retried ?? 0) > 0;
  return scaling.unusual.map((part) => {
    const range = scaling.overall[part];
    const usual = `${scaling.usual.min.toExponential(0)} to ${scaling.usual.max.toExponential(0)}`;
    const found = range
      ? `${range.min.toExponential(1)} to ${range.max.toExponential(1)}`
      : "nothing";
    return {
      kind: "coefficients",
      text: `The coefficients of the ${part} go from ${found}; solvers like ${usual}.`,
      remedy: isTroubled
        ? `Look at ${LOOK_AT[part]}.`
        : `Nothing to do, since every program was solved at once. Otherwise look at ${LOOK_AT[part]}.`,
    };
  });
}

/** The next number with two digits and zeros. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}
