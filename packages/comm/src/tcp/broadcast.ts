import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { meet } from "./barrier.js";
import { bytesOf, type Group } from "./group.js";
import type { Ring } from "./joined.js";
import type { Link } from "./link.js";
import { type ShortMessages, shortBytes } from "./short.js";
import { Incoming, InPort, Outgoing, OutPort, run, spanOf } from "./streams.js";
import { TAG } from "./wire.js";

/**
 * The root's bytes to everybody: through the coordinator and half of the workers, or, if long, along the ring. Ranks meet
 * before a broadcast of a new kind, so that all learn of a mismatch; a repeated one waits only for
 * the data.
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
  const isLong = buf.byteLength > shortBytes(group.size);
  const { from, to } = flowFrom(root, group, isLong);
  if (!isLong) passOn(messages, bytesOf(buf), from, to);
  else stream(group, buf, from, to);
}

interface Flow {
  /** From whom the bytes come; nobody at the root. */
  readonly from: Link | undefined;
  readonly to: readonly Link[];
}

function flowFrom(root: number, group: Group, isLong: boolean): Flow {
  if (group.ring === undefined) return flowThroughStar(root, group);
  return isLong
    ? flowAroundRing(root, group, group.ring)
    : flowThroughTree(root, group, group.ring);
}

function flowThroughStar(root: number, { rank, membership }: Group): Flow {
  const { star, links } = membership;
  if (rank === root) return { from: undefined, to: rank === 0 ? links : [star[0] as Link] };
  if (rank > 0) return { from: star[0], to: [] };
  return { from: star[root], to: links.filter((link) => link.rank !== root) };
}

/** The coordinator sends to odd ranks only, and these to their right neighbours. */
function flowThroughTree(
  root: number,
  { rank, size, membership }: Group,
  { left, right }: Ring,
): Flow {
  const { star, links } = membership;
  if (rank === 0) {
    const odd = links.filter((link) => link.rank % 2 === 1 && link.rank !== root);
    return { from: root === 0 ? undefined : star[root], to: odd };
  }
  const to = rank === root ? [star[0] as Link] : [];
  if (rank % 2 === 1 && rank + 1 < size && rank + 1 !== root) to.push(right);
  return { from: rank === root ? undefined : rank % 2 === 1 ? star[0] : left, to };
}

function flowAroundRing(root: number, { rank, size }: Group, { left, right }: Ring): Flow {
  const isLast = (rank + 1) % size === root;
  return { from: rank === root ? undefined : left, to: isLast ? [] : [right] };
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
  const available = from === undefined ? () => buf.byteLength : () => incoming.received;
  run(group, {
    ins: from === undefined ? [] : [new InPort(from, [incoming])],
    outs: to.map((link) => new OutPort(link, [new Outgoing(TAG.broadcast, [span], available)])),
  });
}
