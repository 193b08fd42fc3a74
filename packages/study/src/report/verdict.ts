import { STOPPING_RULES } from "@cobre/sddp";
import { sumOf } from "./cube.js";
import type { Report } from "./report.js";

/** Whether the run worked and what it came to, in one or two sentences. */
export function verdictOf({ run, convergence, simulation }: Omit<Report, "verdict">): string {
  const { training } = run;
  const simulated = simulation && `${counted(simulation.scenarios.length, "scenario")} simulated`;
  if (training === undefined) return `A policy that was trained elsewhere: ${simulated}.`;
  const iterations = counted(training.iterations, "iteration");
  // The time of all iterations, also of those before the run was last resumed.
  const milliseconds = convergence === undefined ? 0 : sumOf(convergence.milliseconds);
  const time = secondsText(milliseconds / 1000);
  if (training.status === "interrupted") {
    return `Interrupted after ${iterations} in ${time}; \`cobre run … --resume\` continues with the same bits.`;
  }
  const rule = STOPPING_RULES.find(({ type }) => type === training.termination);
  const end = rule?.ending ?? training.termination;
  const rise = convergence?.rise;
  const bound = rise
    ? `; the bound rose ${percentText(rise.percent)} in the last ${rise.iterations}`
    : "";
  return `Trained ${iterations} in ${time}, until ${end}${bound}; ${simulated ?? "nothing simulated"}.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** 0.31 s, 12 s, 4 min 5 s, 2 h 3 min */
export function secondsText(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`;
  const whole = Math.round(seconds);
  if (whole < 120) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 120) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** 0.4 %, 12 %, and 0 % only for nothing at all. */
export function percentText(percent: number): string {
  if (percent === 0 || Number.isNaN(percent)) return Number.isNaN(percent) ? "?" : "0 %";
  const size = Math.abs(percent);
  if (size < 0.01) return "less than 0.01 %";
  return `${size < 10 ? Number(percent.toPrecision(2)) : Math.round(percent)} %`;
}
