/** Numbers of reports and displays in the terminal. */
import { withUnit } from "@cobre/study/numbers";

export const money = (value: number): string => withUnit(value, "$", 3);
/** For numbers that are compared with each other. */
export const exactMoney = (value: number): string => withUnit(value, "$", 4);
export const energy = (mwh: number): string => withUnit(mwh, "MWh", 3);

/** 25,650 */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** A share of a whole: 0 % only if it is nothing, 100 % only if it is all. */
export function share(percent: number): string {
  if (!Number.isFinite(percent)) return "–";
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  if (percent < 100 && percent > 99.9) return "> 99.9 %";
  const isRound = percent === 0 || percent === 100 || percent >= 10;
  return `${isRound && !(percent > 99 && percent < 100) ? Math.round(percent) : percent.toFixed(1)} %`;
}
