import { CollectiveFailed, type InvalidCommunicator } from "../errors/comm-error.js";
import type { Sockets } from "../ffi/sockets.js";
import { operationOf } from "../group/fingerprint.js";
import { Standing } from "../group/standing.js";
import {
  type ComparedCall,
  MISMATCH_ADVICE,
  storyOfClosing,
  storyOfMismatch,
  storyOfTimeout,
} from "../group/stories.js";
import type { Link } from "./link.js";
import {
  ABORT,
  type AbortNotice,
  decodeAbort,
  encodeAbort,
  frame,
  HEADER_BYTES,
  MAX_CONTROL_BYTES,
  TAG,
  words,
} from "./wire.js";

/** How long a rank that gives up or leaves tries to tell the others: on a busy machine they may be slow to listen. */
const FAREWELL_MS = 1000;

/**
 * This rank as a member of the group: the links it has, whether the group is still whole, and the duty
 * to tell the others before giving up. Frames that hold the group together are understood here.
 */
export class Membership {
  readonly rank: number;
  readonly size: number;
  /** To the coordinator, or, on rank 0, to every worker by its rank. */
  readonly star: readonly (Link | undefined)[];
  /** The links of the star. */
  readonly spokes: readonly Link[];
  /** All links, those of the mesh included: there may be two to the same rank. */
  readonly links: readonly Link[];

  /** What this rank calls now. */
  call = 0;
  length = 0;
  sequence = 0;
  history = 0;

  /** On rank 0: the workers that answered the last inquiry, and whether one has run out of time. */
  readonly answered = new Set<number>();
  isAsked = false;
  private inquiry = 0;

  private readonly standing = new Standing();
  /** Keeps the last notice where it is while it is sent. */
  private notice = new Uint8Array(0);
  private readonly sockets: Sockets;

  constructor(
    rank: number,
    star: readonly (Link | undefined)[],
    mesh: readonly (Link | undefined)[],
    sockets: Sockets,
  ) {
    this.rank = rank;
    this.size = star.length;
    this.star = star;
    this.spokes = star.filter((link) => link !== undefined);
    this.links = [...new Set([...star, ...mesh])].filter((link) => link !== undefined);
    this.sockets = sockets;
  }

  get isOpen(): boolean {
    return this.standing.isOpen;
  }

  /** What an operation throws when the group is not open. */
  unusable(operation: string): InvalidCommunicator {
    return this.standing.unusable(operation);
  }

  /** Says goodbye and lets go of the connections. */
  close(): void {
    if (this.standing.isClosed) return;
    if (this.isOpen) this.tellAll(frame(TAG.shutdown));
    this.standing.close();
    for (const link of this.links) link.close();
  }

  /** This process ends badly: tells the others to stop. */
  abandon(reason: string): void {
    if (!this.isOpen) return;
    this.standing.break();
    const text = `rank ${this.rank} ended: ${reason}`;
    this.tellAll(encodeAbort({ code: ABORT.exception, missingRanks: [this.rank], text }));
  }

  /**
   * The tag of the first frame in the link's input that belongs to a collective, if its header is
   * there, else 0. Frames before it that hold the group together are dealt with.
   */
  front(link: Link): number {
    for (;;) {
      const bytes = link.frameBytes(link.start);
      if (bytes === undefined) return 0;
      const tag = link.input[link.start + 4] as number;
      if (!isControl(tag)) return tag;
      if (bytes > HEADER_BYTES + MAX_CONTROL_BYTES) this.failUnintelligible(link);
      if (link.available < bytes) {
        link.makeRoom(bytes);
        return 0;
      }
      const at = link.start;
      link.start += bytes;
      if (tag === TAG.shutdown) link.hasLeft = true;
      else this.act(link, tag, link.input.subarray(at + HEADER_BYTES, at + bytes));
    }
  }

  /** Looks for bad news on links that the collective does not read from. */
  watch(): void {
    for (const link of this.links) {
      if (link.isExpected) continue;
      if (!link.isFull) link.fill();
      this.scan(link);
    }
  }

  /** Frames of later collectives may stand before one that holds the group together. */
  private scan(link: Link): void {
    let at = Math.max(link.scanned, link.start);
    for (;;) {
      const bytes = link.frameBytes(at);
      if (bytes === undefined || link.end - at < bytes) break;
      const tag = link.input[at + 4] as number;
      const payload = link.input.subarray(at + HEADER_BYTES, at + bytes);
      if (isControl(tag) && tag !== TAG.shutdown) this.act(link, tag, payload);
      at += bytes;
    }
    link.scanned = at;
  }

  private act(link: Link, tag: number, payload: Uint8Array): void {
    if (tag === TAG.abort) this.failAfter(link.rank, decodeAbort(payload));
    const numbers = numbersOf(payload);
    if (tag === TAG.inquiry) this.tellWaiting(link, numbers[0]);
    if (tag === TAG.waiting) this.hearWaiting(link.rank, numbers);
  }

  /** An answer counts whatever call the rank is in; a rank that has run out of time, only in this one. */
  private hearWaiting(rank: number, [sequence = 0, inquiry = 0]: readonly number[]): void {
    if (inquiry !== 0 && inquiry === this.inquiry) this.answered.add(rank);
    if (inquiry === 0 && ((sequence - this.sequence) | 0) >= 0) this.isAsked = true;
  }

  /** On a worker: answers an inquiry of the coordinator, or, without one, asks for it. */
  tellWaiting(link: Link, inquiry = 0): void {
    if (link.isSending || link.isDeaf) return;
    link.sendCopy(frame(TAG.waiting, words(this.sequence, inquiry)));
  }

  /** On rank 0: asks all workers whether they wait. */
  inquire(): void {
    this.answered.clear();
    this.inquiry++;
    for (const link of this.spokes) {
      if (!link.isSending && !link.isDeaf) link.sendCopy(frame(TAG.inquiry, words(this.inquiry)));
    }
  }

  /**
   * The connection to a rank that is waited for has ended. Its last words come first, and those of others: it may have left because
   * of somebody else.
   */
  failLost(link: Link): never {
    while (!link.hasEnded && link.fill());
    this.front(link);
    this.scan(link);
    this.watch();
    const story = link.hasLeft
      ? storyOfClosing([link.rank])
      : `the connection to rank ${link.rank} was lost: it has died, or its machine cannot be reached`;
    this.failMissing([link.rank], story);
  }

  failTimeout(missingRanks: readonly number[], seconds: number): never {
    this.failMissing(missingRanks, storyOfTimeout(missingRanks, seconds));
  }

  failMismatch(other: ComparedCall): never {
    const { rank, call, length } = this;
    const text = storyOfMismatch({ rank, call, length }, other);
    const notice = { code: ABORT.mismatch, missingRanks: [], text };
    this.fail(`${text}. ${MISMATCH_ADVICE}`, notice);
  }

  /** What came belongs to no call that this rank could be in. */
  failUnintelligible(link: Link): never {
    const text = `rank ${link.rank} sent what does not belong to the call of rank ${this.rank}`;
    const notice = { code: ABORT.mismatch, missingRanks: [], text };
    this.fail(`${text}. ${MISMATCH_ADVICE}`, notice);
  }

  private failMissing(missingRanks: readonly number[], text: string): never {
    this.fail(`${text}.`, { code: ABORT.missing, missingRanks, text });
  }

  /** Another rank has given up. Its reason becomes this rank's, so that all name the same. */
  private failAfter(other: number, notice: AbortNotice): never {
    const advice = notice.code === ABORT.mismatch ? ` ${MISMATCH_ADVICE}` : "";
    this.fail(`${notice.text} (as rank ${other} found).${advice}`, notice);
  }

  private fail(reason: string, notice: AbortNotice): never {
    const failure = new CollectiveFailed({
      operation: operationOf(this.call),
      backend: "tcp",
      rank: this.rank,
      reason,
      missingRanks: notice.missingRanks,
    });
    this.standing.break(failure);
    this.tellAll(encodeAbort(notice));
    throw failure;
  }

  /**
   * Sends a frame to everybody behind what is on its way, and gives up after a moment. What comes in is thrown away: two ranks
   * that tell each other would otherwise wait for each other.
   */
  private tellAll(bytes: Uint8Array): void {
    // What is being sent refers to memory: this frame has to stay where it is, too.
    this.notice = new Uint8Array(new ArrayBuffer(Math.max(bytes.length, 128)));
    this.notice.set(bytes);
    const address = this.sockets.addressOf(this.notice);
    let waiting = this.links.filter((link) => !link.isDeaf);
    const told = new Set<Link>();
    const deadline = performance.now() + FAREWELL_MS;
    while (waiting.length > 0) {
      waiting = waiting.filter((link) => {
        if (link.isSending && !link.push()) link.discardSome();
        if (link.isDeaf) return false;
        if (link.isSending) return true;
        if (told.has(link)) return false;
        told.add(link);
        link.sendRaw(address, bytes.length);
        return link.isSending;
      });
      if (performance.now() > deadline) break;
      this.sockets.yieldProcessor();
    }
  }
}

function isControl(tag: number): boolean {
  return tag === TAG.shutdown || (tag >= TAG.abort && tag <= TAG.waiting);
}

/** The numbers of 32 bits in a control frame. */
function numbersOf(payload: Uint8Array): number[] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  return Array.from({ length: payload.length >> 2 }, (_, i) => view.getInt32(4 * i, true));
}
