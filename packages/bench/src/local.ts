/**
 * The cost of an allreduce of `local`, checks included, beside a bare copy. A separate
 * program, one process per size: V8 then compiles the calls for this size alone.
 * Prints one JSON line per case.
 *
 *     node local.js BYTES BATCHES
 */
import { createCommunicator, type LocalCommunicator } from "@cobre/comm";
import { type Comparison, median } from "./measurement.js";

interface Pair {
  readonly send: Float64Array;
  readonly recv: Float64Array;
}

function makePair(bytes: number): Pair {
  const length = bytes / Float64Array.BYTES_PER_ELEMENT;
  return { send: new Float64Array(length).fill(1), recv: new Float64Array(length).fill(2) };
}

// `set` and `allreduce` write memory that is read after each batch, so neither can be optimised away.
function copy({ send, recv }: Pair, calls: number): void {
  for (let i = 0; i < calls; i++) recv.set(send);
}

function reduce(comm: LocalCommunicator, { send, recv }: Pair, calls: number): void {
  for (let i = 0; i < calls; i++) comm.allreduce(send, recv, "sum");
}

// A program that reduces several vectors in turn passes different arrays to the checks in each call.
function copyInTurn(pairs: readonly Pair[], calls: number): void {
  for (let i = 0; i < calls; i++) {
    const { send, recv } = pairs[i % 8] as Pair;
    recv.set(send);
  }
}

function reduceInTurn(comm: LocalCommunicator, pairs: readonly Pair[], calls: number): void {
  for (let i = 0; i < calls; i++) {
    const { send, recv } = pairs[i % 8] as Pair;
    comm.allreduce(send, recv, "sum");
  }
}

/** Nanoseconds per call of one batch, whose result is checked. */
function timeBatch(pair: Pair, stamp: number, calls: number, run: () => void): number {
  pair.send[0] = stamp;
  const start = performance.now();
  run();
  const elapsed = performance.now() - start;
  if (pair.recv[0] !== stamp) throw new Error("the copy did not take place");
  return (elapsed * 1e6) / calls;
}

const bytes = Number(process.argv[2]);
const batches = Number(process.argv[3]);
const calls = Math.max(20, Math.min(20_000, Math.floor((64 * 1024 * 1024) / bytes)));
const warmup = 20;
const comm = await createCommunicator({ kind: "local" });

/** Batches of both in turn; the first ones are a warm-up for V8. */
function compare(op: string, bare: () => number, ours: () => number): Comparison {
  const bareTimes: number[] = [];
  const ourTimes: number[] = [];
  for (let i = 0; i < warmup + batches; i++) {
    const bareTime = bare();
    const ourTime = ours();
    if (i < warmup) continue;
    bareTimes.push(bareTime);
    ourTimes.push(ourTime);
  }
  const us = median(ourTimes) / 1000;
  const peerUs = median(bareTimes) / 1000;
  const best = Math.min(...ourTimes) / 1000;
  return {
    backend: "local",
    ranks: 1,
    op,
    bytes,
    us,
    best,
    peer: "set",
    peerUs,
    ratio: us / peerUs,
  };
}

// Long arrays are the same for both, because their addresses matter. Short ones are not: the checks
// make V8 move an array off its heap, which `set` alone does not.
const ourPair = makePair(bytes);
const barePair = bytes > 4096 ? ourPair : makePair(bytes);
let stamp = 0;

const results = [
  compare(
    "allreduce",
    () => timeBatch(barePair, ++stamp, calls, () => copy(barePair, calls)),
    () => timeBatch(ourPair, ++stamp, calls, () => reduce(comm, ourPair, calls)),
  ),
];

if (bytes <= 4096) {
  const ourPairs = Array.from({ length: 8 }, () => makePair(bytes));
  const barePairs = Array.from({ length: 8 }, () => makePair(bytes));
  const [ourFirst, bareFirst] = [ourPairs[0] as Pair, barePairs[0] as Pair];
  results.push(
    compare(
      "allreduce, arrays in turn",
      () => timeBatch(bareFirst, ++stamp, calls, () => copyInTurn(barePairs, calls)),
      () => timeBatch(ourFirst, ++stamp, calls, () => reduceInTurn(comm, ourPairs, calls)),
    ),
  );
}

for (const result of results) console.log(JSON.stringify(result));
