import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { TestContext } from "node:test";

/** The names under which the loader of this machine knows Open MPI and MPICH. */
const LIBRARIES = { openmpi: /^\s*libmpi\.so\.40\b/m, mpich: /^\s*libmpi(ch)?\.so\.12\b/m };

/**
 * Whether Open MPI and MPICH are both installed, as far as the loader's cache tells. Under `CI=true`
 * their absence is a failure; elsewhere the test says that it was not run and returns.
 */
export function bothMpisInstalled(t: TestContext): boolean {
  const cache = loaderCache();
  const missing = Object.entries(LIBRARIES).flatMap(([name, line]) =>
    line.test(cache) ? [] : [name],
  );
  if (missing.length === 0) return true;
  const message = `not run: needs ${missing.join(" and ")} (libopenmpi3, libmpich12)`;
  if (process.env.CI === "true") assert.fail(message);
  t.diagnostic(message);
  return false;
}

function loaderCache(): string {
  try {
    return execFileSync("ldconfig", ["-p"], {
      encoding: "utf8",
      env: { ...process.env, PATH: `${process.env.PATH}:/sbin:/usr/sbin` },
    });
  } catch {
    return "";
  }
}
