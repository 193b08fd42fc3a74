import { LIMITS } from "../files/limits.js";

/** The values that a number may have. */
export interface NumberRule {
  readonly min?: number;
  /** The number must be larger than this. */
  readonly above?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
}

/** What a number must be, if it breaks the rule. */
export function faultOfNumber(value: number, rule: NumberRule): string | undefined {
  const { min, above, max, isInteger = false } = rule;
  if (!isInteger && Math.abs(value) > LIMITS.magnitude) {
    return `must be between -${LIMITS.magnitude} and ${LIMITS.magnitude}`;
  }
  if (isInteger && !Number.isSafeInteger(value)) return "must be a whole number of at most 53 bits";
  if (above !== undefined && !(value > above && value <= (max ?? value))) {
    return `must be above ${above}${max === undefined ? "" : ` and at most ${max}`}`;
  }
  if ((min === undefined || value >= min) && (max === undefined || value <= max)) return undefined;
  if (max === undefined) return `must be at least ${min}`;
  return min === undefined ? `must be at most ${max}` : `must be between ${min} and ${max}`;
}
