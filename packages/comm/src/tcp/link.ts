import { closeSync } from "node:fs";
import { ENDED, type Sockets } from "../ffi/sockets.js";
import { HEADER_BYTES, payloadBytes, TAG, writeHeader } from "./wire.js";

/** Room for what has come in and was not asked for yet; every message of the short way fits in. */
export const INPUT_BYTES = 131_072;

/**
 * A connection to one rank. It moves bytes and never waits: what cannot go out now is kept, as a
 * reference to the caller's memory, until `push` has sent it all.
 */
export class Link {
  readonly rank: number;
  readonly fd: number;
  private readonly sockets: Sockets;

  /** What has come in: the bytes from `start` to `end`. */
  readonly input: Uint8Array;
  start = 0;
  end = 0;
  private readonly inputAddress: number;

  /** The other side has closed the connection, or it broke. */
  hasEnded = false;
  /** The other side has said goodbye. */
  hasLeft = false;
  /** Nothing can be sent any more; why, the other direction will tell. */
  isDeaf = false;
  /** Whether the collective that runs reads from this link itself. */
  isExpected = false;
  /** Whether what comes has to stay in the kernel for now. */
  isPaused = false;
  /** Whether the kernel may have something for this link: it said so, and not all was taken since. */
  isReadable = false;
  /** Whether the kernel could take no more, and has not said since that it can. */
  isBlocked = false;
  /** Control frames up to here have been looked at, though other frames come before them. */
  scanned = 0;

  private readonly header = new Uint8Array(128);
  private readonly headerAddress: number;
  private headerAt = 0;
  private headerLeft = 0;
  private payloadAddress = 0;
  private payloadLeft = 0;

  constructor(sockets: Sockets, fd: number, rank: number, inputBytes = INPUT_BYTES) {
    this.sockets = sockets;
    this.fd = fd;
    this.rank = rank;
    this.input = new Uint8Array(inputBytes);
    this.inputAddress = sockets.addressOf(this.input);
    this.headerAddress = sockets.addressOf(this.header);
  }

  /** How much of the input was not used yet. */
  get available(): number {
    return this.end - this.start;
  }

  get isFull(): boolean {
    return this.end - this.start === this.input.length;
  }

  /** Reads into the input, at most `limit` bytes; returns whether anything came. */
  fill(limit = this.input.length): boolean {
    if (this.hasEnded) return false;
    if (this.start === this.end) {
      this.start = 0;
      this.end = 0;
      this.scanned = 0;
    } else if (this.end === this.input.length) {
      this.compact();
    }
    const room = Math.min(limit, this.input.length - this.end);
    if (room === 0) return false;
    const got = this.receiveInto(this.inputAddress + this.end, room);
    this.end += got;
    return got > 0;
  }

  /** Moves what is left to the front, so that more fits in behind it. */
  private compact(): void {
    this.input.copyWithin(0, this.start, this.end);
    this.scanned = Math.max(0, this.scanned - this.start);
    this.end -= this.start;
    this.start = 0;
  }

  /** Makes sure that `bytes` bytes from `start` on fit into the input. */
  makeRoom(bytes: number): void {
    if (this.start + bytes > this.input.length) this.compact();
  }

  /** Receives straight into memory; only when the input is empty. Returns how many bytes came. */
  receiveInto(address: number, bytes: number): number {
    const got = this.sockets.receive(this.fd, address, bytes);
    this.isReadable = got === bytes;
    if (got > 0) return got;
    if (got === ENDED) this.hasEnded = true;
    return 0;
  }

  /** Whether there is something that still has to go out. */
  get isSending(): boolean {
    return this.headerLeft + this.payloadLeft > 0;
  }

  /** Begins to send bytes that are framed already. */
  sendRaw(address: number, bytes: number): void {
    this.payloadAddress = address;
    this.payloadLeft = bytes;
    this.push();
  }

  /**
   * Begins to send a frame, behind `prefix`, which is copied; `op` is the operation of an
   * `allreduceSend`.
   */
  sendFrame(tag: number, address: number, bytes: number, op: number, prefix?: Uint8Array): void {
    const at = prefix === undefined ? 0 : prefix.length;
    if (prefix !== undefined) this.header.set(prefix);
    const opBytes = tag === TAG.allreduceSend ? 1 : 0;
    writeHeader(this.header, at, tag, bytes + opBytes);
    this.header[at + HEADER_BYTES] = op;
    this.headerAt = 0;
    this.headerLeft = at + HEADER_BYTES + opBytes;
    this.payloadAddress = address;
    this.payloadLeft = bytes;
    this.push();
  }

  /** Begins to send a short frame that is copied, so that nobody has to keep it. */
  sendCopy(bytes: Uint8Array): void {
    this.header.set(bytes);
    this.headerAt = 0;
    this.headerLeft = bytes.length;
    this.payloadLeft = 0;
    this.push();
  }

  /** Sends what goes out at once, and forgets the rest. */
  sendOnce(bytes: Uint8Array): void {
    this.sockets.send(this.fd, this.sockets.addressOf(bytes), bytes.length);
  }

  /** Sends on; returns whether anything went out. */
  push(): boolean {
    const { sockets, fd, headerLeft, payloadLeft } = this;
    if (headerLeft + payloadLeft === 0) return false;
    const header = this.headerAddress + this.headerAt;
    const sent =
      headerLeft === 0
        ? sockets.send(fd, this.payloadAddress, payloadLeft)
        : payloadLeft === 0
          ? sockets.send(fd, header, headerLeft)
          : sockets.sendBoth(fd, header, headerLeft, this.payloadAddress, payloadLeft);
    if (sent <= 0) {
      // Nothing goes out any more; why, the other direction will tell.
      if (sent === ENDED) this.isDeaf = true;
      else this.isBlocked = true;
      return false;
    }
    this.isBlocked = sent < headerLeft + payloadLeft;
    const ofHeader = Math.min(sent, headerLeft);
    this.headerAt += ofHeader;
    this.headerLeft -= ofHeader;
    this.payloadAddress += sent - ofHeader;
    this.payloadLeft -= sent - ofHeader;
    return true;
  }

  /** The length of the frame at `at`, header included, if its header is there. */
  frameBytes(at: number): number | undefined {
    if (this.end - at < HEADER_BYTES) return undefined;
    return HEADER_BYTES + payloadBytes(this.input, at);
  }

  /** Throws away some of what has come; returns whether more may have. */
  discardSome(): boolean {
    this.start = this.end;
    return this.fill();
  }

  /** Lets go of the connection; what was sent still arrives. */
  close(): void {
    this.sockets.finishSending(this.fd);
    // Unread bytes would make the kernel break the connection off instead of ending it.
    while (this.discardSome());
    closeSync(this.fd);
  }
}
