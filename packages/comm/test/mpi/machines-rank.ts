/** What a rank of a job on several machines does, and sees of it: a line of JSON. */
import { hostname } from "node:os";
import { createCommunicator } from "@cobre/comm";
import { memoryInUse } from "../memory-in-use.js";

/** What a rank has found. */
export interface Found {
  readonly rank: number;
  readonly host: string;
  readonly machines: readonly (readonly number[])[];
  readonly isLeader: boolean;
  readonly local: { readonly rank: number; readonly size: number; readonly sum: number };
  /** The sum of all ranks' numbers, from 1 on. */
  readonly sum: number;
  /** What stands in the region: the number of each rank that has written there. */
  readonly written: readonly number[];
  /** What the region takes of this rank's memory, its share of shared pages counted. */
  readonly regionMiB: number;
}

const MEBIBYTE = 2 ** 20;
/** Far more than V8's own memory comes and goes by. */
const REGION_MIB = 128;

const how = process.argv[2] ?? "meet";
const comm = await createCommunicator();
const sum = new Float64Array(1);

if (how === "meet") {
  comm.allreduce(Float64Array.of(comm.rank + 1), sum, "sum");
  const local = comm.splitLocal();
  const localSum = new Float64Array(1);
  local.allreduce(Float64Array.of(comm.rank + 1), localSum, "sum");

  const before = memoryInUse().pssKiB;
  const region = comm.createSharedRegion(Float64Array, (REGION_MIB * MEBIBYTE) / 8);
  const elements = region.asMutSlice();
  // Everybody touches everything: a page that is only reserved would not count.
  for (let i = comm.size + local.rank; i < elements.length; i += local.size) elements[i] = i;
  elements[comm.rank] = comm.rank + 1;
  region.fence();
  let touched = 0;
  for (let i = comm.size; i < elements.length; i += 512) touched += elements[i] as number;
  comm.barrier();
  const after = memoryInUse().pssKiB;
  comm.barrier();
  const found: Found = {
    rank: comm.rank,
    host: hostname(),
    machines: comm.describe().machines,
    isLeader: comm.isLeader,
    local: { rank: local.rank, size: local.size, sum: localSum[0] as number },
    sum: sum[0] as number,
    written: [...region.asSlice().subarray(0, comm.size)],
    regionMiB: touched > 0 ? (after - before) / 1024 : Number.NaN,
  };
  process.stdout.write(`${JSON.stringify(found)}\n`);
} else {
  // The last rank ends in the midst of it, and the others would go on for ever.
  for (let round = 0; ; round++) {
    comm.allreduce(Float64Array.of(round), sum, "sum");
    if (round !== 100 || comm.rank !== comm.size - 1) continue;
    if (how === "kill") process.kill(process.pid, "SIGKILL");
    else throw new TypeError(`a mistake of rank ${comm.rank} on ${hostname()}`);
  }
}
comm.close();
