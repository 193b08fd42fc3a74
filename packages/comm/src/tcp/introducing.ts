/** The side that connects: says who it is, proves it, and makes sure of the other side. */
import { closeSync } from "node:fs";
import { formatAddress, type SocketAddress } from "../ffi/socket-address.js";
import { PollSet, READABLE, type Sockets, WRITABLE } from "../ffi/sockets.js";
import {
  decodeAck,
  decodeChallenge,
  encodeHello,
  encodeIntroduction,
  type Introduction,
  MAX_HANDSHAKE_BYTES,
} from "./handshake.js";
import { Link } from "./link.js";
import { aMoment } from "./moments.js";
import { freshNonce, isProven, prove } from "./proof.js";
import { frame, HEADER_BYTES, TAG } from "./wire.js";

/** It did not work now; it may work at another address or a moment later. */
export class NotReached extends Error {
  override readonly name = "NotReached";
}

/** It will not work: the other side has said no, or is not who it should be. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** Connects to `address`; throws {@link NotReached} if that takes longer than until `deadline`. */
export async function connectTo(
  sockets: Sockets,
  address: SocketAddress,
  deadline: number,
): Promise<number> {
  let fd: number;
  try {
    fd = sockets.connect(address);
  } catch (error) {
    throw new NotReached(error instanceof Error ? error.message : String(error));
  }
  const set = new PollSet();
  set.add(fd, WRITABLE);
  do {
    await aMoment(sockets, set);
    if (!set.isReady(0)) continue;
    const error = sockets.connectionError(fd);
    if (error === undefined) {
      sockets.tune(fd);
      return fd;
    }
    closeSync(fd);
    throw new NotReached(error.message);
  } while (performance.now() < deadline);
  closeSync(fd);
  throw new NotReached("nobody answered");
}

/** Makes itself known over a new connection. Returns when the other side has accepted. */
export async function introduce(
  sockets: Sockets,
  fd: number,
  introduction: Introduction,
  secret: Uint8Array | undefined,
  deadline: number,
): Promise<void> {
  const link = new Link(sockets, fd, 0, MAX_HANDSHAKE_BYTES);
  const where = formatAddress(sockets.remoteAddress(fd));
  const worker = freshNonce();
  link.sendCopy(encodeHello(worker));
  const challenge = decodeChallenge(await answer(sockets, link, TAG.challenge, where, deadline));
  if (challenge === undefined) throw foreign(where);
  const nonces = { worker, coordinator: challenge.nonce };
  const statement = encodeIntroduction(introduction);
  if (challenge.wantsProof && secret === undefined) {
    throw new Refused(
      `the coordinator at ${where} asks for a token and this rank has none. Set COBRE_TCP_TOKEN to that of rank 0.`,
    );
  }
  if (!challenge.wantsProof && secret !== undefined) {
    throw new Refused(
      `this rank has a token, but whoever listens at ${where} asks for none. Give rank 0 the same COBRE_TCP_TOKEN.`,
    );
  }
  const proof =
    secret === undefined ? new Uint8Array(0) : prove(secret, "worker", nonces, statement);
  link.sendCopy(frame(TAG.handshake, statement, proof));
  const ack = decodeAck(await answer(sockets, link, TAG.ack, where, deadline));
  if (ack === undefined) throw foreign(where);
  if (secret !== undefined && !isProven(ack.proof, secret, "coordinator", nonces, ack.statement)) {
    throw new Refused(`whoever listens at ${where} does not know the token: it is not rank 0.`);
  }
}

/** The payload of the next frame, which must have the given tag. */
async function answer(
  sockets: Sockets,
  link: Link,
  tag: number,
  where: string,
  deadline: number,
): Promise<Uint8Array> {
  const set = new PollSet();
  set.add(link.fd, READABLE);
  for (;;) {
    link.push();
    // Not more than this answer: what comes behind it is for the link that follows this one.
    const bytes = link.frameBytes(link.start) ?? HEADER_BYTES;
    if (bytes > MAX_HANDSHAKE_BYTES) throw foreign(where);
    if (link.available < bytes) link.fill(bytes - link.available);
    const whole = link.frameBytes(link.start);
    if (whole !== undefined && whole <= MAX_HANDSHAKE_BYTES && link.available >= whole) {
      const payload = link.input.slice(link.start + HEADER_BYTES, link.start + whole);
      const found = link.input[link.start + 4];
      link.start += whole;
      if (found === tag) return payload;
      if (found !== TAG.refusal) throw foreign(where);
      throw new Refused(`rank 0 at ${where} refused this rank: ${Buffer.from(payload)}`);
    }
    if (link.hasEnded) throw new NotReached("it hung up");
    if (performance.now() > deadline) throw new NotReached("it did not answer");
    if (link.available < (whole ?? HEADER_BYTES)) await aMoment(sockets, set);
  }
}

function foreign(where: string): NotReached {
  return new NotReached(`what listens at ${where} does not speak this protocol`);
}
