/** Long messages that go out, straight from the callers' memory. */
import type { Group } from "./group.js";
import type { Link } from "./link.js";
import { Cursor, type Span } from "./spans.js";
import { CHUNK_BYTES, MAX_FRAME_BYTES } from "./wire.js";

interface Manner {
  /** The operation of an `allreduceSend`. */
  readonly op?: number;
  /** From so many bytes of a frame on, lending its memory takes less time than copying it. */
  readonly lentFrom?: number;
}

/** Frames of one tag that go out over a link, as soon as `available` says that their bytes are there. */
export class Outgoing {
  private readonly cursor: Cursor;
  private readonly op: number;
  private readonly lentFrom: number;

  constructor(
    readonly tag: number,
    spans: readonly Span[],
    private readonly available: () => number,
    { op = 0, lentFrom = Number.POSITIVE_INFINITY }: Manner = {},
  ) {
    this.cursor = new Cursor(spans);
    this.op = op;
    this.lentFrom = lentFrom;
  }

  get isDone(): boolean {
    return this.cursor.isAtEnd;
  }

  /** Begins the next frame if all of it is there; a frame that has begun can always be finished. */
  sendNext(link: Link, prefix?: Uint8Array): boolean {
    const { cursor, tag, op } = this;
    if (cursor.isAtEnd) return false;
    let length = Math.min(cursor.rest, this.available() - cursor.passed, MAX_FRAME_BYTES);
    if (length < cursor.rest) {
      length -= length % CHUNK_BYTES;
      if (length === 0) return false;
    }
    const mayBeLent = length >= this.lentFrom;
    link.sendFrame({ tag, address: cursor.address, bytes: length, op, prefix, mayBeLent });
    cursor.advance(length);
    return true;
  }
}

/** What is to go out over one link: the fingerprint, then the streams as they come. */
export class OutPort {
  private hasBegun = false;

  constructor(
    readonly link: Link,
    private readonly streams: readonly Outgoing[],
  ) {}

  get isDone(): boolean {
    return this.isAllSent && !this.link.hasLent;
  }

  private get isAllSent(): boolean {
    if (!this.hasBegun || this.link.isSending) return false;
    for (const stream of this.streams) if (!stream.isDone) return false;
    return true;
  }

  /** Sends what goes out; returns whether that was anything. */
  proceed(group: Group): boolean {
    const { link } = this;
    let moved = false;
    for (let frames = 0; frames < 4; frames++) {
      if (link.isSending) {
        if (link.isBlocked) break;
        if (link.push()) moved = true;
        // Its last words stand behind what this collective still reads from it.
        if (link.isDeaf && !link.isExpected) group.membership.failLost(link);
        if (link.isSending) break;
      }
      if (!this.beginFrame(group.fingerprint)) break;
      moved = true;
    }
    if (link.hasLent && this.isAllSent && link.settle()) moved = true;
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
