import type { BackendName } from "../communicator.js";
import type { MpiAbiName } from "../mpi/library/library.js";

/**
 * What was found on this machine. It is plain data: `JSON.stringify` keeps all of it. Sizes are in
 * bytes. `null` means that there is none, or that it could not be determined.
 */
export interface Info {
  /** The version of this product. */
  readonly version: string;
  readonly machine: MachineInfo;
  readonly sharedMemory: SharedMemoryInfo;
  /**
   * Whether functions of the system and of MPI can be called; all backends except `local` need
   * this.
   */
  readonly foreignFunctions: { readonly usable: boolean; readonly details: string };
  /** All four, in the order in which `auto` considers them. */
  readonly backends: readonly BackendInfo[];
  readonly selection: SelectionInfo;
  readonly mpi: {
    readonly libraries: readonly MpiLibraryInfo[];
    readonly launchers: readonly MpiLauncherInfo[];
  };
  /** Variables of Cobre and of MPI launchers that are set. Secrets are not shown. */
  readonly variables: readonly VariableInfo[];
}

/** Node.js and what it runs on. */
export interface MachineInfo {
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
  /** `null` on systems without a choice of C libraries (macOS, Windows). */
  readonly libc: { readonly name: "glibc" | "musl"; readonly version: string | null } | null;
  readonly cores: {
    /** How many cores this process may use. */
    readonly available: number;
    readonly total: number;
  };
  /** `null` on systems where processes cannot be bound. */
  readonly processors: ProcessorsInfo | null;
  readonly memory: {
    readonly totalBytes: number;
    readonly freeBytes: number;
    /** The limit of the container or control group, if there is one. */
    readonly limitBytes: number | null;
  };
}

/** The processors that this process may use, and how the launcher would divide them. */
export interface ProcessorsInfo {
  /** As the kernel writes it: `0-3,8`. */
  readonly allowed: string;
  /** How many cores these are, and how many memory nodes they belong to. */
  readonly cores: number;
  readonly nodes: number;
  /** What `COBRE_LAUNCH_BIND` says, or the default. */
  readonly bind: string;
  /** The processors of each of two ranks; `null` if they would not be bound. */
  readonly ofTwoRanks: readonly string[] | null;
}

/** The file system that holds POSIX shared memory. */
export interface SharedMemoryInfo {
  readonly path: string;
  readonly present: boolean;
  readonly sizeBytes: number | null;
  readonly freeBytes: number | null;
  /** What to do if the file system is missing, small or nearly full. */
  readonly warning: string | null;
}

/** One of the four backends. */
export interface BackendInfo {
  readonly name: BackendName;
  readonly inBuild: boolean;
  readonly usable: boolean;
  /** Why it is usable, or why not. */
  readonly details: string;
}

/**
 * What `createCommunicator()` would choose in this environment. `backend` is `null` if it would
 * throw.
 */
export interface SelectionInfo {
  readonly backend: BackendName | null;
  /** The reason, or the error's message. */
  readonly reason: string;
}

/** An MPI library that was found. If it cannot be used, `reason` says why. */
export interface MpiLibraryInfo {
  readonly file: string;
  /** Where it was found: a variable, `PATH`, `dynamic loader` or `known directory`. */
  readonly origin: string;
  readonly abi: MpiAbiName | null;
  /** The first line of `MPI_Get_library_version`. */
  readonly version: string | null;
  readonly reason: string | null;
}

/** A program on PATH that starts MPI jobs. */
export interface MpiLauncherInfo {
  readonly name: string;
  readonly path: string;
  /** The file that symbolic links lead to. It tells Open MPI from MPICH. */
  readonly target: string;
}

/** An environment variable that affects how this process joins a group. */
export interface VariableInfo {
  readonly name: string;
  readonly value: string;
}
