import { type ArrayType, type CommArray, REDUCE_OPS, type ReduceOp } from "../arrays.js";
import { CALLS, encodeCall } from "../group/fingerprint.js";
import { bytesOf, type Group } from "./group.js";
import type { Operands } from "./operands.js";
import { inBlocks } from "./reduce-blocks.js";
import { type ShortMessages, shortOperandBytes } from "./short.js";
import { run } from "./streams.js";
import { TAG } from "./wire.js";

/** The arguments of a reduction. */
export interface Reduction<T extends CommArray> {
  readonly send: T;
  readonly recv: T;
  readonly type: ArrayType;
  readonly op: ReduceOp;
}

/**
 * Folds the vectors of all ranks in rank order. Short ones are folded on every rank or at the
 * coordinator, long ones in blocks.
 */
export function allreduce<T extends CommArray>(
  group: Group,
  messages: ShortMessages,
  windows: Operands,
  reduction: Reduction<T>,
): void {
  const { send, type, op } = reduction;
  group.open(encodeCall(CALLS.allreduce, type.code, REDUCE_OPS[op], 0), send.length);
  const isShort = send.byteLength <= shortOperandBytes(group);
  if (isShort && group.meetsDirectly) exchange(group, messages, windows, reduction);
  else if (isShort) exchangeThroughStar(group, messages, windows, reduction);
  else run(group, inBlocks(group, windows, reduction));
}

/** Short operands: each rank sends its own to all others, and every rank does the same fold. */
function exchange<T extends CommArray>(
  { peers }: Group,
  messages: ShortMessages,
  windows: Operands,
  { send, recv, type, op }: Reduction<T>,
): void {
  const bytes = send.byteLength;
  messages.compose(true, TAG.allreduceSend, REDUCE_OPS[op], bytes).set(bytesOf(send));
  for (const peer of peers) messages.sendTo(peer);
  const take = (r: number, payload: Uint8Array) => windows.window(r, bytes).bytes.set(payload);
  messages.receive(peers, true, TAG.allreduceSend, () => bytes, take);
  windows.fold(type, op, send, recv, 0);
}

/** Short operands in the star: they go to the coordinator, which sends the result back. */
function exchangeThroughStar<T extends CommArray>(
  { rank, membership }: Group,
  messages: ShortMessages,
  windows: Operands,
  { send, recv, type, op }: Reduction<T>,
): void {
  const { spokes } = membership;
  const bytes = send.byteLength;
  const bytesFrom = () => bytes;
  if (rank > 0) {
    messages.compose(true, TAG.allreduceSend, REDUCE_OPS[op], bytes).set(bytesOf(send));
    for (const coordinator of spokes) messages.sendTo(coordinator);
    messages.receive(spokes, false, TAG.allreduceRecv, bytesFrom, (_, payload) => {
      bytesOf(recv).set(payload);
    });
    return;
  }
  messages.receive(spokes, true, TAG.allreduceSend, bytesFrom, (r, payload) => {
    windows.window(r, bytes).bytes.set(payload);
  });
  windows.fold(type, op, send, recv, 0);
  messages.compose(false, TAG.allreduceRecv, 0, bytes).set(bytesOf(recv));
  for (const link of spokes) messages.sendTo(link);
}
