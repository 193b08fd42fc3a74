/** A rank that trains a case and prints what each iteration took, and at the end its memory. */
import { createCommunicator } from "@cobre/comm";
import { loadCase, type SddpEvent, train } from "@cobre/sddp";
import { loadSolver } from "@cobre/solver";
import { memoryNow, peakKb } from "../process-memory.js";
import { selectionSettings } from "../training/selection.js";
import type { LargeLine, LargeRequest } from "./measurement.js";

const request = JSON.parse(process.argv[2] ?? "") as LargeRequest;
const solver = await loadSolver(request.solver);
const source = await loadCase(request.directory, {
  training: selectionSettings(request.selection),
});
const iterations = source.config.training.stoppingRules.map(({ limit }) => Number(limit))[0];

using comm = await createCommunicator();
let stateDimension = 0;
let cuts = 0;
let end: LargeLine | undefined;
await train(comm, source, { solver, onEvent });
if (end === undefined) throw new Error(`training ended before iteration ${iterations}`);
print(end);

function onEvent(event: SddpEvent): void {
  if (event.type === "training_started") stateDimension = event.stateDimension;
  if (event.type !== "iteration_done") return;
  const { record, solves, simplexIterations } = event;
  cuts += record.cutsAdded;
  const mine = solves.reduce((sum, stage) => sum + stage.solves, 0);
  if (comm.rank === 0) {
    print({
      kind: "iteration",
      iteration: record.iteration,
      seconds: record.totalMs / 1000,
      forwardSeconds: record.forwardMs / 1000,
      backwardSeconds: record.backwardMs / 1000,
      lowerBound: record.lowerBound,
      lps: record.lpSolves,
      simplexIterations: simplexIterations / mine,
      peakKb: peakKb(),
    });
  }
  if (record.iteration !== iterations) return;
  // All ranks are here, and none has given anything back.
  comm.barrier();
  const memory = memoryNow();
  comm.barrier();
  end = { kind: "end", memory, peakKb: peakKb(), cuts, stateDimension };
}

function print(line: LargeLine): void {
  console.log(JSON.stringify(line));
}
