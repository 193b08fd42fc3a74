/** Numbers as people read them. */

const PREFIXES = ["", "k", "M", "G", "T", "P", "E"];

/** Some digits and a prefix: `75.4 G$`, `3.20 TWh`. */
export function si(value: number, unit: string, digits = 3): string {
  if (!Number.isFinite(value)) return "-";
  const size = Math.abs(value);
  if (size === 0) return `0 ${unit}`;
  if (size < 1e-3 || size >= 1e21) return `${value.toExponential(2)} ${unit}`;
  let step = Math.min(PREFIXES.length - 1, Math.max(0, Math.floor(Math.log10(size) / 3)));
  // 999.96 becomes 1000 when it is rounded: then it is 1.00 of the next prefix.
  if (Number((size / 1000 ** step).toPrecision(digits)) >= 1000 && step < PREFIXES.length - 1)
    step++;
  const scaled = value / 1000 ** step;
  const before = Math.abs(scaled) >= 100 ? 3 : Math.abs(scaled) >= 10 ? 2 : 1;
  return `${scaled.toFixed(Math.max(0, digits - before))} ${PREFIXES[step]}${unit}`;
}

export const money = (value: number): string => si(value, "$");
/** For numbers that are compared with each other. */
export const exactMoney = (value: number): string => si(value, "$", 4);
export const energy = (mwh: number): string => si(mwh * 1e6, "Wh");

/** 25,650 */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** A share of a whole: 0 % only if it is nothing, 100 % only if it is all. */
export function share(percent: number): string {
  if (!Number.isFinite(percent)) return "-";
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  if (percent < 100 && percent > 99.9) return "> 99.9 %";
  const isRound = percent === 0 || percent === 100 || percent >= 10;
  return `${isRound && !(percent > 99 && percent < 100) ? Math.round(percent) : percent.toFixed(1)} %`;
}
