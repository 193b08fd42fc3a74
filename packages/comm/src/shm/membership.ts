import { CollectiveFailed, type InvalidCommunicator } from "../errors/comm-error.js";
import { reasonOf } from "../errors/reason-of.js";
import { ABORT, type AbortNotice } from "../group/abort.js";
import { operationOf } from "../group/fingerprint.js";
import { Standing } from "../group/standing.js";
import {
  MISMATCH_ADVICE,
  naming,
  storyOfClosing,
  storyOfMismatch,
  storyOfTimeout,
} from "../group/stories.js";
import type { SharedMemory } from "../memory/shared-memory.js";
import type { SharedMemorySystem } from "../memory/system.js";
import { type Layout, LINE_WORDS, RING } from "./layout.js";
import { Records } from "./records.js";

/** Tells whether the processes of the ranks are alive. */
export interface Liveness {
  isAlive(rank: number): boolean;
}

/**
 * This rank as a member of the group. It knows whether the group is whole and which ranks are
 * missing, and it tells the others before it gives up.
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

  /** Leaves the group. Ranks that still wait for this one learn that it will not come. */
  close(): void {
    if (this.standing.isClosed) return;
    if (this.isOpen) this.records.writeClosed(this.rank);
    this.standing.close();
    this.wakeEverybody();
  }

  /** This process ends with a failure: tells the other ranks to stop. */
  abandon(reason: string): void {
    if (!this.isOpen) return;
    this.standing.break();
    this.tell({
      code: ABORT.exception,
      missingRanks: [this.rank],
      text: `rank ${this.rank} ended: ${reason}`,
    });
  }

  /** Throws if any rank has given up, or if one of `awaited` has closed or died. */
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

  /** Throws if `rank` has given up. Data read from its private memory is then unreliable. */
  failIfAborted(call: number, rank: number): void {
    if (this.records.hasAborted(rank)) this.failAfter(call, rank);
  }

  failTimeout(call: number, awaited: readonly number[], seconds: number): never {
    this.failMissing(call, awaited, storyOfTimeout(awaited, seconds, "shm"));
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
    this.fail(call, reason, { code: ABORT.mismatch, missingRanks: [], text });
  }

  failUnreadable(call: number, other: number, error: unknown): never {
    const why = reasonOf(error);
    const text = `the memory of rank ${other} could not be read (${why})`;
    this.failMissing(call, [other], text);
  }

  private failMissing(call: number, missingRanks: readonly number[], text: string): never {
    this.fail(call, `${text}.`, { code: ABORT.missing, missingRanks, text });
  }

  /** Another rank has given up. This rank adopts its reason, so that all name the same one. */
  private failAfter(call: number, other: number): never {
    const notice = this.records.readAbort(other);
    const advice = notice.code === ABORT.mismatch ? ` ${MISMATCH_ADVICE}` : "";
    this.fail(call, `${notice.text} (as rank ${other} found).${advice}`, notice);
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
    this.records.writeAbort(this.rank, notice);
    this.wakeEverybody();
  }

  /** No rank knows who sleeps on which line, so wake all sleepers. This happens once. */
  private wakeEverybody(): void {
    for (let r = 0; r < this.size; r++) {
      for (let i = 0; i < RING; i++) {
        const word = (this.layout.lines(r) >> 2) + i * LINE_WORDS;
        this.system.wake(this.shared.address + word * 4);
      }
    }
  }
}
