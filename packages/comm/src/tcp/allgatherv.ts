import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall, hashCounts } from "../group/fingerprint.js";
import { bytesOf, type Group } from "./group.js";
import { Incoming, InPort } from "./incoming.js";
import type { Link } from "./link.js";
import { Outgoing, OutPort } from "./outgoing.js";
import { SHORT_BYTES, type ShortMessages } from "./short.js";
import { type Span, spanOf } from "./spans.js";
import { run, type Traffic } from "./streams.js";
import { TAG } from "./wire.js";

/** Sends every rank's piece to all ranks: directly, or through the coordinator. */
export function allgatherv<T extends CommArray>(
  group: Group,
  messages: ShortMessages,
  send: T,
  recv: T,
  type: ArrayType,
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
): void {
  const { size, rank } = group;
  let total = 0;
  for (let r = 0; r < size; r++) total += counts[r] as number;
  group.open(encodeCall(CALLS.allgatherv, type.code, 0, 0), total, hashCounts(counts));
  (recv as Float64Array).set(send as Float64Array, displs[rank] as number);
  const { bytesPerElement } = type;
  if (total * bytesPerElement <= SHORT_BYTES) {
    const bytes = bytesOf(recv);
    const piece = (r: number) => {
      const from = (displs[r] as number) * bytesPerElement;
      return bytes.subarray(from, from + (counts[r] as number) * bytesPerElement);
    };
    if (group.meetsDirectly) exchange(group, messages, piece);
    else exchangeThroughStar(group, messages, piece, total * bytesPerElement);
    return;
  }
  const spans = Array.from({ length: size }, (_, r) => {
    const from = (displs[r] as number) * bytesPerElement;
    return spanOf(group, recv, from, (counts[r] as number) * bytesPerElement);
  });
  if (group.mesh !== undefined) run(group, straight(group, spans));
  else if (rank === 0) run(group, atCoordinator(group, spans));
  else run(group, throughCoordinator(group, spans));
}

/** Short pieces: each rank sends its piece to every other rank. */
function exchange(
  { rank, peers }: Group,
  messages: ShortMessages,
  piece: (rank: number) => Uint8Array,
): void {
  const mine = piece(rank);
  messages.compose(true, TAG.allgathervSend, 0, mine.length).set(mine);
  for (const peer of peers) messages.sendTo(peer);
  const take = (r: number, payload: Uint8Array) => piece(r).set(payload);
  messages.receive(peers, true, TAG.allgathervSend, (r) => piece(r).length, take);
}

/** Short pieces in the star: each goes to the coordinator, which sends all of them back. */
function exchangeThroughStar(
  { rank, size, membership }: Group,
  messages: ShortMessages,
  piece: (rank: number) => Uint8Array,
  total: number,
): void {
  const { spokes } = membership;
  if (rank > 0) {
    const mine = piece(rank);
    messages.compose(true, TAG.allgathervSend, 0, mine.length).set(mine);
    for (const coordinator of spokes) messages.sendTo(coordinator);
    const takeAll = (_: number, payload: Uint8Array) => {
      let at = 0;
      for (let r = 0; r < size; r++) {
        const target = piece(r);
        if (r !== rank) target.set(payload.subarray(at, at + target.length));
        at += target.length;
      }
    };
    messages.receive(spokes, false, TAG.allgathervRecv, () => total, takeAll);
    return;
  }
  const take = (r: number, payload: Uint8Array) => piece(r).set(payload);
  messages.receive(spokes, true, TAG.allgathervSend, (r) => piece(r).length, take);
  const message = messages.compose(false, TAG.allgathervRecv, 0, total);
  let at = 0;
  for (let r = 0; r < size; r++) {
    message.set(piece(r), at);
    at += piece(r).length;
  }
  for (const link of spokes) messages.sendTo(link);
}

/** Long pieces: each rank sends its piece to every other rank, all at the same time. */
function straight({ rank, peers }: Group, spans: readonly Span[]): Traffic {
  const own = spans[rank] as Span;
  const incoming = (link: Link) => new Incoming(TAG.allgathervSend, [spans[link.rank] as Span]);
  const available = () => own.bytes.length;
  const outgoing = () => new Outgoing(TAG.allgathervSend, [own], available);
  return {
    ins: peers.map((link) => new InPort(link, [incoming(link)])),
    outs: peers.map((link) => new OutPort(link, [outgoing()])),
  };
}

/** In the star: pieces come in at the same time and go out to each worker in rank order. */
function atCoordinator({ membership }: Group, spans: readonly Span[]): Traffic {
  const incoming = membership.star.map((link, r) =>
    link === undefined ? undefined : new Incoming(TAG.allgathervSend, [spans[r] as Span]),
  );
  const outgoingTo = (worker: number) => {
    const ranks = spans.map((_, r) => r).filter((r) => r !== worker);
    const going = ranks.map((r) => spans[r] as Span);
    const available = () => {
      let bytes = 0;
      for (const r of ranks) {
        const stream = incoming[r];
        bytes += stream === undefined ? (spans[r] as Span).bytes.length : stream.received;
        if (stream !== undefined && !stream.isDone) break;
      }
      return bytes;
    };
    return new Outgoing(TAG.allgathervRecv, going, available);
  };
  return {
    ins: membership.spokes.map((link) => new InPort(link, [incoming[link.rank] as Incoming])),
    outs: membership.spokes.map((link) => new OutPort(link, [outgoingTo(link.rank)])),
  };
}

function throughCoordinator({ rank, membership }: Group, spans: readonly Span[]): Traffic {
  const coordinator = membership.star[0] as Link;
  const own = spans[rank] as Span;
  const others = spans.filter((_, r) => r !== rank);
  const outgoing = new Outgoing(TAG.allgathervSend, [own], () => own.bytes.length);
  return {
    ins: [new InPort(coordinator, [new Incoming(TAG.allgathervRecv, others)])],
    outs: [new OutPort(coordinator, [outgoing])],
  };
}
