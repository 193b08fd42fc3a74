/** Long messages that come in, straight into the callers' memory. */
import type { Group } from "./group.js";
import type { Link } from "./link.js";
import { Cursor, type Span } from "./spans.js";
import { FINGERPRINT_BYTES, HEADER_BYTES, TAG } from "./wire.js";

/** Frames of one tag that come in over a link, and the memory they fill. */
export class Incoming {
  private readonly cursor: Cursor;

  /** `limit` says how much may come in all until somebody has dealt with what came. */
  constructor(
    readonly tag: number,
    spans: readonly Span[],
    private readonly limit: () => number = () => Number.POSITIVE_INFINITY,
  ) {
    this.cursor = new Cursor(spans);
  }

  get received(): number {
    return this.cursor.passed;
  }

  get isDone(): boolean {
    return this.cursor.isAtEnd;
  }

  /** How much may still come. */
  get room(): number {
    return this.cursor.total - this.cursor.passed;
  }

  /** Moves up to `most` bytes from the link; returns how many came. */
  take(link: Link, most: number): number {
    const { cursor } = this;
    const limit = Math.min(most, this.limit() - cursor.passed, cursor.rest);
    // Nobody has asked the kernel about a link that was paused.
    if (link.isPaused && limit > 0) link.isReadable = true;
    link.isPaused = limit <= 0;
    if (link.isPaused) return 0;
    let moved: number;
    if (link.available > 0) {
      moved = Math.min(limit, link.available);
      cursor.write(link.input.subarray(link.start, link.start + moved));
      link.start += moved;
    } else if (link.isReadable) {
      moved = link.receiveInto(cursor.address, limit);
    } else {
      return 0;
    }
    cursor.advance(moved);
    return moved;
  }
}

/** What is to come over one link. */
export class InPort {
  private frameLeft = 0;
  private current: Incoming | undefined;
  private needsFingerprint = true;
  /** Whether what comes is lent, and the word that it can be relied on has not come. */
  isUnsettled = false;

  constructor(
    readonly link: Link,
    private readonly streams: readonly Incoming[],
  ) {}

  get isDone(): boolean {
    if (this.needsFingerprint || this.isUnsettled) return false;
    for (const stream of this.streams) if (!stream.isDone) return false;
    return true;
  }

  /** Takes what is there; returns whether that was anything. */
  proceed(group: Group): boolean {
    const { link } = this;
    let moved = false;
    // A few frames at a time: what has come in may be waited for elsewhere.
    for (let frames = 0; frames < 4; ) {
      if (this.frameLeft > 0) {
        const stream = this.current as Incoming;
        const got = stream.take(link, this.frameLeft);
        if (got === 0) break;
        moved = true;
        this.frameLeft -= got;
        if (this.frameLeft > 0) continue;
        frames++;
      }
      if (this.isDone) break;
      const wasUnsettled = this.isUnsettled;
      const hasBegun = this.nextFrame(group);
      // Others may wait for that word alone.
      if (this.isUnsettled !== wasUnsettled) moved = true;
      if (!hasBegun) break;
    }
    // What is left of a link that has ended may be a part of a header.
    const isStuck = !moved && !link.isPaused && !this.isDone;
    if (link.hasEnded && isStuck) group.membership.failLost(link);
    return moved;
  }

  /** Reads the next header, and no more than that; returns whether a data frame begins. */
  private nextFrame(group: Group): boolean {
    const { link } = this;
    const { membership } = group;
    for (;;) {
      const front = membership.front(link);
      if (link.available < this.neededBytes(front)) {
        const wanted = this.wantedBytes(front);
        link.makeRoom(wanted);
        if (!link.isReadable || !link.fill(wanted - link.available)) return false;
        continue;
      }
      if (front === 0) continue;
      if (front === TAG.fingerprint) {
        group.takeFingerprint(link);
        if (!this.needsFingerprint) membership.failUnintelligible(link);
        this.needsFingerprint = false;
        if (this.isDone) return false;
        continue;
      }
      if (front === TAG.lent || front === TAG.settled) {
        if (!this.takeMark(front)) membership.failUnintelligible(link);
        if (this.isDone) return false;
        continue;
      }
      const stream = this.streams.find((candidate) => candidate.tag === front);
      const opBytes = front === TAG.allreduceSend ? 1 : 0;
      const length = (link.frameBytes(link.start) as number) - HEADER_BYTES - opBytes;
      if (stream === undefined || this.needsFingerprint || length < 1 || length > stream.room) {
        membership.failUnintelligible(link);
      }
      link.start += HEADER_BYTES + opBytes;
      this.current = stream;
      this.frameLeft = length;
      return true;
    }
  }

  /** Takes the word that what follows is lent, or that it is settled; returns whether it belongs here. */
  private takeMark(tag: number): boolean {
    const { link } = this;
    const isSettled = tag === TAG.settled;
    if (this.needsFingerprint || this.isUnsettled !== isSettled) return false;
    if (link.frameBytes(link.start) !== HEADER_BYTES) return false;
    link.start += HEADER_BYTES;
    this.isUnsettled = !isSettled;
    return true;
  }

  /** How many bytes must be in the input before the frame at its front can be dealt with. */
  private neededBytes(front: number): number {
    if (front === TAG.fingerprint) return FINGERPRINT_BYTES;
    if (front === TAG.allreduceSend) return HEADER_BYTES + 1;
    // A frame that holds the group together, of which only a part is there, or nothing yet.
    return front === 0 ? (this.link.frameBytes(this.link.start) ?? HEADER_BYTES) : HEADER_BYTES;
  }

  /** The first data frame's header comes with the fingerprint, as a rule. */
  private wantedBytes(front: number): number {
    const needed = this.neededBytes(front);
    if (!this.needsFingerprint || this.streams.length === 0) return needed;
    const opBytes = this.streams[0]?.tag === TAG.allreduceSend ? 1 : 0;
    return Math.max(needed, FINGERPRINT_BYTES + HEADER_BYTES + opBytes);
  }
}
