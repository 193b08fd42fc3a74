/** What the page and its script say in the same words. */
import { rounded } from "@cobre/study/numbers";

/** `4.2 %`, `12 %` */
export function percent(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value !== 0 && Math.abs(value) < 0.01) return `< 0.01 %`;
  return `${rounded(value, Math.abs(value) >= 10 ? 3 : 2)} %`;
}

/** `3 of 160 cuts are the highest somewhere` */
export function cutsText(highest: number, cuts: number): string {
  return `${highest} of ${cuts} cuts ${highest === 1 ? "is the highest everywhere" : "are the highest somewhere"}`;
}
