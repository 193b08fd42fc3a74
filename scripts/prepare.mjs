// Prepares a clone: installs the dependencies of the lock file, then builds. Both are skipped
// or quick when there is nothing to do.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = 20;

/** Runs a command in the clone's root and shows its output. Ends this process if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options });
  if (result.error) {
    console.error(`${command} could not be run: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Installs what is missing and builds. */
export async function prepare() {
  if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
    console.error(`Node.js ${OLDEST_NODE} or later is needed; this is ${process.version}.`);
    process.exit(1);
  }
  if (!isInstalled()) {
    console.log("Installing the dependencies …");
    // No package needs its install script, and ours have none.
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  }
  run("npm", ["run", "--silent", "build"]);
}

/** npm leaves a copy of the lock file in node_modules. If it is older than ours, the dependencies are, too. */
function isInstalled() {
  const installed = join(ROOT, "node_modules/.package-lock.json");
  if (!existsSync(installed)) return false;
  return statSync(installed).mtimeMs >= statSync(join(ROOT, "package-lock.json")).mtimeMs;
}
