/**
 * A rank that makes the same calls through our layer and from C, batch by batch in turn. The process,
 * the arrays and the time are the same, so the remaining difference is the layer.
 * Prints one JSON line per cell.
 *
 *     node rank.js LIBRARY CELL…
 */
import { createCommunicator } from "@cobre/comm";
import koffi from "koffi";
import { type Buffers, check, makeBuffers, timeBatch } from "../operations.js";
import { type Cell, decodeCell } from "../plan.js";
import type { LayerTimes } from "./measurement.js";

const [library = "", ...plan] = process.argv.slice(2);
using comm = await createCommunicator();
// After the communicator, which has loaded MPI in its own way.
const timeBatchOn = koffi
  .load(library)
  .func(
    "double time_batch_on(const char *op, void *send, void *recv, int length, void *counts, void *displs, int calls)",
  );

function timeBareBatch({ op, calls }: Cell, buffers: Buffers): number {
  const { send, recv, length, counts, displs } = buffers;
  const [cCounts, cDispls] = [counts, displs].map((numbers) => Int32Array.from(numbers));
  return timeBatchOn(op, send, recv, length, cCounts, cDispls, calls);
}

const WAYS = {
  ours: (cell: Cell, buffers: Buffers) => timeBatch(cell, buffers, comm),
  bare: timeBareBatch,
};

function measure(cell: Cell): LayerTimes {
  // Each on its own arrays, so that each result is checked separately.
  for (const time of Object.values(WAYS)) {
    const buffers = makeBuffers(cell, comm);
    time({ ...cell, calls: 1 }, buffers);
    check(cell, buffers, comm);
  }
  const buffers = makeBuffers(cell, comm);
  const times = { ours: [] as number[], bare: [] as number[] };
  const turns: (keyof typeof WAYS)[] = ["ours", "bare"];
  for (let i = 0; i < cell.warmup + cell.batches; i++) {
    for (const way of turns) times[way].push(WAYS[way](cell, buffers));
    // Alternate the order, so that neither always comes second.
    turns.reverse();
  }
  check(cell, buffers, comm);
  const { op, bytes, warmup } = cell;
  return { op, bytes, ours: times.ours.slice(warmup), bare: times.bare.slice(warmup) };
}

for (const argument of plan) {
  const times = measure(decodeCell(argument));
  if (comm.rank === 0) console.log(JSON.stringify(times));
}
