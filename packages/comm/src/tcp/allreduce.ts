import { type ArrayType, type CommArray, REDUCE_OPS, type ReduceOp } from "../arrays.js";
import { fold } from "../fold/fold.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { POLITE_BYTES, withAnnouncements } from "./allgatherv.js";
import { bytesOf, type Group } from "./group.js";
import type { Ring } from "./joined.js";
import type { Link } from "./link.js";
import { type ShortMessages, shortBytes } from "./short.js";
import {
  Incoming,
  InPort,
  Outgoing,
  OutPort,
  run,
  type Span,
  spanOf,
  type Traffic,
} from "./streams.js";
import { CHUNK_BYTES, TAG } from "./wire.js";

/** A reduction that is under way: what all its parts need to know. */
interface Reduction<T extends CommArray> {
  readonly send: T;
  readonly recv: T;
  readonly type: ArrayType;
  readonly op: ReduceOp;
}

/** Folds everybody's vectors in rank order: at the coordinator, or, if long, along the ring. */
export function allreduce<T extends CommArray>(
  group: Group,
  messages: ShortMessages,
  reduction: Reduction<T>,
): void {
  const { send, recv, type, op } = reduction;
  group.open(encodeCall(CALLS.allreduce, type.code, REDUCE_OPS[op], 0), send.length);
  if (send.byteLength <= shortBytes(group.size)) exchange(group, messages, reduction);
  else if (group.size === 2) run(group, inHalves(group, reduction));
  else if (group.ring !== undefined) run(group, alongRing(group, group.ring, reduction));
  else if (group.rank === 0) run(group, atCoordinator(group, reduction));
  else run(group, throughCoordinator(group, spanOf(group, recv, 0, recv.byteLength), reduction));
}

/** The short way: operands to the coordinator, the result back; two ranks exchange operands. */
function exchange<T extends CommArray>(
  group: Group,
  messages: ShortMessages,
  { send, recv, type, op }: Reduction<T>,
): void {
  const { rank, size, membership } = group;
  const { links } = membership;
  const bytes = send.byteLength;
  const bytesFrom = () => bytes;
  if (rank > 0 || size === 2) {
    messages.compose(true, TAG.allreduceSend, REDUCE_OPS[op], bytes).set(bytesOf(send));
    messages.sendTo(links[0] as Link);
  }
  if (rank > 0 && size > 2) {
    messages.receive(links.slice(0, 1), false, TAG.allreduceRecv, bytesFrom, (_, payload) => {
      bytesOf(recv).set(payload);
    });
    return;
  }
  const operands = new Array<T>(size).fill(send);
  messages.receive(links, true, TAG.allreduceSend, bytesFrom, (r, payload) => {
    operands[r] = messages.aligned(r, payload, type) as T;
  });
  fold(operands, recv, op);
  if (size === 2) return;
  messages.compose(false, TAG.allreduceRecv, 0, bytes).set(bytesOf(recv));
  for (const link of links) messages.sendTo(link);
}

/**
 * Two ranks fold one half each: they exchange operands, then results. Over a network all of it flows
 * both ways at the same time; within a machine, if long, one way after the other, as in an allgatherv.
 */
function inHalves<T extends CommArray>(
  group: Group,
  { send, recv, type, op }: Reduction<T>,
): Traffic {
  const { rank } = group;
  const link = group.membership.links[0] as Link;
  const middle = (send.length >> 1) * type.bytesPerElement;
  const bounds = [0, middle, send.byteLength] as const;
  const half = (array: T, r: number) => {
    const from = bounds[r] as number;
    return spanOf(group, array, from, (bounds[r + 1] as number) - from);
  };
  const operand = new Incoming(TAG.allreduceSend, [half(recv, rank)]);
  const result = new Incoming(TAG.allreduceRecv, [half(recv, 1 - rank)]);
  const at = (bounds[rank] as number) / type.bytesPerElement;
  const end = (bounds[rank + 1] as number) / type.bytesPerElement;
  const mine = recv.subarray(at, end) as T;
  const own = send.subarray(at, end) as T;
  const folding = new Folding(mine, type, op, () => operand.received);
  const operands = (part: T): [T, T] => (rank === 0 ? [own, part] : [part, own]);
  const given = half(send, 1 - rank);
  // Rank 0 sends first; then rank 1, all it has; then rank 0 the rest.
  const isPolite = link.isLocal && send.byteLength >= POLITE_BYTES;
  const mayGive = () => !isPolite || rank === 0 || operand.isDone;
  const mayReturn = () => !isPolite || rank === 1 || result.isDone;
  const available = () => (mayGive() ? given.bytes.length : 0);
  return {
    ins: [new InPort(link, [operand, result])],
    outs: [
      new OutPort(link, [
        new Outgoing(TAG.allreduceSend, [given], available, REDUCE_OPS[op]),
        new Outgoing(TAG.allreduceRecv, [half(recv, rank)], () => (mayReturn() ? folding.done : 0)),
      ]),
    ],
    work: () => folding.advance(operands),
  };
}

/**
 * Rank 0 sends its vector to the right; each rank folds its own into what comes and passes that on.
 * The last rank has the result, which goes around the rest of the ring. Every part of `recv` holds a
 * partial result until it has been passed on, and then the result.
 */
function alongRing<T extends CommArray>(
  group: Group,
  { left, right }: Ring,
  { send, recv, type, op }: Reduction<T>,
): Traffic {
  const { rank, size } = group;
  const bytes = send.byteLength;
  const span = spanOf(group, recv, 0, bytes);
  const isLast = rank === size - 1;
  const partial = new Incoming(TAG.allreduceSend, [span]);
  const folding = new Folding(recv, type, op, () => partial.received);
  const result = new Incoming(TAG.allreduceRecv, [span]);
  const opCode = REDUCE_OPS[op];
  const outgoing: Outgoing[] = [];
  // Results first: nobody can do anything with a partial result that its owner still needs.
  if (isLast) outgoing.push(new Outgoing(TAG.allreduceRecv, [span], () => folding.done));
  else if (rank + 1 < size - 1) {
    outgoing.push(new Outgoing(TAG.allreduceRecv, [span], () => result.received));
  }
  if (rank === 0) {
    const own = spanOf(group, send, 0, bytes);
    outgoing.push(new Outgoing(TAG.allreduceSend, [own], () => bytes, opCode));
  } else if (!isLast) {
    outgoing.push(new Outgoing(TAG.allreduceSend, [span], () => folding.done, opCode));
  }
  const incoming: Incoming[] = [];
  if (rank > 0) incoming.push(partial);
  if (!isLast) incoming.push(result);
  return withAnnouncements(group, {
    ins: [new InPort(left, incoming)],
    outs: [new OutPort(right, outgoing)],
    ...(rank === 0 ? {} : { work: () => folding.advance((part) => [part, send]) }),
  });
}

/** Without a ring: operands come in at the same time and are folded, part by part, in rank order. */
function atCoordinator<T extends CommArray>(
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
    ins: membership.links.map((link) => new InPort(link, [incoming[link.rank - 1] as Incoming])),
    outs: membership.links.map(
      (link) => new OutPort(link, [new Outgoing(TAG.allreduceRecv, [span], () => last.done)]),
    ),
    work,
  };
}

function throughCoordinator<T extends CommArray>(
  group: Group,
  span: Span,
  { send, op }: Reduction<T>,
): Traffic {
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
