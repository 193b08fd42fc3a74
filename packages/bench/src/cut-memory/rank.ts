/**
 * A rank with many cuts, made by no solver: what training keeps of them, first in the pools, then also as rows of the programs. Prints its memory
 * after each step, while all ranks hold theirs.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createCommunicator } from "@cobre/comm";
import { CutPool, defineModel } from "@cobre/sddp";
import { loadSolver } from "@cobre/solver";
import { Exchange, openModel, SharedCutMemory, Workspace } from "../../../sddp/dist/internal.js";
import { type MemoryOfRank, memoryNow, peakKb } from "../process-memory.js";
import type { CutMemoryRequest } from "./measurement.js";

const { stages, cutsPerStage, dimension } = JSON.parse(process.argv[2] ?? "") as CutMemoryRequest;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const model = defineModel({
  stages,
  state: Object.fromEntries(Array.from({ length: dimension }, (_, i) => [`stock_${i}`, 1])),
  build(stage) {
    for (const [name, stock] of Object.entries(stage.state)) {
      const sold = stage.column(`sold_${name}`, { objective: 1, upper: 1 });
      stage.row(
        name,
        [
          [stock.out, 1],
          [stock.in, -1],
          [sold, 1],
        ],
        { equals: 0 },
      );
    }
  },
});
const solver = await loadSolver("highs");
const comm = await createCommunicator();
const opened = openModel(comm, model);
const before = memoryOfAll();

const memory = new SharedCutMemory(comm);
const pools = Array.from({ length: stages }, () => new CutPool(dimension, memory));
const slopes = new Float64Array(dimension);
for (const [stage, pool] of pools.slice(0, -1).entries()) {
  for (let cut = 0; cut < cutsPerStage; cut++) {
    if (memory.isWriter) {
      for (let i = 0; i < dimension; i++) slopes[i] = -1 / (1 + i + cut + stage);
      pool.add(1, cut, -cut, slopes);
    } else pool.addUnwritten(1, cut);
  }
}
memory.fence();
// A rank has the pages of its own that it has read.
for (const pool of pools) {
  let sum = 0;
  for (let cut = 0; cut < pool.count; cut++) sum += pool.coefficient(cut, dimension - 1);
  if (sum > 0) throw new Error("cuts were not written");
}
const withCuts = memoryOfAll();

using workspace = new Workspace(opened, solver, new Exchange(comm), ".", pools);
const withPrograms = memoryOfAll();
const { cuts } = workspace;
console.log(JSON.stringify({ before, withCuts, withPrograms, peakKb: peakKb(), cuts }));
comm.barrier();
workspace.close();
memory.close();
comm.close();

/** What this rank holds while every other rank holds as much. */
function memoryOfAll(): MemoryOfRank {
  collectGarbage();
  comm.barrier();
  const memory = memoryNow();
  comm.barrier();
  return memory;
}
