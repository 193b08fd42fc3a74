/** A number and a word of what it counts: 1 bus, 2 buses, 0 lines. */
export function counted(number: number, word: string): string {
  if (number === 1) return `1 ${word}`;
  return `${number} ${word}${word.endsWith("s") ? "es" : "s"}`;
}
