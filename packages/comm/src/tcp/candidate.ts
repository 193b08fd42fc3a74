import {
  decodeHandshake,
  decodeHello,
  encodeChallenge,
  type Introduction,
  MAX_HANDSHAKE_BYTES,
} from "./handshake.js";
import type { Link } from "./link.js";
import { freshNonce, isProven, type Nonces, prove } from "./proof.js";
import { frame, HEADER_BYTES, TAG, words } from "./wire.js";

/** How long somebody who has connected may take to say who it is. */
const HANDSHAKE_MS = 10_000;

/** What became of a candidate so far. */
export type Verdict =
  /** It has not said everything yet. */
  | { readonly kind: "open" }
  /** It has proved that it belongs here, and says who it is. */
  | { readonly kind: "proven"; readonly introduction: Introduction }
  /** It is none of ours. */
  | { readonly kind: "refused"; readonly reason: string };

/** Somebody who has connected, as seen from the side that was connected to. It costs little. */
export class Candidate {
  readonly link: Link;
  private readonly secret: Uint8Array | undefined;
  private readonly deadline = performance.now() + HANDSHAKE_MS;
  private readonly nonce = freshNonce();
  private nonces: Nonces | undefined;

  /** `secret` is what it has to know, if anything. */
  constructor(link: Link, secret: Uint8Array | undefined) {
    this.link = link;
    this.secret = secret;
  }

  /** Reads what has come and answers it. */
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
    if (performance.now() > this.deadline) return { kind: "refused", reason: "it said nothing." };
    return { kind: "open" };
  }

  /** It may stay: says so, with the proof it can check. */
  accept(size: number): void {
    const statement = words(size);
    const { secret, nonces } = this;
    const proven = secret !== undefined && nonces !== undefined;
    const proof = proven ? prove(secret, "coordinator", nonces, statement) : new Uint8Array(0);
    this.link.sendCopy(frame(TAG.ack, statement, proof));
  }

  /** It may not stay: says why, if that fits into what is still to be sent. */
  refuse(reason: string): void {
    const text = Buffer.from(reason, "utf8").subarray(0, MAX_HANDSHAKE_BYTES - HEADER_BYTES);
    if (!this.link.isSending) this.link.sendOnce(frame(TAG.refusal, text));
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
    return { kind: "proven", introduction: said.introduction };
  }

  private stranger(): Verdict {
    return { kind: "refused", reason: "it does not speak this protocol." };
  }
}
