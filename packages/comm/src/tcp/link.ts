import { closeSync } from "node:fs";
import { CANNOT_LEND, type PageLender } from "../ffi/page-lender.js";
import type { Sockets } from "../ffi/sockets.js";
import { ENDED } from "../ffi/transfer.js";
import { frame, HEADER_BYTES, payloadBytes, TAG, writeHeader } from "./wire.js";

/** Room for what has come in and was not asked for yet; every message of the short way fits in. */
export const INPUT_BYTES = 131_072;

const SETTLED = frame(TAG.settled);

/** A frame of data, on its way from the caller's memory. */
export interface OutFrame {
  readonly tag: number;
  readonly address: number;
  readonly bytes: number;
  /** The operation of an `allreduceSend`. */
  readonly op: number;
  /** What goes before it; it is copied. */
  readonly prefix: Uint8Array | undefined;
  /** Whether its memory is worth being lent, where that can be done. */
  readonly mayBeLent: boolean;
}

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

  /** Opened when it is first wanted: most links never carry anything so long. */
  private lender: PageLender | undefined;
  private isLendable = true;
  /** Whether what goes out is lent. */
  private isLending = false;
  /** Whether something was lent in this collective, which ends for the other side when it is settled. */
  hasLent = false;
  /** Whether all was sent, and all that is missing is that it is read. */
  isSettling = false;

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
    this.send(0, address, bytes);
  }

  sendFrame({ tag, address, bytes, op, prefix, mayBeLent }: OutFrame): void {
    const { header } = this;
    const isLent = mayBeLent && this.canLend();
    let at = 0;
    if (prefix !== undefined) {
      header.set(prefix);
      at = prefix.length;
    }
    if (isLent && !this.hasLent) {
      this.hasLent = true;
      writeHeader(header, at, TAG.lent, 0);
      at += HEADER_BYTES;
    }
    const opBytes = tag === TAG.allreduceSend ? 1 : 0;
    writeHeader(header, at, tag, bytes + opBytes);
    header[at + HEADER_BYTES] = op;
    this.send(at + HEADER_BYTES + opBytes, address, bytes, isLent);
  }

  /** Begins to send a short frame that is copied, so that nobody has to keep it. */
  sendCopy(bytes: Uint8Array): void {
    this.header.set(bytes);
    this.send(bytes.length, 0, 0);
  }

  private canLend(): boolean {
    if (!this.isLendable) return false;
    this.lender ??= this.sockets.lenderFor(this.fd);
    this.isLendable = this.lender !== undefined;
    return this.isLendable;
  }

  /** Begins to send what stands in the header, and the bytes at an address behind it. */
  private send(headerBytes: number, address: number, bytes: number, isLent = false): void {
    this.headerAt = 0;
    this.headerLeft = headerBytes;
    this.payloadAddress = address;
    this.payloadLeft = bytes;
    this.isLending = isLent;
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
    if (this.isLending && headerLeft === 0) return this.lend();
    const header = this.headerAddress + this.headerAt;
    if (this.isLending || payloadLeft === 0) {
      const moved = this.advance(sockets.send(fd, header, headerLeft), headerLeft);
      if (this.isLending && this.headerLeft === 0) this.lend();
      return moved;
    }
    const sent =
      headerLeft === 0
        ? sockets.send(fd, this.payloadAddress, payloadLeft)
        : sockets.sendBoth(fd, header, headerLeft, this.payloadAddress, payloadLeft);
    return this.advance(sent, headerLeft + payloadLeft);
  }

  /** Sends on what is lent, or, if that cannot be, a copy. */
  private lend(): boolean {
    const lender = this.lender as PageLender;
    const sent = lender.send(this.payloadAddress, this.payloadLeft);
    if (sent !== CANNOT_LEND) return this.advance(sent, this.payloadLeft);
    this.isLendable = false;
    this.isLending = false;
    return this.push();
  }

  /** `sent` bytes of those `offered` went out, or none: then it says why. */
  private advance(sent: number, offered: number): boolean {
    if (sent <= 0) {
      // Nothing goes out any more; why, the other direction will tell.
      if (sent === ENDED) this.isDeaf = true;
      else this.isBlocked = true;
      return false;
    }
    this.isBlocked = sent < offered;
    const ofHeader = Math.min(sent, this.headerLeft);
    this.headerAt += ofHeader;
    this.headerLeft -= ofHeader;
    this.payloadAddress += sent - ofHeader;
    this.payloadLeft -= sent - ofHeader;
    return true;
  }

  /**
   * Tells the other side, when it has read all that was lent, that it can rely on it: from then on the memory is the
   * caller's again. Returns whether it was told.
   */
  settle(): boolean {
    this.isSettling = !(this.lender as PageLender).isAllRead;
    if (this.isSettling) return false;
    this.hasLent = false;
    this.sendCopy(SETTLED);
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
    this.lender?.close();
  }
}
