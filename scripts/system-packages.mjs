/**
 * Packages of the distribution (an MPI for tests, peers for the benchmark): finds out which are
 * installed, and installs the missing ones where that is allowed, as root on a machine with
 * apt-get. Elsewhere the caller gets the command to type.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** What a program needs that was built against an MPI or loads it. */
export const MPI_RUNTIME_PACKAGES = {
  openmpi: ["openmpi-bin", "libopenmpi3"],
  mpich: ["mpich", "libmpich12"],
};

/** The native LP solver that `--solver clp` and the tests of it need. */
export const CLP_PACKAGES = ["coinor-libclp1"];

/** Simulates several machines on one, to test and measure `tcp`. */
export const NETWORK_PACKAGES = ["iproute2"];

/** Shows the system calls of a run, for the test that files are on the disk before they get their names. */
export const TRACE_PACKAGES = ["strace"];

/** The browser in which the report is tested. It is large, so only the rest of the tests installs it. */
export const BROWSER_PACKAGES = ["chromium"];

/** A terminal, for the tests of what people see there. */
export const TERMINAL_PACKAGES = ["tmux"];

/** The shells beside bash that complete the command line; only the rest of the tests has them. */
export const SHELL_PACKAGES = ["zsh", "fish"];

/** What `npm run bench` needs to compile and run its peers. */
export const BENCH_PEER_PACKAGES = [
  "gcc",
  "libc6-dev",
  "openmpi-bin",
  "libopenmpi-dev",
  "mpich",
  "libmpich-dev",
  "python3-mpi4py",
  ...NETWORK_PACKAGES,
];

/** The path of a command, or `undefined` if it is not on `PATH`. */
export function findCommand(name) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/**
 * The `packages` that are not installed, in their order. A package that another one provides
 * counts as installed (releases rename libraries). Without dpkg, all are missing.
 */
export function missingPackages(packages) {
  const fields = ["Package", "db:Status-Status", "Provides"].map((field) => `\${${field}}`);
  const listing = spawnSync("dpkg-query", ["--show", `--showformat=${fields.join("\t")}\n`], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const installed = new Set();
  for (const line of (listing.stdout ?? "").split("\n")) {
    const [name, status, provides = ""] = line.split("\t");
    if (status !== "installed") continue;
    installed.add(name);
    for (const provided of provides.split(",")) installed.add(provided.trim().split(/[\s:]/)[0]);
  }
  return packages.filter((name) => !installed.has(name));
}

/** Why packages cannot be installed here, or `undefined` if they can. */
export function whyNotInstallable() {
  if (findCommand("apt-get") === undefined) return "this machine has no apt-get";
  if (process.getuid?.() !== 0) return "only root may install packages";
  return undefined;
}

/** The command that installs `packages`. */
export function installCommand(packages) {
  return `sudo apt-get install --no-install-recommends ${packages.join(" ")}`;
}

/** A dead mirror must not delay a test run for minutes, and a concurrent apt-get must not make it fail. */
const APT_OPTIONS = [
  "-o",
  "Acquire::Retries=2",
  "-o",
  "Acquire::http::Timeout=30",
  "-o",
  "Acquire::https::Timeout=30",
  "-o",
  "DPkg::Lock::Timeout=120",
];

function aptGet(...args) {
  return spawnSync("apt-get", [...APT_OPTIONS, ...args], {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
}

function lastLines(result) {
  if (result.error) return result.error.message;
  return result.stderr.trim().split("\n").slice(-3).join("\n");
}

let listsAreFresh = false;

function refreshLists() {
  if (listsAreFresh) return;
  aptGet("update"); // if it fails, the present lists may still be good enough
  listsAreFresh = true;
}

function install(packages) {
  return aptGet("install", "-y", "--no-install-recommends", ...packages);
}

/**
 * Installs those of `packages` that are missing, if that is allowed.
 *
 * @param {readonly string[]} packages
 * @param {{ log?: (line: string) => void }} [options]
 * @returns {{ installed: string[], missing: string[], reason?: string, command?: string }}
 *   what was installed now; what is still missing, why, and the command that would install it
 */
export function ensurePackages(packages, { log = () => {} } = {}) {
  const wanted = missingPackages(packages);
  if (wanted.length === 0) return { installed: [], missing: [] };
  const stillMissing = (missing, reason) => ({
    installed: wanted.filter((name) => !missing.includes(name)),
    missing,
    reason,
    command: installCommand(missing),
  });
  const obstacle = whyNotInstallable();
  if (obstacle !== undefined) return stillMissing(wanted, obstacle);

  log(`installing ${wanted.join(" ")}`);
  refreshLists();
  let result = install(wanted);
  if (result.status !== 0) {
    // A name that this release does not know must not prevent the others.
    for (const name of wanted) {
      const alone = install([name]);
      if (alone.status !== 0) result = alone;
    }
  }
  const missing = missingPackages(wanted);
  if (missing.length === 0) return { installed: wanted, missing };
  return stillMissing(missing, `apt-get failed: ${lastLines(result)}`);
}
