/** A rank that trains the four-region example and prints what it took: iterations, then where to look at memory. */
import { fileURLToPath } from "node:url";
import { createCommunicator } from "@cobre/comm";
import { loadCase } from "@cobre/io";
import { type SddpEvent, train } from "@cobre/sddp";
import type { TrainingMeasurement } from "./measure.js";

const [limit = "10", ...marks] = process.argv.slice(2);
const directory = fileURLToPath(
  new URL("../../../../examples/cases/four-regions", import.meta.url),
);

const comm = await createCommunicator();
const found = await loadCase(directory);
const { training } = found.config;
const source = {
  ...found,
  config: {
    ...found.config,
    training: {
      ...training,
      stoppingRules: [{ type: "iteration_limit" as const, limit: Number(limit) }],
    },
  },
};

let [totalMs, waitingMs, movingMs, solvingMs, lpSolves] = [0, 0, 0, 0, 0];
const growth: TrainingMeasurement["growth"][number][] = [];
const onEvent = (event: SddpEvent): void => {
  if (event.type !== "iteration_done") return;
  totalMs += event.record.totalMs;
  waitingMs += event.waitingMs;
  movingMs += event.movingMs;
  solvingMs += event.solvingMs;
  lpSolves += event.record.lpSolves;
  const { iteration } = event.record;
  if (!marks.includes(String(iteration))) return;
  const rssMiB = process.memoryUsage().rss / 2 ** 20;
  growth.push({ iteration, rssMiB, iterationMs: event.record.totalMs });
};
const { lowerBound } = await train(comm, source, { onEvent, splitsWaiting: true });
const result: TrainingMeasurement = {
  lowerBound,
  totalMs,
  waitingMs,
  movingMs,
  solvingMs,
  lpSolves,
  growth,
};
console.log(JSON.stringify(result));
comm.close();
