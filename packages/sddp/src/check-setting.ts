import { faultOfNumber, type NumberRule } from "@cobre/io";
import { SddpError } from "./errors.js";

/**
 * A number among the settings of an algorithm. Settings that were read from a file have been checked; those of a study that a program made
 * have not.
 *
 * @throws {@link SddpError} of kind `"InvalidSettings"`
 */
export function checkSetting<S extends { readonly [name: string]: unknown }>(
  settings: S,
  name: keyof S & string,
  rule: NumberRule,
): number {
  const value = settings[name];
  const fault = typeof value === "number" ? faultOfNumber(value, rule) : "must be a number";
  if (typeof value === "number" && fault === undefined) return value;
  const what = String(settings.type ?? settings.kind);
  throw new SddpError("InvalidSettings", `${name} of ${what} is ${value}, but it ${fault}`);
}
