const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar for a part between 0 and 1, exact to an eighth of a character, and padded to its width. */
export function bar(part: number, columns: number): string {
  const bounded = Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : 0;
  const eighths = Math.round(bounded * columns * 8);
  return ("█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]).padEnd(columns);
}
