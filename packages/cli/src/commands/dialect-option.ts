import type { Dialect } from "@cobre/core";
import { Option } from "commander";

/** The default first. They are not asked of `@cobre/core`, which would then be loaded with every command. */
const CHOICES: readonly [Dialect, ...Dialect[]] = ["0.18", "0.5"];

/** `--dialect`: for which version of Cobre a case is written. */
export function dialectOption(): Option {
  return new Option("--dialect <version>", "the version of Cobre for which the case is written")
    .choices(CHOICES)
    .default(CHOICES[0]);
}
