import { closeSync } from "node:fs";
import type { Sockets } from "../ffi/sockets.js";
import { ENDED } from "../ffi/transfer.js";
import { HEADER_BYTES, payloadBytes, TAG, writeHeader } from "./wire.js";

/** Room for data that has arrived but is not needed yet. Every short message fits. */
const INPUT_BYTES = 131_072;

/** How often a link that is closed is emptied. */
const MAX_DISCARDS = 64;

/** A frame of data, on its way from the caller's memory. */
export interface OutFrame {
  readonly tag: number;
  readonly address: number;
  readonly bytes: number;
  /** The operation of an `allreduceSend`. */
  readonly op: number;
  /** Bytes to send before the frame. They are copied. */
  readonly prefix: Uint8Array | undefined;
}

/**
 * A connection to one rank. It moves bytes and never waits. What cannot be sent at once stays in the
 * caller's memory, by reference, until `push` has sent all of it.
 */
export class Link {
  readonly rank: number;
  readonly fd: number;
  private readonly sockets: Sockets;

  /** Received data: the bytes from `start` to `end`. */
  readonly input: Uint8Array;
  start = 0;
  end = 0;
  private readonly inputAddress: number;

  /** The other side has closed the connection, or the connection broke. */
  hasEnded = false;
  /** The other side has said goodbye. */
  hasLeft = false;
  /** Nothing can be sent any more. Reading from the link will show why. */
  isDeaf = false;
  /** Whether the current collective reads from this link itself. */
  isExpected = false;
  /** Whether incoming data must stay in the kernel for now: there is no room for it. */
  isPaused = false;
  /** Whether the kernel may have data for this link: it said so, and not all was read since. */
  isReadable = false;
  /** Whether the kernel accepted no more data, and has not said since that it would. */
  isBlocked = false;
  /** Control frames before this offset have been handled, even those behind unread data frames. */
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

  /** How many bytes of the input have not been used yet. */
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

  /** Moves what is left to the front of the buffer, to make room at its end. */
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

  /**
   * Receives into memory; other than `input`, only while `input` is empty. Returns how many bytes
   * came.
   */
  receiveInto(address: number, bytes: number): number {
    const got = this.sockets.receive(this.fd, address, bytes);
    this.isReadable = got === bytes;
    if (got > 0) return got;
    if (got === ENDED) this.hasEnded = true;
    return 0;
  }

  /** Whether something still has to be sent. */
  get isSending(): boolean {
    return this.headerLeft + this.payloadLeft > 0;
  }

  /** Begins to send bytes that already form a frame. */
  sendRaw(address: number, bytes: number): void {
    this.send(0, address, bytes);
  }

  sendFrame({ tag, address, bytes, op, prefix }: OutFrame): void {
    const { header } = this;
    let at = 0;
    if (prefix !== undefined) {
      header.set(prefix);
      at = prefix.length;
    }
    const opBytes = tag === TAG.allreduceSend ? 1 : 0;
    writeHeader(header, at, tag, bytes + opBytes);
    header[at + HEADER_BYTES] = op;
    this.send(at + HEADER_BYTES + opBytes, address, bytes);
  }

  /** Begins to send a copy of a short frame, so that the caller need not keep it. */
  sendCopy(bytes: Uint8Array): void {
    this.header.set(bytes);
    this.send(bytes.length, 0, 0);
  }

  /** Begins to send the header, followed by the bytes at an address. */
  private send(headerBytes: number, address: number, bytes: number): void {
    this.headerAt = 0;
    this.headerLeft = headerBytes;
    this.payloadAddress = address;
    this.payloadLeft = bytes;
    this.push();
  }

  /** Sends as much as the kernel takes at once, and drops the rest. */
  sendOnce(bytes: Uint8Array): void {
    this.sockets.send(this.fd, this.sockets.addressOf(bytes), bytes.length);
  }

  /** Continues to send; returns whether the kernel took anything. */
  push(): boolean {
    const { sockets, fd, headerLeft, payloadLeft } = this;
    if (headerLeft + payloadLeft === 0) return false;
    const header = this.headerAddress + this.headerAt;
    const sent =
      payloadLeft === 0
        ? sockets.send(fd, header, headerLeft)
        : headerLeft === 0
          ? sockets.send(fd, this.payloadAddress, payloadLeft)
          : sockets.sendBoth(fd, header, headerLeft, this.payloadAddress, payloadLeft);
    return this.advance(sent, headerLeft + payloadLeft);
  }

  /**
   * Accounts for `sent` of the `offered` bytes. If it is 0 or less, it is the reason that none were
   * sent.
   */
  private advance(sent: number, offered: number): boolean {
    if (sent <= 0) {
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

  /** The length of the frame at `at`, with its header, if the header has arrived. */
  frameBytes(at: number): number | undefined {
    if (this.end - at < HEADER_BYTES) return undefined;
    return HEADER_BYTES + payloadBytes(this.input, at);
  }

  /** Discards the input and reads again; returns whether anything came. */
  discardSome(): boolean {
    this.start = this.end;
    return this.fill();
  }

  /** Closes the connection. What was sent still arrives. */
  close(): void {
    this.sockets.finishSending(this.fd);
    // Unread bytes would make the kernel break the connection off instead of ending it. A stranger
    // that never stops sending is broken off.
    for (let i = 0; i < MAX_DISCARDS && this.discardSome(); i++);
    closeSync(this.fd);
  }
}
