/**
 * What a rank calls, as numbers that travel with every step. Ranks whose calls differ find out at
 * the meeting instead of waiting for ever or computing nonsense.
 */
import { ARRAY_TYPES, REDUCE_OPS, type ReduceOp } from "../arrays.js";

/** The calls that are collective. Never renumber. */
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

/** Packs a call into one word: what, on which type, with which operation, from which root. */
export function encodeCall(call: number, type: number, op: number, root: number): number {
  return call | (type << TYPE_SHIFT) | (op << OP_SHIFT) | (root << ROOT_SHIFT);
}

/** The name of the operation in an encoded call. */
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

/** Stirs one more number into a hash of 32 bits. Different numbers give different hashes. */
export function stir(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
