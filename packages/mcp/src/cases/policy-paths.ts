import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CASE_FILES } from "@cobre/core";
import { mergePatch } from "@cobre/io";
import type { Roots } from "../files/roots.js";
import { Refusal } from "../refusal.js";

/**
 * A case can name the policies of other runs by their paths. Refuses a case whose settings name one outside of the roots, because the run
 * would read it.
 */
export async function checkPolicyPaths(
  roots: Roots,
  caseFolder: string,
  settings: object | undefined,
): Promise<void> {
  const config = mergePatch(await readConfig(caseFolder), settings ?? {}) as {
    readonly policy?: { readonly path?: unknown; readonly boundary?: { readonly path?: unknown } };
  };
  for (const path of [config.policy?.path, config.policy?.boundary?.path]) {
    if (typeof path !== "string") continue;
    const real = await realEnd(resolve(caseFolder, path));
    if (roots.has(real)) continue;
    throw new Refusal(
      `the settings of ${roots.shown(caseFolder)} name a policy outside of the folders of this server: ${path}`,
      "Change policy.path or policy.boundary.path in config.json to a path within the roots.",
    );
  }
}

/** The real path of something, also if its last parts do not exist. */
async function realEnd(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = dirname(path);
  if (parent === path) return path;
  // A link to nowhere may lead somewhere later.
  if ((await lstat(path).catch(() => undefined))?.isSymbolicLink()) return "";
  return join(await realEnd(parent), path.slice(parent.length));
}

/** Empty if it cannot be read: then the reader of cases tells why. */
async function readConfig(caseFolder: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(caseFolder, CASE_FILES.config), "utf8"));
  } catch {
    return {};
  }
}
