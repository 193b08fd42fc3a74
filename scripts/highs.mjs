/**
 * A native HiGHS for the tests: that of the Python package highspy, in a virtual environment below out/. COBRE_HIGHS_LIBRARY names it
 * to the tests, unless the caller has named another one.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./prepare.mjs";
import { findPython, PIP_INSTALL } from "./python.mjs";
import { runAside } from "./test-lanes.mjs";

/** The same HiGHS as that of the package highs, so that a difference is not one of versions. */
const VERSION = "1.15.1";
const FOLDER = join(ROOT, "out", `highspy-${VERSION}`);
const VARIABLE = "COBRE_HIGHS_LIBRARY";

/** Installs the library if it is not there, and sets the variable for the processes of the tests. Without it, their tests are skipped. */
export async function ensureHighs(results) {
  if (process.env[VARIABLE]) return;
  const library = installed() ?? (await install(results));
  if (library !== undefined) process.env[VARIABLE] = library;
}

async function install(results) {
  const skip = (reason) => results.skip(reason, "tests with highs-native");
  const { python, reason } = findPython();
  if (python === undefined) return skip(reason);
  console.log(`installing highspy ${VERSION}`);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const script = '"$1" -m venv "$2" && pip="$2/bin/pip" && shift 2 && exec "$pip" "$@"';
  // Only the library is wanted, not what its Python part needs.
  const pip = [...PIP_INSTALL, "--no-deps", `highspy==${VERSION}`];
  const { output, failure } = await runAside("sh", ["-c", script, "sh", python, FOLDER, ...pip]);
  process.stdout.write(output);
  if (failure !== undefined) return skip(`highspy ${VERSION} could not be installed by pip`);
  return installed() ?? skip(`highspy ${VERSION} has no libhighs on this system`);
}

function installed() {
  const lib = join(FOLDER, "lib");
  if (!existsSync(lib)) return undefined;
  return readdirSync(lib)
    .flatMap((python) =>
      ["libhighs.so.1", "libhighs.1.dylib"].map((name) =>
        join(lib, python, "site-packages/highspy", name),
      ),
    )
    .find(existsSync);
}
