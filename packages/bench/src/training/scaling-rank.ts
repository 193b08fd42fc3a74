/**
 * A rank that trains the four-regions example twice: together with the other ranks, and alone. It prints the time of each iteration, both
 * ways.
 *
 * The ranks begin both trainings together, so that each has a neighbour that computes as well.
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
const { lowerBound } = await train(comm, source, { solver, onEvent: listener(togetherMs) });
comm.barrier();
const other = await train(alone, source, { solver, onEvent: listener(aloneMs) });
if (other.lowerBound !== lowerBound) throw new Error("the lower bounds differ");
const result: ScalingMeasurement = { togetherMs, aloneMs };
console.log(JSON.stringify(result));
