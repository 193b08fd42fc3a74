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

/**
 * Sends the root's bytes to all ranks. If the call differs from the one before it, ranks meet first,
 * so that all of them learn of a mismatch. A repeated broadcast only waits for its data.
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
  /** Where the bytes come from; `undefined` at the root. */
  readonly from: Link | undefined;
  readonly to: readonly Link[];
}

/**
 * Long messages over a network go along a chain, so that each rank sends them only once. All other
 * messages go down a tree, which takes fewer steps.
 */
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
 * A binomial tree. Ranks are numbered from the root. Each receives from the rank whose number lacks
 * its own lowest 1 bit, and sends to the ranks whose numbers have one lower bit more.
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
  const available = () => (from === undefined ? buf.byteLength : incoming.received);
  const outgoing = () => new Outgoing(TAG.broadcast, [span], available);
  run(group, { ins, outs: to.map((link) => new OutPort(link, [outgoing()])) });
}
