/**
 * Reading directly from another rank's memory (`process_vm_readv`), which saves one of two copies.
 *
 * Kernels and containers may forbid it. So it is used only if every rank has tried to read a number
 * from every other rank and has found the number that was announced. Otherwise all data goes
 * through shared memory.
 */

import { randomInt } from "node:crypto";
import { ARRAY_TYPES, type CommArray } from "../arrays.js";
import { reasonOf } from "../errors/reason-of.js";
import type { SharedMemory } from "../memory/shared-memory.js";
import type { SharedMemorySystem } from "../memory/system.js";
import type { Group } from "./group.js";
import type { Membership } from "./membership.js";
import type { Records } from "./records.js";

/** `0` keeps all ranks from reading each other's memory. Setting it on one rank is enough. */
const VARIABLE = "COBRE_SHM_DIRECT";

/** Puts a random number into this rank's private memory and publishes its address and value. */
export function announceToken(shared: SharedMemory, records: Records, rank: number): void {
  const token = randomInt(2 ** 47);
  new Float64Array(shared.buffer, shared.scratch, 1)[0] = token;
  records.writeToken(rank, shared.address + shared.scratch, token);
}

/** Tries to read every other rank's memory. Returns why it cannot, or `undefined` if it can. */
export function obstacleToReading(
  system: SharedMemorySystem,
  shared: SharedMemory,
  membership: Membership,
): string | undefined {
  if (process.env[VARIABLE] === "0") return `${VARIABLE}=0`;
  const { records, rank, size } = membership;
  const found = new Float64Array(shared.buffer, shared.scratch + 8, 1);
  const local = shared.address + found.byteOffset;
  try {
    for (let r = 0; r < size; r++) {
      if (r === rank) continue;
      const { address, token } = records.readToken(r);
      system.readFrom(records.pid(r), address, local, 8);
      if (found[0] !== token) return `process ${records.pid(r)} is not rank ${r} here`;
    }
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * From this size on, one copy through the kernel is faster than two through the slots. It takes one
 * more meeting, which is expensive where ranks take turns on the cores.
 */
export function directMinBytes(isAllowed: boolean, hasCoreForEveryRank: boolean): number {
  if (!isAllowed) return Number.POSITIVE_INFINITY;
  return hasCoreForEveryRank ? 32_768 : 524_288;
}

/** Reads other ranks' arrays, where that is allowed. */
export class Direct {
  private readonly system: SharedMemorySystem;
  private readonly membership: Membership;
  /** The smallest size in bytes for which it is used, the same on all ranks. `Infinity`: never. */
  minBytes: number;

  constructor(system: SharedMemorySystem, membership: Membership, minBytes: number) {
    this.system = system;
    this.membership = membership;
    this.minBytes = minBytes;
  }

  /** The address of an array's elements, for other ranks to read from. */
  addressOf(array: CommArray): number {
    return this.system.addressOf(array);
  }

  /** Copies `bytes` bytes from an address in `rank`'s memory to an address in this rank's. */
  read(rank: number, remote: number, local: number, bytes: number, call: number): void {
    try {
      this.system.readFrom(this.membership.records.pid(rank), remote, local, bytes);
    } catch (error) {
      this.membership.checkPeers(call, [rank]);
      this.membership.failUnreadable(call, rank, error);
    }
    // A rank that stopped waiting for this one may have reused its memory.
    this.membership.failIfAborted(call, rank);
  }
}

/** Announces a step with the address of one of this rank's arrays. Returns the step. */
export function announceAddress(group: Group, array: CommArray): number {
  const doubles = group.view(ARRAY_TYPES.Float64Array);
  const step = group.next();
  doubles[group.inline(group.rank, step) >> 1] = group.direct.addressOf(array);
  group.announce(step);
  return step;
}

/** The address that a rank has announced with a step. The step must have been awaited. */
export function readAddress(group: Group, rank: number, step: number): number {
  const doubles = group.view(ARRAY_TYPES.Float64Array);
  return doubles[group.inline(rank, step) >> 1] as number;
}
