/** Long reductions between linked ranks: each folds a block of its own and sends the others the result. */
import { type ArrayType, type CommArray, REDUCE_OPS } from "../arrays.js";
import { fold } from "../fold/fold.js";
import { POLITE_BYTES } from "./allgatherv.js";
import type { Reduction } from "./allreduce.js";
import type { Group } from "./group.js";
import { Incoming, InPort, Outgoing, OutPort, type Span, spanOf, type Traffic } from "./streams.js";
import { CHUNK_BYTES, TAG } from "./wire.js";

/** How far an operand may be ahead of the fold, and all of them together. */
const WINDOW_BYTES = 8 * CHUNK_BYTES;
const ALL_WINDOWS_BYTES = 2 ** 24;

/** Where operands of others arrive, to be folded. They are kept: fresh memory is slow. */
export class Windows {
  private readonly buffers: Uint8Array[] = [];

  /** The i-th of `count` windows. */
  at(i: number, count: number): Uint8Array {
    const share = Math.max(1, Math.floor(ALL_WINDOWS_BYTES / count / CHUNK_BYTES)) * CHUNK_BYTES;
    this.buffers[i] ??= new Uint8Array(Math.min(WINDOW_BYTES, share));
    return this.buffers[i];
  }
}

/**
 * Every rank sends each other its operands for that one's block, folds its own block as they come, and
 * sends everybody the result.
 */
export function inBlocks<T extends CommArray>(
  group: Group,
  windows: Windows,
  { send, recv, type, op }: Reduction<T>,
): Traffic {
  const { rank, size, peers } = group;
  const { bytesPerElement } = type;
  const bound = (r: number) => Math.floor((send.length * r) / size);
  const block = (array: T, r: number) => {
    const from = bound(r) * bytesPerElement;
    return spanOf(group, array, from, bound(r + 1) * bytesPerElement - from);
  };
  const result = block(recv, rank);
  const total = result.bytes.length;
  let folded = 0;
  const buffers = peers.map((_, i) => windows.at(i, peers.length));
  const operands = buffers.map((buffer) => {
    const limit = () => folded + buffer.length;
    return new Incoming(TAG.allreduceSend, around(group, buffer, total), limit);
  });
  const results = peers.map((link) => new Incoming(TAG.allreduceRecv, [block(recv, link.rank)]));

  /** The operands of a part of the block, in rank order. */
  const elementsAt = (at: number, n: number): T[] => {
    const first = bound(rank) + at / bytesPerElement;
    const all = new Array<T>(size);
    all[rank] = send.subarray(first, first + n) as T;
    for (const [i, { rank: r }] of peers.entries()) {
      const buffer = buffers[i] as Uint8Array;
      all[r] = elementsOf(buffer, at % buffer.length, n, type) as T;
    }
    return all;
  };
  const work = () => {
    let moved = false;
    while (folded < total) {
      const bytes = Math.min(CHUNK_BYTES, total - folded);
      if (operands.some((operand) => operand.received < folded + bytes)) break;
      const n = bytes / bytesPerElement;
      const first = bound(rank) + folded / bytesPerElement;
      fold(elementsAt(folded, n), recv.subarray(first, first + n) as T, op);
      folded += bytes;
      moved = true;
    }
    return moved;
  };

  // Two ranks of one machine: rank 0 sends first; then rank 1, all it has; then rank 0 the rest.
  const isPolite = size === 2 && peers[0]?.isLocal === true && send.byteLength >= POLITE_BYTES;
  const mayGive = () => !isPolite || rank === 0 || operands[0]?.isDone === true;
  const mayReturn = () => !isPolite || rank === 1 || results[0]?.isDone === true;
  return {
    ins: peers.map(
      (link, i) => new InPort(link, [operands[i] as Incoming, results[i] as Incoming]),
    ),
    outs: peers.map((link) => {
      const given = block(send, link.rank);
      const available = () => (mayGive() ? given.bytes.length : 0);
      return new OutPort(link, [
        new Outgoing(TAG.allreduceSend, [given], available, REDUCE_OPS[op]),
        new Outgoing(TAG.allreduceRecv, [result], () => (mayReturn() ? folded : 0)),
      ]);
    }),
    work,
  };
}

/** `total` bytes that go through a buffer again and again. */
function around(group: Group, buffer: Uint8Array, total: number): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < total; at += buffer.length) {
    spans.push(spanOf(group, buffer, 0, Math.min(buffer.length, total - at)));
  }
  return spans;
}

function elementsOf(buffer: Uint8Array, at: number, n: number, type: ArrayType): CommArray {
  return new type.constructorFunction(buffer.buffer, buffer.byteOffset + at, n);
}
