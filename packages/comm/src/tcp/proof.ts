/** Proves that one side of a connection knows the secret, without revealing it. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export const NONCE_BYTES = 32;
export const PROOF_BYTES = 32;

export function freshNonce(): Uint8Array {
  return randomBytes(NONCE_BYTES);
}

/** Different words for what is proved: no proof can be sent back as another. */
export type Side = "worker" | "coordinator" | "refusal";

/** Random numbers made for one connection, so that no proof can be used twice. */
export interface Nonces {
  readonly worker: Uint8Array;
  readonly coordinator: Uint8Array;
}

/** HMAC-SHA-256 over the side, both nonces and the statement of that side. */
export function prove(
  secret: Uint8Array,
  side: Side,
  nonces: Nonces,
  statement: Uint8Array,
): Uint8Array {
  return createHmac("sha256", secret)
    .update(`cobre ${side}\0`)
    .update(nonces.worker)
    .update(nonces.coordinator)
    .update(statement)
    .digest();
}

/**
 * The secret with which workers prove to each other that they belong to the job. It follows from the
 * token and from a number that rank 0 has made for this job and sends in the clear: whoever overhears
 * that number cannot make proofs. Without a token the number is all there is.
 */
export function meshSecret(token: Uint8Array | undefined, jobNonce: Uint8Array): Uint8Array {
  if (token === undefined) return jobNonce;
  return createHmac("sha256", token).update("cobre mesh\0").update(jobNonce).digest();
}

export function isProven(
  proof: Uint8Array,
  secret: Uint8Array,
  side: Side,
  nonces: Nonces,
  statement: Uint8Array,
): boolean {
  if (proof.length !== PROOF_BYTES) return false;
  return timingSafeEqual(proof, prove(secret, side, nonces, statement));
}
