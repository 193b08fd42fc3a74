import {
  decodeHandshake,
  decodeHello,
  encodeAckStatement,
  encodeChallenge,
  encodeRefusal,
  type Introduction,
  MAX_HANDSHAKE_BYTES,
} from "./handshake.js";
import type { Link } from "./link.js";
import { freshNonce, isProven, type Nonces, PROOF_BYTES, prove } from "./proof.js";
import { frame, HEADER_BYTES, TAG } from "./wire.js";

/** How long a new connection may take to complete the handshake. */
const HANDSHAKE_MS = 10_000;

/** What is known about a candidate so far. */
type Verdict =
  /** The handshake is not complete yet. */
  | { readonly kind: "open" }
  /** It has introduced itself and, if there is a secret, proved that it knows it. */
  | { readonly kind: "proven"; readonly introduction: Introduction }
  /** It does not belong to the job. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * A new connection that has not been let in yet. It holds little memory: strangers may open many.
 */
export class Candidate {
  readonly link: Link;
  private readonly secret: Uint8Array | undefined;
  private readonly rank: number;
  private readonly channel: number;
  private readonly deadline = performance.now() + HANDSHAKE_MS;
  private readonly nonce = freshNonce();
  private nonces: Nonces | undefined;

  /** `secret` is what it has to know, if anything; `rank` is this one; `channel` is how it has come. */
  constructor(link: Link, secret: Uint8Array | undefined, rank: number, channel: number) {
    this.link = link;
    this.secret = secret;
    this.rank = rank;
    this.channel = channel;
  }

  /** Reads what has arrived and answers it. */
  proceed(): Verdict {
    const { link } = this;
    link.push();
    link.fill();
    const bytes = link.frameBytes(link.start);
    if (bytes !== undefined) {
      if (bytes > MAX_HANDSHAKE_BYTES) return this.stranger();
      if (link.available >= bytes) {
        const tag = link.input[link.start + 4] as number;
        const payload = link.input.slice(link.start + HEADER_BYTES, link.start + bytes);
        link.start += bytes;
        return this.hear(tag, payload);
      }
    }
    if (link.hasEnded || link.isDeaf) return { kind: "refused", reason: "it hung up." };
    if (performance.now() > this.deadline) {
      return { kind: "refused", reason: "it did not say in time who it is." };
    }
    return { kind: "open" };
  }

  /** Lets the candidate in, and proves to it that this side knows the secret, too. */
  accept(size: number): void {
    const statement = encodeAckStatement(size, this.rank);
    const { secret, nonces } = this;
    const proven = secret !== undefined && nonces !== undefined;
    const proof = proven ? prove(secret, "coordinator", nonces, statement) : new Uint8Array(0);
    this.link.sendCopy(frame(TAG.ack, statement, proof));
  }

  /** Closes the connection. Gives the reason, unless another frame is still being sent. */
  refuse(reason: string): void {
    const room = MAX_HANDSHAKE_BYTES - HEADER_BYTES - PROOF_BYTES;
    const text = Buffer.from(reason, "utf8").subarray(0, room);
    const { secret, nonces } = this;
    const canProve = secret !== undefined && nonces !== undefined;
    const proof = canProve ? prove(secret, "refusal", nonces, text) : undefined;
    if (!this.link.isSending) this.link.sendOnce(encodeRefusal(text, proof));
    this.link.close();
  }

  private hear(tag: number, payload: Uint8Array): Verdict {
    if (this.nonces === undefined) {
      const hello = tag === TAG.hello ? decodeHello(payload) : undefined;
      if (hello === undefined) return this.stranger();
      if ("reason" in hello) return { kind: "refused", reason: hello.reason };
      this.nonces = { worker: hello.nonce, coordinator: this.nonce };
      this.link.sendCopy(encodeChallenge(this.secret !== undefined, this.nonce));
      return { kind: "open" };
    }
    const said = tag === TAG.handshake ? decodeHandshake(payload) : undefined;
    if (said === undefined) return this.stranger();
    const { secret, nonces } = this;
    if (secret !== undefined && !isProven(said.proof, secret, "worker", nonces, said.statement)) {
      return { kind: "refused", reason: "its token is not that of rank 0." };
    }
    const { target, channel } = said.introduction;
    if (target !== this.rank || channel !== this.channel) {
      return { kind: "refused", reason: "what it says was meant for another rank or another way." };
    }
    return { kind: "proven", introduction: said.introduction };
  }

  private stranger(): Verdict {
    return { kind: "refused", reason: "it does not speak this protocol." };
  }
}
