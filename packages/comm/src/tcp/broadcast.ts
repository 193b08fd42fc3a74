import type { ArrayType, CommArray } from "../arrays.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { meet } from "./barrier.js";
import { bytesOf, type Group } from "./group.js";
import type { Link } from "./link.js";
import { SHORT_BYTES, type ShortMessages } from "./short.js";
import { Incoming, InPort, Outgoing, OutPort, run, spanOf } from "./streams.js";
import { TAG } from "./wire.js";

/**
 * The root's bytes to everybody: through the coordinator, or, if long, along the ring. Ranks meet
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
  const { from, to } = neighboursInFlow(group, root, buf.byteLength > SHORT_BYTES);
  if (buf.byteLength <= SHORT_BYTES) passOn(messages, bytesOf(buf), from, to);
  else stream(group, buf, from, to);
}

interface Flow {
  /** From whom the bytes come; nobody at the root. */
  readonly from: Link | undefined;
  readonly to: readonly Link[];
}

function neighboursInFlow(
  { rank, size, membership, ring }: Group,
  root: number,
  long: boolean,
): Flow {
  if (long && ring !== undefined) {
    const isLast = (rank + 1) % size === root;
    return { from: rank === root ? undefined : ring.left, to: isLast ? [] : [ring.right] };
  }
  const { star } = membership;
  if (rank === 0) {
    const from = root === 0 ? undefined : star[root];
    return { from, to: star.filter((link) => link !== undefined && link !== from) as Link[] };
  }
  const coordinator = star[0] as Link;
  return rank === root ? { from: undefined, to: [coordinator] } : { from: coordinator, to: [] };
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
