/** Proofs that a side of a connection knows the secret, without telling it. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export const NONCE_BYTES = 32;
export const PROOF_BYTES = 32;

export function freshNonce(): Uint8Array {
  return randomBytes(NONCE_BYTES);
}

/** Different words for the two sides: neither's proof can be sent back as the other's. */
export type Side = "worker" | "coordinator";

/** The numbers that were made for one connection, so that no proof can be used again. */
export interface Nonces {
  readonly worker: Uint8Array;
  readonly coordinator: Uint8Array;
}

/** HMAC-SHA-256 over the side, both nonces and what the side says. */
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
