import { readFileSync } from "node:fs";

/** The version of this package, and of all others that are released with it. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version }: { version: string } = JSON.parse(text);
  return version;
}
