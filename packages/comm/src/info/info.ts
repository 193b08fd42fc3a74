import type { BackendName } from "../communicator.js";
import type { MpiAbiName } from "../ffi/mpi-library.js";

/**
 * What was found on this machine. Plain data: `JSON.stringify` keeps all of it. Sizes are in bytes;
 * `null` means that there is none, or that it could not be found out.
 */
export interface Info {
  /** The version of this product. */
  readonly version: string;
  readonly machine: MachineInfo;
  readonly sharedMemory: SharedMemoryInfo;
  /** Whether functions of the system and of MPI can be called; every backend but `local` needs it. */
  readonly foreignFunctions: { readonly usable: boolean; readonly details: string };
  /** All four, in the order in which `auto` looks. */
  readonly backends: readonly BackendInfo[];
  readonly selection: SelectionInfo;
  readonly mpi: {
    readonly libraries: readonly MpiLibraryInfo[];
    readonly launchers: readonly MpiLauncherInfo[];
  };
  /** The variables of our own and of MPI launchers that are set; secrets are not shown. */
  readonly variables: readonly VariableInfo[];
}

/** Node.js and what it runs on. */
export interface MachineInfo {
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
  /** `null` where there is no choice of C libraries (macOS, Windows). */
  readonly libc: { readonly name: "glibc" | "musl"; readonly version: string | null } | null;
  readonly cores: {
    /** How many this process may use. */
    readonly available: number;
    readonly total: number;
  };
  readonly memory: {
    readonly totalBytes: number;
    readonly freeBytes: number;
    /** The limit of the container or control group, if it has one. */
    readonly limitBytes: number | null;
  };
}

/** The file system that holds POSIX shared memory. */
export interface SharedMemoryInfo {
  readonly path: string;
  readonly present: boolean;
  readonly sizeBytes: number | null;
  readonly freeBytes: number | null;
  /** What to do if it is missing, small or nearly full. */
  readonly warning: string | null;
}

/** One of the four backends. */
export interface BackendInfo {
  readonly name: BackendName;
  readonly inBuild: boolean;
  readonly usable: boolean;
  /** Why, or why not. */
  readonly details: string;
}

/** What `createCommunicator()` would choose in this environment; `null` if it would throw. */
export interface SelectionInfo {
  readonly backend: BackendName | null;
  /** The reason, or the error's message. */
  readonly reason: string;
}

/** An MPI library that is there; with `reason`, one that cannot be used. */
export interface MpiLibraryInfo {
  readonly file: string;
  /** Who suggested it: a variable, `PATH`, `dynamic loader` or `known directory`. */
  readonly origin: string;
  readonly abi: MpiAbiName | null;
  /** The first line of what `MPI_Get_library_version` says. */
  readonly version: string | null;
  readonly reason: string | null;
}

/** A program on PATH that starts MPI jobs. */
export interface MpiLauncherInfo {
  readonly name: string;
  readonly path: string;
  /** The file behind the links: tells Open MPI's from MPICH's. */
  readonly target: string;
}

/** An environment variable that has a say in how this process joins a group. */
export interface VariableInfo {
  readonly name: string;
  readonly value: string;
}
