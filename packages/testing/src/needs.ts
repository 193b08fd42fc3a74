/**
 * Tests that cannot run on a machine are skipped with the reason. The run lists them at its end, and under `CI=true` it fails because of them.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** How the reason of a skip begins that is none of the machine's fault: `CI=true` accepts it. */
const NOT_REQUIRED = "not required: ";

/**
 * Skips the test unless `isThere`.
 *
 * @example
 * if (!needs(t, freemem() > 9 * GIBIBYTE, "9 GiB of free memory")) return;
 */
export function needs(t: TestContext, isThere: boolean, what: string): boolean {
  if (!isThere) t.skip(`needs ${what}`);
  return isThere;
}

/** One skipped test in the place of many that cannot even be listed here. */
export function notHere(tests: string, what: string): void {
  it(tests, (t) => t.skip(`needs ${what}`));
}

let mounts: boolean | undefined;

/** Whether a file system can be mounted that nobody else sees; skips the test otherwise. */
export function canMount(t: TestContext): boolean {
  const script = "mount -t tmpfs -o size=1m tmpfs /dev/shm";
  mounts ??= spawnSync("unshare", ["--map-root-user", "--mount", "sh", "-c", script]).status === 0;
  return needs(t, mounts, "unshare and leave to mount a tmpfs");
}

/** Where the cases of the Cobre project are looked for. */
const CASES = process.env.COBRE_REFERENCE_CASES ?? resolve(ROOT, "../shared/cases");

/** The directory of the cases of the Cobre project, if it is there. A clone without them runs the cases of our own. */
export const referenceCases: string | undefined = existsSync(CASES) ? CASES : undefined;

/** One skipped test in the place of those over the reference cases. */
export function noReferenceCases(tests: string): void {
  const reason = "the reference cases, of which COBRE_REFERENCE_CASES gives the directory";
  it(tests, (t) => t.skip(`${NOT_REQUIRED}needs ${reason}`));
}
