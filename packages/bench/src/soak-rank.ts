/** A million mixed small collectives on each rank; prints its memory along the way, in MiB. */
import { createCommunicator } from "@cobre/comm";

const calls = Number(process.argv[2]);
const CHECKPOINTS = 10;

const comm = await createCommunicator();
const { size } = comm;
const counts = new Array<number>(size).fill(2);
const displs = counts.map((_, rank) => 2 * rank);
const vector = new Float64Array(4).fill(1);
const sum = new Float64Array(4);
const gathered = new Float64Array(2 * size);

for (let checkpoint = 0; checkpoint <= CHECKPOINTS; checkpoint++) {
  if (checkpoint > 0) for (let i = 0; i < calls / CHECKPOINTS; i++) mixedCall(i);
  const { rss, heapUsed, external } = process.memoryUsage();
  const [rssMiB, heapMiB, externalMiB] = [rss, heapUsed, external].map((bytes) => bytes / 2 ** 20);
  console.log(JSON.stringify({ rssMiB, heapMiB, externalMiB }));
}
comm.close();

function mixedCall(i: number): void {
  const kind = i % 5;
  if (kind === 0) comm.barrier();
  else if (kind === 1) comm.allreduce(vector, sum, "sum");
  else if (kind === 2) comm.broadcast(vector, i % size);
  else if (kind === 3) comm.allgatherv(vector.subarray(0, 2), gathered, counts, displs);
  else comm.allreduce(new Int32Array(100), new Int32Array(100), "max");
}
