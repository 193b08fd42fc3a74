/**
 * Reading straight out of another rank's memory (`process_vm_readv`), which saves one of two copies.
 *
 * Kernels and containers may forbid it, so it is used only if every rank has tried it on every other,
 * and has found there the number that the other one had announced. Otherwise all goes through shared memory.
 */
import { randomInt } from "node:crypto";
import { ARRAY_TYPES, type CommArray } from "../arrays.js";
import type { SharedMemorySystem } from "../ffi/shared-memory-system.js";
import type { Group } from "./group.js";
import type { Membership } from "./membership.js";
import type { Records } from "./records.js";
import type { SharedMemory } from "./shared-memory.js";

/** `0` keeps ranks from reading each other's memory; one rank is enough. */
const VARIABLE = "COBRE_SHM_DIRECT";

/** Puts a number into this rank's private memory, and tells the others where and which. */
export function announceToken(shared: SharedMemory, records: Records, rank: number): void {
  const token = randomInt(2 ** 47);
  new Float64Array(shared.buffer, shared.scratch, 1)[0] = token;
  records.writeToken(rank, shared.address + shared.scratch, token);
}

/** Whether this rank can read all others. */
export function canReadAll(
  system: SharedMemorySystem,
  shared: SharedMemory,
  membership: Membership,
): boolean {
  if (process.env[VARIABLE] === "0") return false;
  const { records, rank, size } = membership;
  const found = new Float64Array(shared.buffer, shared.scratch + 8, 1);
  const local = shared.address + found.byteOffset;
  try {
    for (let r = 0; r < size; r++) {
      if (r === rank) continue;
      const { address, token } = records.readToken(r);
      system.readFrom(records.pid(r), address, local, 8);
      // In another process namespace the same number is another process.
      if (found[0] !== token) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * From how many bytes on one copy by way of the kernel is faster than two by way of the slots. It takes
 * one more meeting, which is dear where ranks have to take turns on the cores.
 */
export function directMinBytes(isAllowed: boolean, hasCoreForEveryRank: boolean): number {
  if (!isAllowed) return Number.POSITIVE_INFINITY;
  return hasCoreForEveryRank ? 32_768 : 524_288;
}

/** Reads other ranks' arrays, where that is allowed. */
export class Direct {
  private readonly system: SharedMemorySystem;
  private readonly membership: Membership;
  /** From how many bytes on it is used, the same on all ranks; `Infinity` where it is not allowed. */
  minBytes: number;

  constructor(system: SharedMemorySystem, membership: Membership, minBytes: number) {
    this.system = system;
    this.membership = membership;
    this.minBytes = minBytes;
  }

  /** Where an array's elements are, as another rank must know it to read them. */
  addressOf(array: CommArray): number {
    return this.system.addressOf(array);
  }

  /** Copies `bytes` from an address in `rank`'s memory to one in this rank's. */
  read(rank: number, remote: number, local: number, bytes: number, call: number): void {
    try {
      this.system.readFrom(this.membership.records.pid(rank), remote, local, bytes);
    } catch (error) {
      this.membership.checkPeers(call, [rank]);
      this.membership.failUnreadable(call, rank, error);
    }
    // A rank that did not wait for this one any longer may have used its memory for something else.
    this.membership.failIfAborted(call, rank);
  }
}

/** Announces a step that tells where an array of this rank is; returns the step. */
export function announceAddress(group: Group, array: CommArray): number {
  const doubles = group.view(ARRAY_TYPES.Float64Array);
  const step = group.next();
  doubles[group.inline(group.rank, step) >> 1] = group.direct.addressOf(array);
  group.announce(step);
  return step;
}

/** Which address a rank has announced with a step that was met. */
export function readAddress(group: Group, rank: number, step: number): number {
  const doubles = group.view(ARRAY_TYPES.Float64Array);
  return doubles[group.inline(rank, step) >> 1] as number;
}
