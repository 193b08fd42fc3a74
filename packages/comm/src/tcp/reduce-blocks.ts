/** Long reductions: each rank folds one block and sends the result to the others. */
import { type CommArray, REDUCE_OPS } from "../arrays.js";
import type { Reduction } from "./allreduce.js";
import type { Group } from "./group.js";
import { Incoming, InPort } from "./incoming.js";
import type { Operands } from "./operands.js";
import { Outgoing, OutPort } from "./outgoing.js";
import { type Span, spanOf } from "./spans.js";
import type { Traffic } from "./streams.js";
import { CHUNK_BYTES, TAG } from "./wire.js";

/**
 * Every rank sends each other rank its operands for that rank's block, folds its own block as operands
 * arrive, and sends all others the result. In the star, rank 0 has the only block.
 */
export function inBlocks<T extends CommArray>(
  group: Group,
  windows: Operands,
  { send, recv, type, op }: Reduction<T>,
): Traffic {
  const { rank, size, mesh, membership } = group;
  const { bytesPerElement } = type;
  const peers = mesh === undefined ? membership.spokes : group.peers;
  const bound = (r: number) => {
    if (mesh === undefined) return r === 0 ? 0 : send.length;
    return Math.floor((send.length * r) / size);
  };
  const block = (array: T, r: number) => {
    const from = bound(r) * bytesPerElement;
    return spanOf(group, array, from, bound(r + 1) * bytesPerElement - from);
  };
  const result = block(recv, rank);
  const total = result.bytes.length;
  let folded = 0;
  const limit = () => folded + windows.windowBytes;
  const operands = peers.map(
    (link) => new Incoming(TAG.allreduceSend, around(windows, link.rank, total), limit),
  );
  const results = peers.map((link) => new Incoming(TAG.allreduceRecv, [block(recv, link.rank)]));
  const work = () => {
    let moved = false;
    while (folded < total) {
      const bytes = Math.min(CHUNK_BYTES, total - folded);
      if (operands.some((operand) => operand.received < folded + bytes)) break;
      const from = bound(rank) + folded / bytesPerElement;
      const to = from + bytes / bytesPerElement;
      const [own, out] = [send.subarray(from, to) as T, recv.subarray(from, to) as T];
      windows.fold(type, op, own, out, folded % windows.windowBytes);
      folded += bytes;
      moved = true;
    }
    return moved;
  };
  return {
    ins: peers.map(
      (link, i) => new InPort(link, [operands[i] as Incoming, results[i] as Incoming]),
    ),
    outs: peers.map((link) => {
      const given = block(send, link.rank);
      return new OutPort(link, [
        new Outgoing(TAG.allreduceSend, [given], () => given.bytes.length, REDUCE_OPS[op]),
        new Outgoing(TAG.allreduceRecv, [result], () => folded),
      ]);
    }),
    work,
  };
}

/** Spans for `total` bytes that pass through a rank's window, one window after another. */
function around(windows: Operands, rank: number, total: number): Span[] {
  const { windowBytes } = windows;
  const spans: Span[] = [];
  for (let at = 0; at < total; at += windowBytes) {
    spans.push(windows.window(rank, Math.min(windowBytes, total - at)));
  }
  return spans;
}
