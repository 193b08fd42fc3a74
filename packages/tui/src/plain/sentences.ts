import type { RunState } from "../state/run-state.js";
import type { ToldEvent } from "../state/told-event.js";
import { change, counted, duration, money } from "../text/numbers.js";

/**
 * What an event means, in a sentence; nothing for events that a listener need not hear. For screen readers and for files: a line for
 * each iteration and for what happens between them, with no line drawn over.
 *
 * @param run the run, which has taken the event already
 */
export function sentenceOf(run: RunState, event: ToldEvent): string | undefined {
  switch (event.type) {
    case "iteration_done":
      return iterationSentence(run);
    case "scenario_done":
      return scenarioSentence(run, event);
    case "training_started":
    case "held":
    case "checkpoint_written":
    case "training_result":
    case "simulation_started":
    case "simulation_result":
    case "interrupted":
    case "policy_kept":
    case "warning":
    case "error":
      return lastNote(run);
    default:
      return undefined;
  }
}

/** How a run ended. */
export function lastSentence(run: RunState): string {
  if (run.phase === "done") return "The run is done.";
  if (run.phase === "interrupted") return "The run was interrupted.";
  return "The run has failed.";
}

function iterationSentence({ iterations, iterationLimit, leftMs, isEstimate }: RunState): string {
  const last = iterations.at(-1);
  if (last === undefined) return "";
  const { record, elapsedMs } = last;
  const of = iterationLimit === null ? "" : ` of ${iterationLimit}`;
  const before = iterations.at(-2)?.record.lowerBound;
  const bound = isEstimate ? "the estimate of the lower bound" : "the lower bound";
  const rise =
    before === undefined
      ? ""
      : `, ${change((record.lowerBound - before) / Math.max(Math.abs(record.lowerBound), 1e-300))}`;
  const left = leftMs === undefined ? "" : `, about ${duration(leftMs)} left`;
  const passes = counted(record.forwardPasses, "forward pass");
  return `Iteration ${record.iteration}${of}: ${bound} is ${money(record.lowerBound, 6)}${rise}; ${passes} cost ${money(record.upperBoundMean)} on average; ${duration(elapsedMs)} so far${left}.`;
}

/** Every tenth part of the scenarios, and the last one. */
function scenarioSentence(
  run: RunState,
  { done, of }: Extract<ToldEvent, { readonly type: "scenario_done" }>,
): string | undefined {
  const tenth = Math.max(1, Math.ceil(of / 10));
  if (done % tenth !== 0 && done !== of) return undefined;
  if (run.isCensus)
    return `Path ${done} of ${of}${run.ranks > 1 ? " of rank 0" : ""} is simulated.`;
  const mean = run.costs.reduce((sum, cost) => sum + cost / run.costs.length, 0);
  const whose = run.ranks > 1 ? " of rank 0" : "";
  return `Scenario ${done} of ${of}${whose} is simulated; they cost ${money(mean)} on average so far.`;
}

function lastNote({ log }: RunState): string | undefined {
  const entry = log.at(-1);
  if (entry === undefined) return undefined;
  const text = `${entry.level === "note" ? "" : `${entry.level}: `}${entry.text}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
