/**
 * What the two sides of a new connection say to each other. The side that has connected is called the
 * worker here, the one that was connected to the coordinator; neighbours use the same words.
 *
 *     worker       hello (version, byte order, nonce)
 *     coordinator  challenge (version, whether it wants proof, nonce), or refusal
 *     worker       handshake (rank, size, machine, port, purpose; proof)
 *     coordinator  ack (size; proof), or refusal
 */
import { NONCE_BYTES, PROOF_BYTES } from "./proof.js";
import { frame, TAG, VERSION, words } from "./wire.js";

const MAGIC = 0x72426f43; // "CoBr", little-endian
const BYTE_ORDER = new Uint8Array(Uint32Array.of(0x01020304).buffer);

/** Nothing that is said before both sides are sure of each other is longer than this. */
export const MAX_HANDSHAKE_BYTES = 512;

/** A connection joins the group, or links two ranks of it. */
export const PURPOSE = { join: 0, link: 1 } as const;

export function encodeHello(nonce: Uint8Array): Uint8Array {
  return frame(TAG.hello, words(MAGIC, VERSION), BYTE_ORDER, nonce);
}

/** The worker's nonce, or what is wrong with it. `undefined`: it does not speak this protocol. */
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
    return { reason: "its machine stores numbers in another byte order than that of rank 0." };
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

/** Who has connected, and what for. */
export interface Introduction {
  readonly rank: number;
  readonly size: number;
  /** A number that is the same for all processes of one machine. */
  readonly machine: bigint;
  /** The port at which lower ranks can connect; 0 if they cannot. */
  readonly port: number;
  readonly purpose: number;
}

const INTRODUCTION_BYTES = 24;

export function encodeIntroduction(introduction: Introduction): Uint8Array {
  const { rank, size, machine, port, purpose } = introduction;
  const low = Number(machine & 0xffffffffn);
  const high = Number((machine >> 32n) & 0xffffffffn);
  return words(rank, size, low, high, port, purpose);
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
    },
    statement: payload.slice(0, INTRODUCTION_BYTES),
    proof: payload.slice(INTRODUCTION_BYTES),
  };
}

export function decodeAck(
  payload: Uint8Array,
): { statement: Uint8Array; proof: Uint8Array } | undefined {
  if (payload.length !== 4 && payload.length !== 4 + PROOF_BYTES) return undefined;
  return { statement: payload.slice(0, 4), proof: payload.slice(4) };
}

/** Where a rank takes links. */
export interface Whereabouts {
  /** Whether it is on the machine of whoever is told. */
  readonly isLocal: boolean;
  readonly host: string;
  readonly port: number;
}

/** What a worker has to know once everybody is there. */
export interface Roster {
  /** How many ranks run on the worker's machine. */
  readonly localRanks: number;
  /** Whether ranks shall connect to each other. */
  readonly links: boolean;
  /** Whether rank 0 will connect to this worker, too. */
  readonly linkFromCoordinator: boolean;
  /** With which ranks prove to each other that they belong to this job. */
  readonly secret: Uint8Array;
  /** The ranks above the worker's own, in order. */
  readonly higher: readonly Whereabouts[];
}

const SECRET_BYTES = 32;
const LINKS_WANTED = 1;
const LINK_FROM_COORDINATOR = 2;

/** Room for all ranks of the largest group that is linked. */
export const MAX_ROSTER_BYTES = 65_536;

export function encodeRoster(roster: Roster): Uint8Array {
  const { localRanks, links, linkFromCoordinator, secret, higher } = roster;
  const flags = (links ? LINKS_WANTED : 0) | (linkFromCoordinator ? LINK_FROM_COORDINATOR : 0);
  const entries = higher.map(({ isLocal, host, port }) => {
    const name = Buffer.from(host, "utf8");
    return Buffer.concat([
      Uint8Array.of(isLocal ? 1 : 0, port & 255, port >> 8, name.length),
      name,
    ]);
  });
  return frame(TAG.roster, words(localRanks, flags, higher.length), secret, ...entries);
}

export function decodeRoster(payload: Uint8Array): Roster | undefined {
  if (payload.length < 12 + SECRET_BYTES) return undefined;
  const view = viewOf(payload);
  const flags = view.getUint32(4, true);
  const higher: Whereabouts[] = [];
  let at = 12 + SECRET_BYTES;
  for (let left = view.getUint32(8, true); left > 0; left--) {
    if (at + 4 > payload.length) return undefined;
    const end = at + 4 + (payload[at + 3] as number);
    if (end > payload.length) return undefined;
    const host = Buffer.from(payload.slice(at + 4, end)).toString("utf8");
    higher.push({ isLocal: payload[at] === 1, host, port: view.getUint16(at + 1, true) });
    at = end;
  }
  return {
    localRanks: view.getUint32(0, true),
    links: (flags & LINKS_WANTED) !== 0,
    linkFromCoordinator: (flags & LINK_FROM_COORDINATOR) !== 0,
    secret: payload.slice(12, 12 + SECRET_BYTES),
    higher,
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
