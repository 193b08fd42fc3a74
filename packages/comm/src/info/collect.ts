import { readFile } from "node:fs/promises";
import { reasonOf } from "../errors/reason-of.js";
import { loadKoffi } from "../ffi/koffi.js";
import { findMpiLibraries } from "../mpi/library/find.js";
import type { Environment } from "../select/backend.js";
import { describeBackends, describeSelection } from "./backends.js";
import type { Info } from "./info.js";
import { findMpiLaunchers } from "./launchers.js";
import { describeMachine } from "./machine.js";
import { describeSharedMemory } from "./shared-memory.js";
import { launchVariables } from "./variables.js";

/** Options of {@link collectInfo}; the defaults are nearly always right. */
export interface CollectInfoOptions {
  /** The environment to examine; by default that of this process. */
  readonly env?: Environment;
  /** How long one MPI library may take to load, in milliseconds; 10 seconds by default. */
  readonly mpiTimeoutMs?: number;
}

/**
 * Finds out what this machine offers. It joins no group, initialises no MPI and changes nothing. Each
 * MPI library is loaded in a process of its own, so that a broken one does no harm.
 *
 * @example
 * ```ts
 * import { collectInfo } from "@cobre/comm/info";
 *
 * const info = await collectInfo();
 * for (const { name, usable, details } of info.backends) console.log(name, usable, details);
 * console.log(info.mpi.libraries.map((library) => library.version));
 * ```
 */
export async function collectInfo(options: CollectInfoOptions = {}): Promise<Info> {
  const env = options.env ?? process.env;
  const foreignFunctions = await describeForeignFunctions();
  const [version, sharedMemory, backends, libraries, launchers] = await Promise.all([
    productVersion(),
    describeSharedMemory(),
    describeBackends(),
    foreignFunctions.usable ? findMpiLibraries(env, options.mpiTimeoutMs ?? 10_000) : [],
    findMpiLaunchers(env),
  ]);
  return {
    version,
    machine: describeMachine(env),
    sharedMemory,
    foreignFunctions,
    backends,
    selection: describeSelection(env),
    mpi: { libraries, launchers },
    variables: launchVariables(env),
  };
}

async function describeForeignFunctions(): Promise<Info["foreignFunctions"]> {
  try {
    const koffi = await loadKoffi();
    return { usable: true, details: `koffi ${koffi.version}` };
  } catch (error) {
    return { usable: false, details: reasonOf(error) };
  }
}

async function productVersion(): Promise<string> {
  const manifest = new URL("../../package.json", import.meta.url);
  return (JSON.parse(await readFile(manifest, "utf8")) as { version: string }).version;
}
