/**
 * What travels on a connection: frames with a length, a tag and a payload. The tables in this file are
 * the protocol; docs/wire-protocol.md explains them. Never renumber.
 */

import { ABORT, type AbortNotice } from "../group/abort.js";

/** Raise it whenever ranks of the old and the new version would not understand each other. */
export const VERSION = 4;

/** Every frame begins with the length of what follows (32 bits, big-endian) and a tag (8 bits). */
export const HEADER_BYTES = 5;

/** The tags. */
export const TAG = {
  /** A piece, or part of one, from the rank that contributes it. */
  allgathervSend: 0x01,
  /** Pieces of other ranks, from the coordinator. */
  allgathervRecv: 0x02,
  /** The operation (one byte), then operands. */
  allreduceSend: 0x03,
  /** Results. */
  allreduceRecv: 0x04,
  broadcast: 0x05,
  barrierReady: 0x06,
  barrierGo: 0x07,
  /** The worker's introduction and its proof. */
  handshake: 0x08,
  /** The worker is accepted; with the coordinator's proof. */
  ack: 0x09,
  /** Goodbye: the connection will end, and that is not a failure. */
  shutdown: 0x0a,
  /** The sender's call. It precedes the data of every call. */
  fingerprint: 0x0b,
  /** The first frame from the side that connects: version, byte order, a nonce. */
  hello: 0x0c,
  /** The answer: whether proof is wanted, and a nonce. */
  challenge: 0x0d,
  /** The connection is refused, with the reason. */
  refusal: 0x0e,
  /**
   * All ranks have joined: their machines, the secret of the job, where higher ranks accept links.
   */
  roster: 0x0f,
  /**
   * Whether links were made (one byte): each worker reports its own, then rank 0 tells all the
   * result.
   */
  links: 0x10,
  /** The sender has given up, with the reason. */
  abort: 0x11,
  /** Rank 0 asks which workers are waiting, to find those that are not. */
  inquiry: 0x12,
  /** A worker is waiting in a collective: the answer to an inquiry, or a request for one. */
  waiting: 0x13,
} as const;

/** The longest payload of a control frame. No rank sends longer ones. */
export const MAX_CONTROL_BYTES = 4096;

/**
 * Data is passed on and folded in chunks of this size, so that the next rank can begin before all
 * has arrived.
 */
export const CHUNK_BYTES = 32_768;

/** The longest payload of a data frame. Longer data is sent in several frames. */
export const MAX_FRAME_BYTES = 1_048_576;

/** The length of a fingerprint frame: header, sequence number, call, length, history. */
export const FINGERPRINT_BYTES = HEADER_BYTES + 20;

/** Writes a header at `at` for a payload of `bytes` bytes. */
export function writeHeader(into: Uint8Array, at: number, tag: number, bytes: number): void {
  const length = bytes + 1;
  into[at] = length >>> 24;
  into[at + 1] = length >>> 16;
  into[at + 2] = length >>> 8;
  into[at + 3] = length;
  into[at + 4] = tag;
}

/** The length of the payload that follows the header at `at`. */
export function payloadBytes(from: Uint8Array, at: number): number {
  const high = (from[at] as number) * 2 ** 24;
  const low =
    ((from[at + 1] as number) << 16) | ((from[at + 2] as number) << 8) | (from[at + 3] as number);
  return high + low - 1;
}

/** A complete frame. */
export function frame(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const payload = Buffer.concat(parts);
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  writeHeader(bytes, 0, tag, payload.length);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

/** 32-bit numbers, little-endian like all numbers in payloads. */
export function words(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => {
    view.setUint32(4 * i, value, true);
  });
  return new Uint8Array(view.buffer);
}

/**
 * Limits on the text of an abort and on the ranks it names, so that both fit into a control frame.
 */
const MAX_TEXT_BYTES = 1000;
const MAX_NAMED_RANKS = 700;

export function encodeAbort({ code, missingRanks, text }: AbortNotice): Uint8Array {
  const named = missingRanks.slice(0, MAX_NAMED_RANKS);
  const bytes = Buffer.from(text, "utf8").subarray(0, MAX_TEXT_BYTES);
  return frame(TAG.abort, words(code, named.length, ...named), bytes);
}

/** Reads the payload of an abort frame. One that is too short names no rank and has no text. */
export function decodeAbort(payload: Uint8Array): AbortNotice {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  if (payload.length < 8) return { code: ABORT.missing, missingRanks: [], text: "" };
  const count = Math.min(view.getUint32(4, true), Math.floor(payload.length / 4) - 2);
  const missingRanks = Array.from({ length: count }, (_, i) => view.getUint32(8 + 4 * i, true));
  const text = Buffer.from(payload.subarray(8 + 4 * count)).toString("utf8");
  return { code: view.getUint32(0, true), missingRanks, text };
}
