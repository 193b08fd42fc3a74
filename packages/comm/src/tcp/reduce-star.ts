/** Long reductions without links between workers: everything goes through the coordinator. */
import { type ArrayType, type CommArray, REDUCE_OPS, type ReduceOp } from "../arrays.js";
import { fold } from "../fold/fold.js";
import type { Reduction } from "./allreduce.js";
import type { Group } from "./group.js";
import type { Link } from "./link.js";
import { Incoming, InPort, Outgoing, OutPort, type Span, spanOf, type Traffic } from "./streams.js";
import { CHUNK_BYTES, TAG } from "./wire.js";

/** Operands come in at the same time and are folded, part by part, in rank order. */
export function atCoordinator<T extends CommArray>(
  group: Group,
  { send, recv, type, op }: Reduction<T>,
): Traffic {
  const { membership, size } = group;
  const bytes = send.byteLength;
  const span = spanOf(group, recv, 0, bytes);
  // Rank 1's operand comes straight into recv, the others' part by part into a buffer each.
  const first = new Incoming(TAG.allreduceSend, [span]);
  const foldings = [new Folding(recv, type, op, () => first.received)];
  const incoming = [first];
  const buffers: T[] = [];
  for (let r = 2; r < size; r++) {
    const buffer = new Uint8Array(CHUNK_BYTES);
    const parts: Span[] = [];
    for (let at = 0; at < bytes; at += CHUNK_BYTES) {
      parts.push(spanOf(group, buffer, 0, Math.min(CHUNK_BYTES, bytes - at)));
    }
    const before = foldings[r - 2] as Folding<T>;
    const limit = () => (foldings[r - 1] as Folding<T>).done + CHUNK_BYTES;
    const stream = new Incoming(TAG.allreduceSend, parts, limit);
    incoming.push(stream);
    buffers.push(new type.constructorFunction(buffer.buffer) as T);
    foldings.push(new Folding(recv, type, op, () => Math.min(before.done, stream.received)));
  }
  const last = foldings.at(-1) as Folding<T>;
  const work = () => {
    let moved = (foldings[0] as Folding<T>).advance((part) => [send, part]);
    for (let r = 2; r < size; r++) {
      const buffer = buffers[r - 2] as T;
      if ((foldings[r - 1] as Folding<T>).advance((part) => [part, buffer], 0)) moved = true;
    }
    return moved;
  };
  return {
    ins: membership.spokes.map((link) => new InPort(link, [incoming[link.rank - 1] as Incoming])),
    outs: membership.spokes.map(
      (link) => new OutPort(link, [new Outgoing(TAG.allreduceRecv, [span], () => last.done)]),
    ),
    work,
  };
}

export function throughCoordinator<T extends CommArray>(
  group: Group,
  { send, recv, op }: Reduction<T>,
): Traffic {
  const span = spanOf(group, recv, 0, recv.byteLength);
  const coordinator = group.membership.star[0] as Link;
  const own = spanOf(group, send, 0, send.byteLength);
  const outgoing = new Outgoing(TAG.allreduceSend, [own], () => send.byteLength, REDUCE_OPS[op]);
  return {
    ins: [new InPort(coordinator, [new Incoming(TAG.allreduceRecv, [span])])],
    outs: [new OutPort(coordinator, [outgoing])],
  };
}

/** Folds into `recv`, a part of the length of a frame at a time, as far as operands have come. */
class Folding<T extends CommArray> {
  /** How many bytes of `recv` are folded. */
  done = 0;
  private readonly total: number;
  private readonly partElements: number;

  constructor(
    private readonly recv: T,
    private readonly type: ArrayType,
    private readonly op: ReduceOp,
    private readonly ready: () => number,
  ) {
    this.total = recv.byteLength;
    this.partElements = CHUNK_BYTES / type.bytesPerElement;
  }

  /**
   * Folds the next parts that are complete. `operands` gives the two operands of a part, each either
   * a part of `recv` or a whole vector, whose part then begins at `from`, by default where the part does.
   */
  advance(operands: (part: T) => readonly [T, T], from?: number): boolean {
    const { recv, type, op, total } = this;
    let moved = false;
    while (this.done < total) {
      const bytes = Math.min(CHUNK_BYTES, total - this.done);
      if (this.ready() < this.done + bytes) break;
      const at = this.done / type.bytesPerElement;
      const n = Math.min(this.partElements, recv.length - at);
      const part = recv.subarray(at, at + n) as T;
      const begin = from ?? at;
      const [a, b] = operands(part).map((vector) =>
        vector === part ? part : (vector.subarray(begin, begin + n) as T),
      ) as [T, T];
      fold([a, b], part, op);
      this.done += bytes;
      moved = true;
    }
    return moved;
  }
}
