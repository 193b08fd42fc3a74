import type { Communicator } from "@cobre/comm";

/** Longer than any fingerprint; longer texts are compared as far as that. */
const TEXT_BYTES = 256;

/** Collective: which ranks gave which text. */
export function ranksByText(
  comm: Communicator,
  text: string,
): ReadonlyMap<string, readonly number[]> {
  const mine = new Uint8Array(TEXT_BYTES);
  new TextEncoder().encodeInto(text, mine);
  const ranks = Array.from({ length: comm.size }, (_, rank) => rank);
  const all = new Uint8Array(TEXT_BYTES * comm.size);
  comm.allgatherv(
    mine,
    all,
    ranks.map(() => TEXT_BYTES),
    ranks.map((rank) => rank * TEXT_BYTES),
  );
  const ranksOf = new Map<string, number[]>();
  for (const rank of ranks) {
    const bytes = all.subarray(rank * TEXT_BYTES, (rank + 1) * TEXT_BYTES);
    const theirs = new TextDecoder().decode(bytes).replace(/\0+$/, "");
    ranksOf.set(theirs, [...(ranksOf.get(theirs) ?? []), rank]);
  }
  return ranksOf;
}
