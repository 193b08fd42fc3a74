import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall, stir } from "../group/fingerprint.js";
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
import { TAG } from "./wire.js";

/** Within a machine, two ranks that have at least so much to say speak one after the other. */
export const POLITE_BYTES = 262_144;

/** Everybody's piece to everybody: through the coordinator, or, if long, around the ring. */
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
  let stirred = 0;
  for (let r = 0; r < size; r++) {
    total += counts[r] as number;
    stirred = stir(stirred, counts[r] as number);
  }
  group.open(encodeCall(CALLS.allgatherv, type.code, 0, 0), total, stirred);
  (recv as Float64Array).set(send as Float64Array, displs[rank] as number);
  const { bytesPerElement } = type;
  if (total * bytesPerElement <= shortBytes(group.size)) {
    const bytes = bytesOf(recv);
    const piece = (r: number) => {
      const from = (displs[r] as number) * bytesPerElement;
      return bytes.subarray(from, from + (counts[r] as number) * bytesPerElement);
    };
    exchange(group, messages, piece, total * bytesPerElement);
    return;
  }
  const spans = Array.from({ length: size }, (_, r) => {
    const from = (displs[r] as number) * bytesPerElement;
    return spanOf(group, recv, from, (counts[r] as number) * bytesPerElement);
  });
  if (size === 2) run(group, bothWays(group, spans));
  else if (group.ring !== undefined) run(group, aroundRing(group, group.ring, spans));
  else if (rank === 0) run(group, atCoordinator(group, spans));
  else run(group, throughCoordinator(group, spans));
}

/** The short way: every piece to the coordinator, all of them back. */
function exchange(
  group: Group,
  messages: ShortMessages,
  piece: (rank: number) => Uint8Array,
  total: number,
): void {
  const { rank, size } = group;
  const { links } = group.membership;
  const take = (r: number, payload: Uint8Array) => piece(r).set(payload);
  const bytesFrom = (r: number) => piece(r).length;
  if (rank > 0 || size === 2) {
    const mine = piece(rank);
    messages.compose(true, TAG.allgathervSend, 0, mine.length).set(mine);
    messages.sendTo(links[0] as Link);
  }
  if (rank > 0 && size > 2) {
    const coordinator = links.slice(0, 1);
    messages.receive(
      coordinator,
      false,
      TAG.allgathervRecv,
      () => total,
      (_, payload) => {
        let at = 0;
        for (let r = 0; r < size; r++) {
          const target = piece(r);
          if (r !== rank) target.set(payload.subarray(at, at + target.length));
          at += target.length;
        }
      },
    );
    return;
  }
  messages.receive(links, true, TAG.allgathervSend, bytesFrom, take);
  if (size === 2) return;
  const message = messages.compose(false, TAG.allgathervRecv, 0, total);
  let at = 0;
  for (let r = 0; r < size; r++) {
    message.set(piece(r), at);
    at += piece(r).length;
  }
  for (const link of links) messages.sendTo(link);
}

/**
 * Two ranks send each other their pieces: at the same time over a network, and, if long, one after
 * the other within a machine, where both ways share the cores and only get in each other's way.
 */
function bothWays({ rank, membership }: Group, spans: readonly Span[]): Traffic {
  const link = membership.links[0] as Link;
  const own = spans[rank] as Span;
  const incoming = new Incoming(TAG.allgathervSend, [spans[1 - rank] as Span]);
  const isPolite = link.isLocal && rank === 1 && own.bytes.length >= POLITE_BYTES;
  const available = () => (isPolite && !incoming.isDone ? 0 : own.bytes.length);
  return {
    ins: [new InPort(link, [incoming])],
    outs: [new OutPort(link, [new Outgoing(TAG.allgathervSend, [own], available)])],
  };
}

/** Each rank sends its own piece to the right, and then what comes from the left, as it comes. */
function aroundRing(group: Group, { left, right }: Ring, spans: readonly Span[]): Traffic {
  const { rank, size } = group;
  const own = spans[rank] as Span;
  const backwards = Array.from({ length: size - 1 }, (_, i) => (rank - 1 - i + size) % size);
  const coming = backwards.map((r) => spans[r] as Span);
  const incoming = new Incoming(TAG.allgathervSend, coming);
  const available = () => own.bytes.length + incoming.received;
  // The right neighbour has its own piece already: the last one to come is not passed on.
  const going = [own, ...coming.slice(0, -1)];
  const outgoing = new Outgoing(TAG.allgathervSend, going, available);
  return withAnnouncements(group, {
    ins: [new InPort(left, [incoming])],
    outs: [new OutPort(right, [outgoing])],
  });
}

/**
 * In a ring, the coordinator also hears from everybody else what they call, so that it finds out about
 * ranks that are not in the ring at all.
 */
export function withAnnouncements(group: Group, traffic: Traffic): Traffic {
  const { rank, membership } = group;
  const { ins, outs } = traffic;
  if (rank === 0) {
    const others = membership.links.filter((link) => ins.every((port) => port.link !== link));
    return { ...traffic, ins: [...ins, ...others.map((link) => new InPort(link, []))] };
  }
  const coordinator = membership.star[0] as Link;
  if (outs.some((port) => port.link === coordinator)) return traffic;
  return { ...traffic, outs: [new OutPort(coordinator, []), ...outs] };
}

/** Without a ring: pieces come in at the same time, and go out to each worker in rank order. */
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
    ins: membership.links.map((link) => new InPort(link, [incoming[link.rank] as Incoming])),
    outs: membership.links.map((link) => new OutPort(link, [outgoingTo(link.rank)])),
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
