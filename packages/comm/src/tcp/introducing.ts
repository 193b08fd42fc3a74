/** The side that connects: it introduces itself, proves its identity and checks the other side. */

import { closeSync } from "node:fs";
import { reasonOf } from "../errors/reason-of.js";
import { formatAddress, type SocketAddress } from "../ffi/socket-address.js";
import { PollSet, READABLE, type Sockets, WRITABLE } from "../ffi/sockets.js";
import {
  decodeAck,
  decodeChallenge,
  decodeRefusal,
  encodeHello,
  encodeIntroduction,
  type Introduction,
  MAX_HANDSHAKE_BYTES,
  printable,
} from "./handshake.js";
import { Link } from "./link.js";
import { aMoment } from "./moments.js";
import { freshNonce, isProven, prove } from "./proof.js";
import { frame, HEADER_BYTES, TAG } from "./wire.js";

/** This attempt failed; another address, or a later attempt, may work. */
export class NotReached extends Error {
  override readonly name = "NotReached";
}

/** Trying again is useless: the other side refused, or is not what it should be. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/**
 * The other side says no, but has not proved that it belongs to the job: it may be a stranger in the
 * place of the rank that is looked for.
 */
export class DoubtfulRefusal extends Error {
  override readonly name = "DoubtfulRefusal";
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
    throw new NotReached(reasonOf(error));
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

/** Goes through the handshake on a new connection. Returns when the other side has accepted. */
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
  const early = await answer(
    sockets,
    link,
    TAG.challenge,
    where,
    deadline,
    () => secret === undefined,
  );
  const challenge = decodeChallenge(early);
  if (challenge === undefined) throw foreign(where);
  const nonces = { worker, coordinator: challenge.nonce };
  const statement = encodeIntroduction(introduction);
  if (challenge.wantsProof && secret === undefined) {
    throw new Refused(
      `the coordinator at ${where} asks for a token and this rank has none. Give this rank the same COBRE_TCP_TOKEN as rank 0.`,
    );
  }
  if (!challenge.wantsProof && secret !== undefined) {
    throw new DoubtfulRefusal(
      `this rank has a token, but whoever listens at ${where} asks for none. Give rank 0 the same COBRE_TCP_TOKEN.`,
    );
  }
  const proof =
    secret === undefined ? new Uint8Array(0) : prove(secret, "worker", nonces, statement);
  link.sendCopy(frame(TAG.handshake, statement, proof));
  const isGenuine = ({ text, proof: shown }: Refusal) =>
    secret === undefined || isProven(shown, secret, "refusal", nonces, text);
  const ack = decodeAck(await answer(sockets, link, TAG.ack, where, deadline, isGenuine));
  if (ack === undefined) throw foreign(where);
  if (ack.rank !== introduction.target) {
    throw new NotReached(`rank ${ack.rank} listens at ${where}, not rank ${introduction.target}`);
  }
  if (secret !== undefined && !isProven(ack.proof, secret, "coordinator", nonces, ack.statement)) {
    throw new DoubtfulRefusal(
      `whoever listens at ${where} does not know the token: it is not rank ${introduction.target}.`,
    );
  }
}

type Refusal = ReturnType<typeof decodeRefusal>;

/** The payload of the next frame, which must have the given tag. `isGenuine` tells whose refusal is final. */
async function answer(
  sockets: Sockets,
  link: Link,
  tag: number,
  where: string,
  deadline: number,
  isGenuine: (refusal: Refusal) => boolean,
): Promise<Uint8Array> {
  const set = new PollSet();
  set.add(link.fd, READABLE);
  for (;;) {
    link.push();
    // Read no further than this answer: bytes after it belong to the link that is made next.
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
      const refusal = decodeRefusal(payload);
      const story = `rank 0 at ${where} refused this rank: ${printable(refusal.text)}`;
      throw isGenuine(refusal) ? new Refused(story) : new DoubtfulRefusal(story);
    }
    if (link.hasEnded) throw new NotReached("it hung up");
    if (performance.now() > deadline) throw new NotReached("it did not answer");
    if (link.available < (whole ?? HEADER_BYTES)) await aMoment(sockets, set);
  }
}

function foreign(where: string): NotReached {
  return new NotReached(`whatever listens at ${where} does not speak this protocol`);
}
