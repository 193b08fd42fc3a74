/** Numbers as people read them. */

const PREFIXES = ["", "k", "M", "G", "T", "P", "E"];

/** A cost with some digits and a prefix: `75.4 G$`. */
export function money(value: number, digits = 4, unit = "$"): string {
  if (!Number.isFinite(value)) return "-";
  const size = Math.abs(value);
  if (size === 0) return `0 ${unit}`;
  if (size < 1e-3 || size >= 1e21) return `${value.toExponential(2)} ${unit}`;
  let step = Math.min(PREFIXES.length - 1, Math.max(0, Math.floor(Math.log10(size) / 3)));
  // 999.96 becomes 1000 when it is rounded: then it is 1.00 of the next prefix.
  const isNext = Number((size / 1000 ** step).toPrecision(digits)) >= 1000;
  if (isNext && step < PREFIXES.length - 1) step++;
  const scaled = value / 1000 ** step;
  const before = Math.max(1, Math.floor(Math.log10(Math.abs(scaled))) + 1);
  return `${scaled.toFixed(Math.max(0, digits - before))} ${PREFIXES[step]}${unit}`;
}

/** 25,650 */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** A part of a whole. */
export function percent(part: number): string {
  if (!Number.isFinite(part)) return "-";
  const value = 100 * part;
  return `${Math.abs(value) >= 10 || value === 0 ? Math.round(value) : value.toFixed(1)} %`;
}

/** A change, with its sign: `+0.12 %`. */
export function change(part: number): string {
  if (!Number.isFinite(part)) return "-";
  const value = 100 * part;
  const digits = Math.abs(value) >= 10 ? 0 : Math.abs(value) >= 1 ? 1 : 2;
  return `${value >= 0 ? "+" : "-"}${Math.abs(value).toFixed(digits)} %`;
}

/** 320 ms, 12.3 s, 4:05 (minutes) or 2:03:04 (hours) */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return "-";
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** 312 MB */
export function memory(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

/** `1 cut`, `2 cuts` */
export function counted(count: number, noun: string): string {
  const plural = /(s|ch|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
  return `${whole(count)} ${count === 1 ? noun : plural}`;
}
