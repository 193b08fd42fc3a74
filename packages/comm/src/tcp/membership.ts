import { CollectiveFailed, type InvalidCommunicator } from "../errors/comm-error.js";
import type { Sockets } from "../ffi/sockets.js";
import { ABORT, type AbortNotice } from "../group/abort.js";
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
  decodeAbort,
  encodeAbort,
  frame,
  HEADER_BYTES,
  MAX_CONTROL_BYTES,
  TAG,
  words,
} from "./wire.js";

/**
 * How long a rank that gives up or leaves tries to tell the others. On a busy machine they may be
 * slow to read.
 */
const FAREWELL_MS = 1000;

/**
 * This rank as a member of the group: its links, whether the group is still intact, and the duty to
 * tell the others before giving up. Control frames are handled here.
 */
export class Membership {
  readonly rank: number;
  readonly size: number;
  /** Links by rank: on a worker only to rank 0, on rank 0 to every worker. */
  readonly star: readonly (Link | undefined)[];
  /** The links of the star. */
  readonly spokes: readonly Link[];
  /** All links, including those of the mesh. There may be two to the same rank. */
  readonly links: readonly Link[];

  /** The current call of this rank; see `fingerprint.ts`. */
  call = 0;
  length = 0;
  sequence = 0;
  history = 0;

  /** On rank 0: which workers answered the last inquiry, and whether a worker has asked for one. */
  readonly answered = new Set<number>();
  isAsked = false;
  private inquiry = 0;

  private readonly standing = new Standing();
  /** The last notice. Links send from its memory, so it must be kept. */
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

  /** Says goodbye and closes the connections. */
  close(): void {
    if (this.standing.isClosed) return;
    if (this.isOpen) this.tellAll(frame(TAG.shutdown));
    this.standing.close();
    for (const link of this.links) link.close();
  }

  /** Tells the others to stop, because this process ends badly. */
  abandon(reason: string): void {
    if (!this.isOpen) return;
    this.standing.break();
    const text = `rank ${this.rank} ended: ${reason}`;
    this.tellAll(encodeAbort({ code: ABORT.exception, missingRanks: [this.rank], text }));
  }

  /**
   * The tag of the first data frame in the link's input; 0 if its header has not arrived. Handles the
   * control frames before it.
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

  /** Handles control frames on the links that the current collective does not read from. */
  watch(): void {
    for (const link of this.links) {
      if (link.isExpected) continue;
      if (!link.isFull) link.fill();
      this.scan(link);
    }
  }

  /** Handles control frames that have arrived behind data frames of later collectives. */
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

  /**
   * An answer counts in whatever call the worker is; a request for an inquiry, only from this call
   * or a later one.
   */
  private hearWaiting(rank: number, [sequence = 0, inquiry = 0]: readonly number[]): void {
    if (inquiry !== 0 && inquiry === this.inquiry) this.answered.add(rank);
    if (inquiry === 0 && ((sequence - this.sequence) | 0) >= 0) this.isAsked = true;
  }

  /** On a worker: answers an inquiry of the coordinator. Without a number, asks for an inquiry. */
  tellWaiting(link: Link, inquiry = 0): void {
    if (link.isSending || link.isDeaf) return;
    link.sendCopy(frame(TAG.waiting, words(this.sequence, inquiry)));
  }

  /** On rank 0: asks all workers whether they are waiting. */
  inquire(): void {
    this.answered.clear();
    this.inquiry++;
    for (const link of this.spokes) {
      if (!link.isSending && !link.isDeaf) link.sendCopy(frame(TAG.inquiry, words(this.inquiry)));
    }
  }

  /**
   * The connection to a rank that this one needs has ended. Messages that have already arrived,
   * from it or from others, come first: it may have left because of another rank.
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
    this.failMissing(missingRanks, storyOfTimeout(missingRanks, seconds, "tcp"));
  }

  failMismatch(other: ComparedCall): never {
    const { rank, call, length } = this;
    const text = storyOfMismatch({ rank, call, length }, other);
    const notice = { code: ABORT.mismatch, missingRanks: [], text };
    this.fail(`${text}. ${MISMATCH_ADVICE}`, notice);
  }

  /** The link carries data that cannot belong to the current call. */
  failUnintelligible(link: Link): never {
    const text = `rank ${link.rank} sent data that does not belong to the call of rank ${this.rank}`;
    const notice = { code: ABORT.mismatch, missingRanks: [], text };
    this.fail(`${text}. ${MISMATCH_ADVICE}`, notice);
  }

  private failMissing(missingRanks: readonly number[], text: string): never {
    this.fail(`${text}.`, { code: ABORT.missing, missingRanks, text });
  }

  /** Another rank has given up. This rank repeats its reason, so that all ranks give the same one. */
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
   * Sends a frame to all ranks, after what is already being sent, and gives up after a second.
   * Incoming data is discarded while a link is blocked: otherwise two ranks that send to each other
   * could block each other.
   */
  private tellAll(bytes: Uint8Array): void {
    // Links send from an address, so the frame must not move.
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

/** The 32-bit numbers of a control frame. */
function numbersOf(payload: Uint8Array): number[] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  return Array.from({ length: payload.length >> 2 }, (_, i) => view.getInt32(4 * i, true));
}
