/**
 * A rank that trains the four-regions example twice, iteration by iteration in turn: together with the other ranks, and
 * alone. It prints the time of each iteration, both ways.
 *
 * The ranks begin each iteration of either kind together: a shared iteration ends with a meeting, and before it they meet to decide
 * whether to continue. So a disturbance of the machine affects both kinds alike.
 */
import { createCommunicator, LocalCommunicator } from "@cobre/comm";
import { type SddpEvent, train } from "@cobre/sddp";
import { loadSolver } from "@cobre/solver";
import { fourRegions } from "./four-regions.js";
import type { ScalingMeasurement } from "./measurement.js";

const iterations = Number(process.argv[2]);
const source = await fourRegions(iterations);
const solver = await loadSolver("highs");

using comm = await createCommunicator();
using alone = new LocalCommunicator();
const togetherMs: number[] = [];
const aloneMs: number[] = [];
const listener = (times: number[]) => (event: SddpEvent) => {
  if (event.type === "iteration_done") times.push(event.record.totalMs);
};
const [{ lowerBound }, other] = await Promise.all([
  train(comm, source, { solver, onEvent: listener(togetherMs) }),
  train(alone, source, { solver, onEvent: listener(aloneMs) }),
]);
if (other.lowerBound !== lowerBound) throw new Error("the lower bounds differ");
const result: ScalingMeasurement = { togetherMs, aloneMs };
console.log(JSON.stringify(result));
