/** Sends long messages straight from the caller's memory. */
import type { Group } from "./group.js";
import type { Link } from "./link.js";
import { Cursor, type Span } from "./spans.js";
import { CHUNK_BYTES, MAX_FRAME_BYTES } from "./wire.js";

/**
 * Frames of one tag that are sent over a link once `available` says that their bytes are present.
 */
export class Outgoing {
  private readonly cursor: Cursor;

  /** `op` is the operation of an `allreduceSend`. */
  constructor(
    readonly tag: number,
    spans: readonly Span[],
    private readonly available: () => number,
    private readonly op = 0,
  ) {
    this.cursor = new Cursor(spans);
  }

  get isDone(): boolean {
    return this.cursor.isAtEnd;
  }

  /**
   * Begins the next frame if all its bytes are present, so that it can be finished without waiting
   * for more.
   */
  sendNext(link: Link, prefix?: Uint8Array): boolean {
    const { cursor, tag, op } = this;
    if (cursor.isAtEnd) return false;
    let length = Math.min(cursor.rest, this.available() - cursor.passed, MAX_FRAME_BYTES);
    if (length < cursor.rest) {
      length -= length % CHUNK_BYTES;
      if (length === 0) return false;
    }
    link.sendFrame({ tag, address: cursor.address, bytes: length, op, prefix });
    cursor.advance(length);
    return true;
  }
}

/**
 * Everything that is to be sent over one link: the fingerprint, then the streams as their data
 * arrives.
 */
export class OutPort {
  private hasBegun = false;

  constructor(
    readonly link: Link,
    private readonly streams: readonly Outgoing[],
  ) {}

  get isDone(): boolean {
    if (!this.hasBegun || this.link.isSending) return false;
    for (const stream of this.streams) if (!stream.isDone) return false;
    return true;
  }

  /** Sends what the link takes; returns whether that was anything. */
  proceed(group: Group): boolean {
    const { link } = this;
    let moved = false;
    for (let frames = 0; frames < 4; frames++) {
      if (link.isSending) {
        if (link.isBlocked) break;
        if (link.push()) moved = true;
        // While the collective still reads from this link, reading will find the other side's last
        // words.
        if (link.isDeaf && !link.isExpected) group.membership.failLost(link);
        if (link.isSending) break;
      }
      if (!this.beginFrame(group.fingerprint)) break;
      moved = true;
    }
    return moved;
  }

  private beginFrame(fingerprint: Uint8Array): boolean {
    const { link, hasBegun } = this;
    for (const stream of this.streams) {
      if (stream.sendNext(link, hasBegun ? undefined : fingerprint)) {
        this.hasBegun = true;
        return true;
      }
    }
    if (hasBegun) return false;
    this.hasBegun = true;
    link.sendCopy(fingerprint);
    return true;
  }
}
