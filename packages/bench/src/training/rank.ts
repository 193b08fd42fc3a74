/** A rank that trains the four-regions example and prints its measurements. */
import { createCommunicator } from "@cobre/comm";
import { type SddpEvent, train } from "@cobre/sddp";
import { loadSolver } from "@cobre/solver";
import { fourRegions } from "./four-regions.js";
import type { Growth, TrainingMeasurement, TrainingRequest } from "./measurement.js";

/** Growth is a mean of this many iterations, because single ones differ with their samples. */
const WINDOW = 20;
const MIB = 2 ** 20;

const request = JSON.parse(process.argv[2] ?? "{}") as TrainingRequest;
const { iterations, warmUp, splitsWaiting, marks } = request;

const comm = await createCommunicator();
const source = await fourRegions(iterations, request.selection);
const solver = await loadSolver(request.solver);
const stagesWithCuts = source.study.time.stages.length - 1;

type IterationDone = Extract<SddpEvent, { type: "iteration_done" }>;
const events: IterationDone[] = [];
const growth: Growth[] = [];
const onEvent = (event: SddpEvent): void => {
  if (event.type !== "iteration_done") return;
  events.push(event);
  if (marks.includes(event.record.iteration)) growth.push(growthNow(event));
};
await train(comm, source, { solver, onEvent, splitsWaiting });
const measured = events.slice(warmUp);
const result: TrainingMeasurement = {
  totalMs: sum(measured, ({ record }) => record.totalMs),
  waitingMs: sum(measured, ({ waitingMs }) => waitingMs),
  movingMs: sum(measured, ({ movingMs }) => movingMs),
  solvingMs: sum(measured, ({ solvingMs }) => solvingMs),
  growth,
};
console.log(JSON.stringify(result));
comm.close();

function growthNow({ record }: IterationDone): Growth {
  const last = events.slice(-WINDOW);
  return {
    iteration: record.iteration,
    cutsPerStage: record.cutsActive / stagesWithCuts,
    iterationMs: sum(last, (event) => event.record.totalMs) / last.length,
    solvingMs: sum(last, ({ solvingMs }) => solvingMs) / last.length,
    simplexIterations:
      sum(last, ({ simplexIterations }) => simplexIterations) /
      sum(last, (event) => event.record.lpSolves),
    peakMiB: process.resourceUsage().maxRSS / 1024,
    heapMiB: process.memoryUsage().heapUsed / MIB,
  };
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
