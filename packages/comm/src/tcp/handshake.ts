/**
 * The handshake on a new connection. Here the side that connects is called the worker, and the side
 * that accepts the coordinator, also when two workers link up.
 *
 *     worker       hello (version, byte order, nonce)
 *     coordinator  challenge (version, whether it wants proof, nonce), or refusal
 *     worker       handshake (who it is, whom it means, over what; proof)
 *     coordinator  ack (size, rank; proof), or refusal
 */
import { NONCE_BYTES, PROOF_BYTES } from "./proof.js";
import { frame, TAG, VERSION, words } from "./wire.js";

const MAGIC = 0x72426f43; // "CoBr", little-endian
const BYTE_ORDER = new Uint8Array(Uint32Array.of(0x01020304).buffer);

/** No frame of the handshake is longer than this. */
export const MAX_HANDSHAKE_BYTES = 512;

/** A connection lets a worker join the group, or links two ranks of it. */
export const PURPOSE = { join: 0, link: 1 } as const;

export function encodeHello(nonce: Uint8Array): Uint8Array {
  return frame(TAG.hello, words(MAGIC, VERSION), BYTE_ORDER, nonce);
}

/** The worker's nonce, or the reason to refuse it. `undefined`: it does not speak this protocol. */
export function decodeHello(
  payload: Uint8Array,
): { nonce: Uint8Array } | { reason: string } | undefined {
  if (payload.length < 12) return undefined;
  const view = viewOf(payload);
  if (view.getUint32(0, true) !== MAGIC) return undefined;
  const version = view.getUint32(4, true);
  if (version !== VERSION) {
    const reason = `it speaks version ${version} of the protocol, rank 0 speaks version ${VERSION}. Use one version of Cobre for all ranks.`;
    return { reason };
  }
  if (!BYTE_ORDER.every((byte, i) => payload[8 + i] === byte)) {
    return { reason: "its machine uses a different byte order from that of rank 0." };
  }
  if (payload.length !== 12 + NONCE_BYTES) return undefined;
  return { nonce: payload.slice(12) };
}

export function encodeChallenge(wantsProof: boolean, nonce: Uint8Array): Uint8Array {
  return frame(TAG.challenge, words(VERSION, wantsProof ? 1 : 0), nonce);
}

export function decodeChallenge(
  payload: Uint8Array,
): { wantsProof: boolean; nonce: Uint8Array } | undefined {
  if (payload.length !== 8 + NONCE_BYTES) return undefined;
  return { wantsProof: viewOf(payload).getUint32(4, true) === 1, nonce: payload.slice(8) };
}

/** What a connection goes through. It is part of the proof: one made for the one is none for the other. */
export const CHANNEL = { network: 0, unix: 1 } as const;

/** The random part of the name of a Unix socket; all zeros mean that there is none. */
export const NAME_BYTES = 16;
export const NO_NAME = new Uint8Array(NAME_BYTES);

/** Who has connected, and what for. */
export interface Introduction {
  readonly rank: number;
  readonly size: number;
  /** A number that all processes of one machine share. */
  readonly machine: bigint;
  /** The port at which lower ranks can connect; 0 if this rank accepts no links. */
  readonly port: number;
  readonly purpose: number;
  /** The rank that is meant: what is proved to one cannot be passed on to another. */
  readonly target: number;
  /** One of {@link CHANNEL}. */
  readonly channel: number;
  /** The name under which ranks of the same machine can connect; see {@link NAME_BYTES}. */
  readonly name: Uint8Array;
}

const INTRODUCTION_BYTES = 32 + NAME_BYTES;

export function encodeIntroduction(introduction: Introduction): Uint8Array {
  const { rank, size, machine, port, purpose, target, channel, name } = introduction;
  const low = Number(machine & 0xffffffffn);
  const high = Number((machine >> 32n) & 0xffffffffn);
  return Buffer.concat([words(rank, size, low, high, port, purpose, target, channel), name]);
}

export function decodeHandshake(
  payload: Uint8Array,
): { introduction: Introduction; statement: Uint8Array; proof: Uint8Array } | undefined {
  const { length } = payload;
  if (length !== INTRODUCTION_BYTES && length !== INTRODUCTION_BYTES + PROOF_BYTES)
    return undefined;
  const view = viewOf(payload);
  return {
    introduction: {
      rank: view.getUint32(0, true),
      size: view.getUint32(4, true),
      machine: view.getBigUint64(8, true),
      port: view.getUint32(16, true),
      purpose: view.getUint32(20, true),
      target: view.getUint32(24, true),
      channel: view.getUint32(28, true),
      name: payload.slice(32, INTRODUCTION_BYTES),
    },
    statement: payload.slice(0, INTRODUCTION_BYTES),
    proof: payload.slice(INTRODUCTION_BYTES),
  };
}

const ACK_BYTES = 8;

/** What the side that was connected to states: how many ranks there are, and which one it is. */
export function encodeAckStatement(size: number, rank: number): Uint8Array {
  return words(size, rank);
}

export function decodeAck(
  payload: Uint8Array,
): { rank: number; statement: Uint8Array; proof: Uint8Array } | undefined {
  const { length } = payload;
  if (length !== ACK_BYTES && length !== ACK_BYTES + PROOF_BYTES) return undefined;
  const rank = viewOf(payload).getUint32(4, true);
  return { rank, statement: payload.slice(0, ACK_BYTES), proof: payload.slice(ACK_BYTES) };
}

/** A refusal: a proof of its text, zeros if none can be made, and the text. */
export function encodeRefusal(
  text: Uint8Array,
  proof: Uint8Array = new Uint8Array(PROOF_BYTES),
): Uint8Array {
  return frame(TAG.refusal, proof, text);
}

export function decodeRefusal(payload: Uint8Array): { text: Uint8Array; proof: Uint8Array } {
  return { text: payload.slice(PROOF_BYTES), proof: payload.slice(0, PROOF_BYTES) };
}

/** What a stranger has written, as it may stand in a message: one short line without control characters. */
export function printable(text: Uint8Array): string {
  const line = Buffer.from(text)
    .toString("utf8")
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

const LONGEST_TEXT = 300;

/** Where a rank takes links. */
export interface Whereabouts {
  /** Whether it is on the same machine as the worker that receives the roster. */
  readonly isLocal: boolean;
  readonly host: string;
  readonly port: number;
  /** Its name for ranks of its machine; see {@link NAME_BYTES}. */
  readonly name: Uint8Array;
}

/** What a worker needs to know once all ranks have joined. */
export interface Roster {
  /** The machine of each rank, by rank: the lowest rank on that machine. */
  readonly machines: readonly number[];
  /** Whether workers are to connect to each other. */
  readonly links: boolean;
  /** Whether rank 0 will also connect to this worker. */
  readonly linkFromCoordinator: boolean;
  /** From which the secret of the links follows; see `meshSecret`. */
  readonly jobNonce: Uint8Array;
  /** The ranks above the worker's own, in order. */
  readonly higher: readonly Whereabouts[];
}

const JOB_NONCE_BYTES = 32;
const LINKS_WANTED = 1;
const LINK_FROM_COORDINATOR = 2;

/** Room for the longest roster: that of the largest group that is linked. */
export const MAX_ROSTER_BYTES = 65_536;

export function encodeRoster(roster: Roster): Uint8Array {
  const { machines, links, linkFromCoordinator, jobNonce, higher } = roster;
  const flags = (links ? LINKS_WANTED : 0) | (linkFromCoordinator ? LINK_FROM_COORDINATOR : 0);
  const entries = higher.map(({ isLocal, host, port, name }) => {
    const text = Buffer.from(host, "utf8");
    const fields = Uint8Array.of(isLocal ? 1 : 0, port & 255, port >> 8, text.length);
    return Buffer.concat([fields, name, text]);
  });
  const numbers = words(machines.length, flags, higher.length);
  return frame(TAG.roster, numbers, jobNonce, words(...machines), ...entries);
}

export function decodeRoster(payload: Uint8Array): Roster | undefined {
  if (payload.length < 12 + JOB_NONCE_BYTES) return undefined;
  const view = viewOf(payload);
  const size = view.getUint32(0, true);
  const flags = view.getUint32(4, true);
  const machinesAt = 12 + JOB_NONCE_BYTES;
  if (payload.length < machinesAt + 4 * size) return undefined;
  const machines = Array.from({ length: size }, (_, r) => view.getUint32(machinesAt + 4 * r, true));
  const higher: Whereabouts[] = [];
  let at = machinesAt + 4 * size;
  for (let left = view.getUint32(8, true); left > 0; left--) {
    const nameAt = at + 4;
    const hostAt = nameAt + NAME_BYTES;
    if (hostAt > payload.length) return undefined;
    const end = hostAt + (payload[at + 3] as number);
    if (end > payload.length) return undefined;
    higher.push({
      isLocal: payload[at] === 1,
      host: Buffer.from(payload.slice(hostAt, end)).toString("utf8"),
      port: view.getUint16(at + 1, true),
      name: payload.slice(nameAt, hostAt),
    });
    at = end;
  }
  return {
    machines,
    links: (flags & LINKS_WANTED) !== 0,
    linkFromCoordinator: (flags & LINK_FROM_COORDINATOR) !== 0,
    jobNonce: payload.slice(12, 12 + JOB_NONCE_BYTES),
    higher,
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
