/** The candidate most similar to `name`, if one is similar at all. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  // Two typos in a short name, more in a long one.
  let distance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const d = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (d < distance) {
      distance = d;
      best = candidate;
    }
  }
  return best;
}

/** The number of letters to change, remove or insert (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
