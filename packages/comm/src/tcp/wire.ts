/**
 * What travels on a connection: frames of a length, a tag and a payload. The tables of this file are
 * the protocol; docs/wire-protocol.md explains them. Never renumber.
 */

/** Raised whenever ranks of the old and the new version could not understand each other. */
export const VERSION = 3;

/** Every frame begins with the length of what follows (32 bits, big-endian) and a tag (8 bits). */
export const HEADER_BYTES = 5;

/** The tags. */
export const TAG = {
  /** A piece, or a part of one, on its way to the coordinator or to the next rank. */
  allgathervSend: 0x01,
  /** Pieces from the coordinator. */
  allgathervRecv: 0x02,
  /** The operation (a byte), then operands or partial results. */
  allreduceSend: 0x03,
  /** Results. */
  allreduceRecv: 0x04,
  broadcast: 0x05,
  barrierReady: 0x06,
  barrierGo: 0x07,
  /** Who a worker is, with its proof. */
  handshake: 0x08,
  /** The worker is accepted; the coordinator's proof. */
  ack: 0x09,
  /** Goodbye: the end of the connection that follows is no failure. */
  shutdown: 0x0a,
  /** What the sender calls; precedes the data of every call. */
  fingerprint: 0x0b,
  /** The first words of whoever has connected: version, byte order, a nonce. */
  hello: 0x0c,
  /** The answer: a nonce, and whether a token is asked for. */
  challenge: 0x0d,
  /** The connection is not wanted, and why. */
  refusal: 0x0e,
  /** Everybody is there: where the next rank can be reached, and the secret of the job. */
  roster: 0x0f,
  /** Whether the links to neighbours stand (a byte): from each worker, then from the coordinator. */
  links: 0x10,
  /** The sender has given up, and why. */
  abort: 0x11,
  /** The coordinator asks who is waiting, to find out who is not. */
  inquiry: 0x12,
  /** The sender waits in a collective. */
  waiting: 0x13,
  /** What follows on this connection is lent: it is not to be relied on before `settled`. */
  lent: 0x14,
  /** All that was lent has been read in time. */
  settled: 0x15,
} as const;

/** Payloads of frames that are not data are at most this long; longer ones come from no rank. */
export const MAX_CONTROL_BYTES = 4096;

/** What is passed on or folded at a time, so that the next rank can begin while more still comes. */
export const CHUNK_BYTES = 32_768;

/** A data frame carries at most this much; longer payloads are several frames. */
export const MAX_FRAME_BYTES = 1_048_576;

/** The bytes of a fingerprint frame: header, sequence number, call, length, history. */
export const FINGERPRINT_BYTES = HEADER_BYTES + 20;

/** Why a rank has given up. */
export const ABORT = { missing: 1, mismatch: 2, exception: 3 } as const;

/** How a rank says that it has given up. */
export interface AbortNotice {
  readonly code: number;
  readonly missingRanks: readonly number[];
  readonly text: string;
}

/** Writes a header at `at`; the payload has `bytes` bytes. */
export function writeHeader(into: Uint8Array, at: number, tag: number, bytes: number): void {
  const length = bytes + 1;
  into[at] = length >>> 24;
  into[at + 1] = length >>> 16;
  into[at + 2] = length >>> 8;
  into[at + 3] = length;
  into[at + 4] = tag;
}

/** The length of the payload behind the header at `at`. */
export function payloadBytes(from: Uint8Array, at: number): number {
  const high = (from[at] as number) * 2 ** 24;
  const low =
    ((from[at + 1] as number) << 16) | ((from[at + 2] as number) << 8) | (from[at + 3] as number);
  return high + low - 1;
}

/** A frame of its own. */
export function frame(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const payload = Buffer.concat(parts);
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  writeHeader(bytes, 0, tag, payload.length);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

/** Numbers of 32 bits, little-endian as all numbers in control frames. */
export function words(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => {
    view.setUint32(4 * i, value, true);
  });
  return new Uint8Array(view.buffer);
}

/** The longest text of an abort that still fits into a control frame with a thousand ranks. */
const MAX_TEXT_BYTES = 1000;
const MAX_NAMED_RANKS = 700;

export function encodeAbort({ code, missingRanks, text }: AbortNotice): Uint8Array {
  const named = missingRanks.slice(0, MAX_NAMED_RANKS);
  const bytes = Buffer.from(text, "utf8").subarray(0, MAX_TEXT_BYTES);
  return frame(TAG.abort, words(code, named.length, ...named), bytes);
}

/** Reads the payload of an abort frame. What does not parse names nobody and has no text. */
export function decodeAbort(payload: Uint8Array): AbortNotice {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  if (payload.length < 8) return { code: ABORT.missing, missingRanks: [], text: "" };
  const count = Math.min(view.getUint32(4, true), Math.floor(payload.length / 4) - 2);
  const missingRanks = Array.from({ length: count }, (_, i) => view.getUint32(8 + 4 * i, true));
  const text = Buffer.from(payload.subarray(8 + 4 * count)).toString("utf8");
  return { code: view.getUint32(0, true), missingRanks, text };
}
