const LEVELS = "▁▂▃▄▅▆▇█";

/** Values as a line of blocks, from the lowest to the highest; if there are more values than columns, each column shows the last of several. */
export function sparkline(values: readonly number[], columns: number): string {
  const shown = Array.from({ length: Math.min(columns, values.length) }, (_, i) => {
    const end = Math.round(((i + 1) * values.length) / Math.min(columns, values.length));
    return values[end - 1] ?? 0;
  });
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const level = (value: number) =>
    high > low ? Math.round(((value - low) / (high - low)) * (LEVELS.length - 1)) : 0;
  return shown.map((value) => LEVELS[level(value)]).join("");
}
