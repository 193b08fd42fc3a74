/** Ranks as a sentence names them: `rank 2 has`, `ranks 1, 3 have`. */
export function naming(ranks: readonly number[]): { who: string; have: string } {
  return ranks.length === 1
    ? { who: `rank ${ranks[0]}`, have: "has" }
    : { who: `ranks ${ranks.join(", ")}`, have: "have" };
}
