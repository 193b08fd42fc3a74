import { CollectiveFailed, type InvalidCommunicator } from "../errors/comm-error.js";
import type { SharedMemorySystem } from "../ffi/shared-memory-system.js";
import { operationOf } from "../group/fingerprint.js";
import { Standing } from "../group/standing.js";
import {
  MISMATCH_ADVICE,
  naming,
  storyOfClosing,
  storyOfMismatch,
  storyOfTimeout,
} from "../group/stories.js";
import { ABORT, type Layout, LINE_WORDS, RING } from "./layout.js";
import { type AbortNotice, Records } from "./records.js";
import type { SharedMemory } from "./shared-memory.js";

/** Tells whether the processes behind the ranks still live. */
export interface Liveness {
  isAlive(rank: number): boolean;
}

/**
 * This rank as a member of the group: whether the group is still whole, who is missing, and the
 * duty to tell the others before giving up.
 */
export class Membership {
  readonly rank: number;
  readonly size: number;
  readonly records: Records;
  private readonly liveness: Liveness;
  private readonly system: SharedMemorySystem;
  private readonly shared: SharedMemory;
  private readonly layout: Layout;
  private readonly standing = new Standing();

  constructor(
    shared: SharedMemory,
    layout: Layout,
    rank: number,
    system: SharedMemorySystem,
    liveness: Liveness,
  ) {
    this.shared = shared;
    this.layout = layout;
    this.rank = rank;
    this.size = layout.size;
    this.system = system;
    this.liveness = liveness;
    this.records = new Records(shared.buffer, layout);
  }

  get isOpen(): boolean {
    return this.standing.isOpen;
  }

  /** What an operation throws when the group is not open. */
  unusable(operation: string): InvalidCommunicator {
    return this.standing.unusable(operation);
  }

  /** Says goodbye. Others that still wait for this rank learn that it will not come. */
  close(): void {
    if (this.standing.isClosed) return;
    if (this.isOpen) this.records.writeClosed(this.rank);
    this.standing.close();
    this.wakeEverybody();
  }

  /** This process ends badly: tells the others to stop. */
  abandon(reason: string): void {
    if (!this.isOpen) return;
    this.standing.break();
    this.tell({
      rank: this.rank,
      code: ABORT.exception,
      missingRanks: [this.rank],
      text: `rank ${this.rank} ended: ${reason}`,
    });
  }

  /** Throws if some rank has given up, or if one of `awaited` cannot come any more. */
  checkPeers(call: number, awaited: readonly number[]): void {
    for (let r = 0; r < this.size; r++) if (r !== this.rank) this.failIfAborted(call, r);
    const closed = awaited.filter((r) => this.records.hasClosed(r));
    if (closed.length > 0) {
      this.failMissing(call, closed, storyOfClosing(closed));
    }
    const dead = awaited.filter((r) => !this.liveness.isAlive(r));
    if (dead.length > 0) {
      const pids = dead.map((r) => this.records.pid(r)).join(", ");
      this.failMissing(call, dead, `${naming(dead).who} died (pid ${pids})`);
    }
  }

  /** Throws if a rank has given up. What was read from its own memory cannot be relied on then. */
  failIfAborted(call: number, rank: number): void {
    if (this.records.hasAborted(rank)) this.failAfter(call, rank);
  }

  failTimeout(call: number, awaited: readonly number[], seconds: number): never {
    this.failMissing(call, awaited, storyOfTimeout(awaited, seconds));
  }

  failMismatch(
    call: number,
    length: number,
    other: number,
    otherCall: number,
    otherLength: number,
  ): never {
    const text = storyOfMismatch(
      { rank: this.rank, call, length },
      { rank: other, call: otherCall, length: otherLength },
    );
    const reason = `${text}. ${MISMATCH_ADVICE}`;
    this.fail(call, reason, { rank: this.rank, code: ABORT.mismatch, missingRanks: [], text });
  }

  failUnreadable(call: number, other: number, error: unknown): never {
    const why = error instanceof Error ? error.message : String(error);
    const text = `the memory of rank ${other} could not be read (${why})`;
    this.failMissing(call, [other], text);
  }

  private failMissing(call: number, missingRanks: readonly number[], text: string): never {
    const notice = { rank: this.rank, code: ABORT.missing, missingRanks, text };
    this.fail(call, `${text}.`, notice);
  }

  /** Another rank has given up. Its reason becomes this rank's, so that all name the same. */
  private failAfter(call: number, other: number): never {
    const notice = this.records.readAbort(other);
    const reason = `${notice.text} (as rank ${other} found).`;
    this.fail(call, reason, { ...notice, rank: this.rank });
  }

  private fail(call: number, reason: string, notice: AbortNotice): never {
    const failure = new CollectiveFailed({
      operation: operationOf(call),
      backend: "shm",
      rank: this.rank,
      reason,
      missingRanks: notice.missingRanks,
    });
    this.standing.break(failure);
    this.tell(notice);
    throw failure;
  }

  private tell(notice: AbortNotice): void {
    this.records.writeAbort(notice);
    this.wakeEverybody();
  }

  /** Nobody knows who sleeps on which line: wake them all. It happens once. */
  private wakeEverybody(): void {
    for (let r = 0; r < this.size; r++) {
      for (let i = 0; i < RING; i++) {
        const word = (this.layout.lines(r) >> 2) + i * LINE_WORDS;
        this.system.wake(this.shared.address + word * 4);
      }
    }
  }
}
