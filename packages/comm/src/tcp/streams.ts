/**
 * Long messages. They flow in frames of bounded length over several links at a time; what has arrived
 * on one is passed on over another while more still comes, straight from and into the callers' memory.
 */
import { bytesOf, type Group } from "./group.js";
import type { Link } from "./link.js";
import { CHUNK_BYTES, FINGERPRINT_BYTES, HEADER_BYTES, MAX_FRAME_BYTES, TAG } from "./wire.js";

/** A stretch of memory. */
export interface Span {
  readonly bytes: Uint8Array;
  readonly address: number;
}

/** How far a message has got through the memory it comes from or goes to, span after span. */
class Cursor {
  /** How many bytes are behind it. */
  passed = 0;
  readonly total: number;
  private readonly spans: readonly Span[];
  private index = 0;
  private at = 0;

  constructor(spans: readonly Span[]) {
    this.spans = spans.filter(({ bytes }) => bytes.length > 0);
    this.total = this.spans.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  get isAtEnd(): boolean {
    return this.passed === this.total;
  }

  /** Where the next byte is. */
  get address(): number {
    return (this.spans[this.index] as Span).address + this.at;
  }

  /** How many bytes of the span are left. */
  get rest(): number {
    return (this.spans[this.index] as Span).bytes.length - this.at;
  }

  write(bytes: Uint8Array): void {
    (this.spans[this.index] as Span).bytes.set(bytes, this.at);
  }

  /** Goes on, at most to the end of the span. */
  advance(bytes: number): void {
    this.passed += bytes;
    this.at += bytes;
    if (this.rest > 0) return;
    this.index++;
    this.at = 0;
  }
}

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

/** Frames of one tag that go out over a link, as soon as `available` says that their bytes are there. */
export class Outgoing {
  private readonly cursor: Cursor;

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

  /** Begins the next frame if all of it is there; a frame that has begun can always be finished. */
  sendNext(link: Link, prefix?: Uint8Array): boolean {
    const { cursor } = this;
    if (cursor.isAtEnd) return false;
    let length = Math.min(cursor.rest, this.available() - cursor.passed, MAX_FRAME_BYTES);
    if (length < cursor.rest) {
      length -= length % CHUNK_BYTES;
      if (length === 0) return false;
    }
    link.sendFrame(this.tag, cursor.address, length, this.op, prefix);
    cursor.advance(length);
    return true;
  }
}

/** What is to come over one link. */
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
      if (!this.nextFrame(group)) break;
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

/** What is to go out over one link: the fingerprint, then the streams as they come. */
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

/** What moves in one collective. */
export interface Traffic {
  readonly ins: readonly InPort[];
  /** Each begins with the fingerprint; one without streams consists of it. */
  readonly outs: readonly OutPort[];
  /** Works on what has come in; returns whether there was something to do. */
  readonly work?: () => boolean;
}

/** Moves everything. */
export function run(group: Group, { ins, outs, work }: Traffic): void {
  const { waiting } = group;
  for (const { link } of ins) link.isExpected = true;
  for (;;) {
    let moved = false;
    let isDone = true;
    for (const port of outs) {
      if (port.isDone) continue;
      if (port.proceed(group)) moved = true;
      if (!port.isDone) isDone = false;
    }
    for (const port of ins) {
      if (port.isDone) continue;
      if (port.proceed(group)) moved = true;
      if (port.isDone) port.link.isExpected = false;
      else isDone = false;
    }
    if (work?.() === true) {
      moved = true;
      isDone = false;
    }
    if (isDone) return;
    if (moved) waiting.moved();
    else waiting.idle(() => awaited(ins, outs));
  }
}

function awaited(ins: readonly InPort[], outs: readonly OutPort[]): number[] {
  const links = [...ins, ...outs].filter((port) => !port.isDone).map((port) => port.link.rank);
  return [...new Set(links)].sort((a, b) => a - b);
}

/** Part of an array, from one element to another. */
export function spanOf(group: Group, array: ArrayBufferView, from: number, bytes: number): Span {
  const part = bytesOf(array).subarray(from, from + bytes);
  return { bytes: part, address: bytes === 0 ? 0 : group.sockets.addressOf(part) };
}
