/** A rank of the measurements of sockets: does the task in its argument and prints a line of JSON. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Communicator, createCommunicator } from "@cobre/comm";
import type { Task } from "./ranks.js";

const task = JSON.parse(process.argv[2] as string) as Task;
using comm = await createCommunicator();

switch (task.kind) {
  case "allgatherv":
    print({ seconds: timeAllgatherv(comm, task.bytes, task.calls) });
    break;
  case "mix":
    print(mix(comm, task.calls));
    break;
  case "memory":
    print({ extraMiB: extraMemory(comm, task.bytes) });
    break;
}

function print(result: object): void {
  console.log(JSON.stringify(result));
}

function makeAllgatherv(group: Communicator, bytes: number): () => void {
  const n = bytes / 8;
  const send = new Float64Array(n).fill(group.rank);
  const recv = new Float64Array(n * group.size).fill(-1);
  const counts = new Array<number>(group.size).fill(n);
  const displs = counts.map((_, r) => r * n);
  return () => group.allgatherv(send, recv, counts, displs);
}

/** The median time of a call. */
function timeAllgatherv(group: Communicator, bytes: number, calls: number): number {
  const call = makeAllgatherv(group, bytes);
  call();
  const times = Array.from({ length: calls }, () => {
    group.barrier();
    const start = performance.now();
    call();
    group.barrier();
    return (performance.now() - start) / 1000;
  });
  return times.sort((a, b) => a - b)[calls >> 1] as number;
}

/** Collectives of several lengths, and a hash of all their results. */
function mix(group: Communicator, calls: number): { seconds: number; hash: string } {
  const hash = createHash("sha256");
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const n = [1, 100, 5000, 50_000][i % 4] as number;
    const send = new Float64Array(n).fill(group.rank + i);
    const recv = new Float64Array(n);
    group.allreduce(send, recv, "sum");
    hash.update(recv);
  }
  return { seconds: (performance.now() - start) / 1000, hash: hash.digest("hex") };
}

/** How much the process grows by the call itself, when its buffers exist already. */
function extraMemory(group: Communicator, bytes: number): number {
  const call = makeAllgatherv(group, bytes);
  group.barrier();
  const before = peakMiB();
  call();
  return peakMiB() - before;
}

function peakMiB(): number {
  const line = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
  return Number(line?.[1]) / 1024;
}
