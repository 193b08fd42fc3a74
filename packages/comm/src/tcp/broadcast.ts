import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { meet } from "./barrier.js";
import { bytesOf, type Group } from "./group.js";
import { Incoming, InPort } from "./incoming.js";
import type { Mesh } from "./joined.js";
import type { Link } from "./link.js";
import { Outgoing, OutPort } from "./outgoing.js";
import { SHORT_BYTES, type ShortMessages } from "./short.js";
import { spanOf } from "./spans.js";
import { run } from "./streams.js";
import { TAG } from "./wire.js";

/** Tuned by `npm run bench`. */
const LENT_FROM = 131_072;

/**
 * The root's bytes to everybody. Ranks meet before a broadcast of a new kind, so that all learn of a
 * mismatch; a repeated one waits for the data, and for the readers of what is lent.
 */
export function broadcast<T extends CommArray>(
  group: Group,
  messages: ShortMessages,
  buf: T,
  type: ArrayType,
  root: number,
): void {
  const call = encodeCall(CALLS.broadcast, type.code, 0, root);
  const repeated = group.open(call, buf.length);
  if (!repeated) meet(group, messages);
  if (buf.length === 0) return;
  const isLong = buf.byteLength > SHORT_BYTES;
  const { from, to } = flowFrom(root, group, isLong);
  if (!isLong) passOn(messages, bytesOf(buf), from, to);
  else stream(group, buf, from, to);
}

interface Flow {
  /** From whom the bytes come; nobody at the root. */
  readonly from: Link | undefined;
  readonly to: readonly Link[];
}

/** Over a network, long messages pass every link once; else the way is kept short. */
function flowFrom(root: number, group: Group, isLong: boolean): Flow {
  const { mesh } = group;
  if (mesh === undefined) return flowThroughStar(root, group);
  return isLong && !group.isWithinMachine
    ? flowAlongChain(root, group, mesh)
    : flowThroughTree(root, group, mesh);
}

function flowThroughStar(root: number, { rank, membership }: Group): Flow {
  const { star, spokes } = membership;
  if (rank === root) return { from: undefined, to: spokes };
  if (rank > 0) return { from: star[0], to: [] };
  return { from: star[root], to: spokes.filter((link) => link.rank !== root) };
}

/**
 * Counted from the root, each rank has the bytes from the one whose number lacks its lowest binary
 * digit 1, and passes them on to those that differ from it in a lower digit.
 */
function flowThroughTree(root: number, { rank, size }: Group, mesh: Mesh): Flow {
  const place = (rank - root + size) % size;
  const at = (other: number) => mesh[(other + root) % size] as Link;
  const lowest = place === 0 ? 2 ** Math.ceil(Math.log2(size)) : place & -place;
  const to: Link[] = [];
  for (let digit = lowest >> 1; digit > 0; digit >>= 1) {
    if (place + digit < size) to.push(at(place + digit));
  }
  return { from: place === 0 ? undefined : at(place - lowest), to };
}

function flowAlongChain(root: number, { rank, size }: Group, mesh: Mesh): Flow {
  const [left, right] = [(rank + size - 1) % size, (rank + 1) % size];
  const from = rank === root ? undefined : mesh[left];
  return { from, to: right === root ? [] : [mesh[right] as Link] };
}

function passOn(
  messages: ShortMessages,
  bytes: Uint8Array,
  from: Link | undefined,
  to: readonly Link[],
): void {
  if (from !== undefined) {
    messages.receive(
      [from],
      true,
      TAG.broadcast,
      () => bytes.length,
      (_, payload) => {
        bytes.set(payload);
      },
    );
  }
  if (to.length === 0) return;
  messages.compose(true, TAG.broadcast, 0, bytes.length).set(bytes);
  for (const link of to) messages.sendTo(link);
}

function stream(group: Group, buf: CommArray, from: Link | undefined, to: readonly Link[]): void {
  const span = spanOf(group, buf, 0, buf.byteLength);
  const incoming = new Incoming(TAG.broadcast, [span]);
  const ins = from === undefined ? [] : [new InPort(from, [incoming])];
  const available = () => {
    if (from === undefined) return buf.byteLength;
    // What is lent to this rank is passed on, but the end of it only when it can be relied on.
    const isUnsettled = ins.some((port) => port.isUnsettled);
    return isUnsettled ? Math.min(incoming.received, buf.byteLength - 1) : incoming.received;
  };
  const outgoing = () => new Outgoing(TAG.broadcast, [span], available, { lentFrom: LENT_FROM });
  run(group, { ins, outs: to.map((link) => new OutPort(link, [outgoing()])) });
}
