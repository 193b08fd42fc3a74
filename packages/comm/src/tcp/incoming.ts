/** Receives long messages straight into the caller's memory. */
import type { Group } from "./group.js";
import type { Link } from "./link.js";
import { Cursor, type Span } from "./spans.js";
import { FINGERPRINT_BYTES, HEADER_BYTES, TAG } from "./wire.js";

/** Frames of one tag that arrive over a link, and the memory they fill. */
export class Incoming {
  private readonly cursor: Cursor;

  /** `limit` returns how many bytes may be received in all; it grows as the caller uses them. */
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

  /** How many bytes are still to come. */
  get room(): number {
    return this.cursor.total - this.cursor.passed;
  }

  /** Takes up to `most` bytes from the link; returns how many it took. */
  take(link: Link, most: number): number {
    const { cursor } = this;
    const limit = Math.min(most, this.limit() - cursor.passed, cursor.rest);
    // A paused link was not polled, so it may be readable without having been marked so.
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

/** Everything that is to arrive over one link. */
export class InPort {
  private frameLeft = 0;
  private current: Incoming | undefined;
  private needsFingerprint = true;

  constructor(
    readonly link: Link,
    private readonly streams: readonly Incoming[],
  ) {}

  get isDone(): boolean {
    if (this.needsFingerprint) return false;
    for (const stream of this.streams) if (!stream.isDone) return false;
    return true;
  }

  /** Takes what has arrived; returns whether there was anything. */
  proceed(group: Group): boolean {
    const { link } = this;
    let moved = false;
    // A few frames at a time: other ranks may be waiting for what has just arrived.
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
      if (!this.nextFrame(group)) break;
    }
    // A link that has ended may leave part of a header behind, which is never completed.
    const isStuck = !moved && !link.isPaused && !this.isDone;
    if (link.hasEnded && isStuck) group.membership.failLost(link);
    return moved;
  }

  /** Reads the next header, but no data beyond it; returns whether a data frame begins. */
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

  /** How many bytes the input must hold before the frame at its front can be handled. */
  private neededBytes(front: number): number {
    if (front === TAG.fingerprint) return FINGERPRINT_BYTES;
    if (front === TAG.allreduceSend) return HEADER_BYTES + 1;
    // 0: a control frame of which only a part has arrived, or no complete header yet.
    return front === 0 ? (this.link.frameBytes(this.link.start) ?? HEADER_BYTES) : HEADER_BYTES;
  }

  /** The header of the first data frame usually arrives together with the fingerprint. */
  private wantedBytes(front: number): number {
    const needed = this.neededBytes(front);
    if (!this.needsFingerprint || this.streams.length === 0) return needed;
    const opBytes = this.streams[0]?.tag === TAG.allreduceSend ? 1 : 0;
    return Math.max(needed, FINGERPRINT_BYTES + HEADER_BYTES + opBytes);
  }
}
