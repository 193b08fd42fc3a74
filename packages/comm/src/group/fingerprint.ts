/**
 * A rank's call as numbers that ranks exchange and compare. Ranks whose calls differ find out when they
 * meet, instead of waiting for ever or computing nonsense.
 */
import { ARRAY_TYPES, REDUCE_OPS, type ReduceOp } from "../arrays.js";

/** The collective calls. Never renumber. */
export const CALLS = {
  barrier: 1,
  broadcast: 2,
  allreduce: 3,
  allgatherv: 4,
  createSharedRegion: 5,
  splitLocal: 6,
  fence: 7,
  close: 8,
} as const;

const TYPE_SHIFT = 4;
const OP_SHIFT = 8;
const ROOT_SHIFT = 12;

/** Packs a call into one word: the call, the array type, the operation and the root. */
export function encodeCall(call: number, type: number, op: number, root: number): number {
  return call | (type << TYPE_SHIFT) | (op << OP_SHIFT) | (root << ROOT_SHIFT);
}

/** The name of the method in an encoded call. */
export function operationOf(encoded: number): string {
  return nameOf(CALLS, encoded & 15) ?? "an unknown call";
}

/** An encoded call as a person would write it: `allreduce(Float64Array, 4 elements, sum)`. */
export function describeCall(encoded: number, length: number): string {
  const operation = operationOf(encoded);
  const parts: string[] = [];
  const typeCode = (encoded >> TYPE_SHIFT) & 15;
  const type = Object.values(ARRAY_TYPES).find((candidate) => candidate.code === typeCode);
  if (type !== undefined) parts.push(type.name, `${length} element${length === 1 ? "" : "s"}`);
  const op = nameOf(REDUCE_OPS, (encoded >> OP_SHIFT) & 15) as ReduceOp | undefined;
  if (op !== undefined) parts.push(op);
  if (operation === "broadcast") parts.push(`root ${encoded >>> ROOT_SHIFT}`);
  return `${operation}(${parts.join(", ")})`;
}

function nameOf(codes: Readonly<Record<string, number>>, code: number): string | undefined {
  return Object.keys(codes).find((name) => codes[name] === code);
}

/**
 * A hash of the counts of an allgatherv. All ranks must pass the same counts; displacements may differ
 * between ranks.
 */
export function hashCounts(counts: ArrayLike<number>): number {
  let hash = 0;
  for (let r = 0; r < counts.length; r++) {
    const count = counts[r] as number;
    hash = stir(hash, count ^ (count / 2 ** 32));
  }
  return hash;
}

/**
 * Mixes one more number into a 32-bit hash. From one hash, different 32-bit numbers give different
 * results.
 */
export function stir(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
