/**
 * Opens an MPI library and recognises its binary interface, without a header and without
 * initialising MPI. A process loads at most one: two in one process conflict over symbols.
 */

import type { LibraryHandle } from "koffi";
import { reasonOf } from "../../errors/reason-of.js";
import { type Koffi, loadKoffi } from "../../ffi/koffi.js";
import { setForLoading } from "./settings.js";

/** The known binary interfaces. Handles and constants differ between them. */
export type MpiAbiName = "openmpi" | "mpich" | "mpi-5";

/** An MPI library that has been loaded into this process. */
export interface MpiLibrary {
  readonly handle: LibraryHandle;
  /** The file that the loader chose. */
  readonly file: string;
  readonly abi: MpiAbiName;
  /** The first line that `MPI_Get_library_version` returns. */
  readonly version: string;
}

/**
 * What is wrong with a candidate: it does not exist, does not load, is not an MPI, or has a draft
 * ABI.
 */
export type MpiLibraryProblem = "NotFound" | "NotLoadable" | "NotMpi" | "DraftAbi";

/** A candidate that cannot be used. The message says why in one line. */
export class MpiLibraryError extends Error {
  override readonly name = "MpiLibraryError";

  constructor(
    readonly problem: MpiLibraryProblem,
    message: string,
  ) {
    super(message);
  }
}

/** Loads `file`, a path or a name for the dynamic loader. Throws {@link MpiLibraryError}. */
export async function loadMpiLibrary(file: string): Promise<MpiLibrary> {
  const koffi = await loadKoffi();
  setForLoading(process.env);
  const handle = open(koffi, file);
  const version = libraryVersion(handle);
  const loadedFile = fileOf(koffi, handle) ?? file;
  return { handle, file: loadedFile, abi: detectAbi(handle, loadedFile), version };
}

function open(koffi: Koffi, file: string): LibraryHandle {
  try {
    // Global: MPICH on macOS and the plug-ins of Open MPI look for symbols of the library that
    // loaded them.
    return koffi.load(file, { lazy: true, global: true });
  } catch (error) {
    const reason = reasonOf(error).replace(/^Failed to load shared library: /, "");
    throw new MpiLibraryError(
      saysNotFound(reason, file) ? "NotFound" : "NotLoadable",
      `the dynamic loader says: ${reason}`,
    );
  }
}

/**
 * Whether the loader's message means that `file` itself is missing, rather than one of its
 * dependencies. koffi removes `file` from the front of glibc's message; the name of a missing
 * dependency stays.
 */
function saysNotFound(reason: string, file: string): boolean {
  const glibc = reason === "cannot open shared object file: No such file or directory";
  const musl = reason === `Error loading shared library ${file}: No such file or directory`;
  const macos = reason.includes("no such file") && !reason.includes("Library not loaded");
  return glibc || musl || (process.platform === "darwin" && macos);
}

/** Longer than MPI_MAX_LIBRARY_VERSION_STRING of any ABI. */
const VERSION_BYTES = 8192;

function libraryVersion(handle: LibraryHandle): string {
  if (!hasSymbol(handle, "MPI_Get_library_version")) {
    throw new MpiLibraryError(
      "NotMpi",
      "it loads, but is not an MPI-3 library: it has no MPI_Get_library_version",
    );
  }
  // int MPI_Get_library_version(char *version, int *resultlen)
  const getLibraryVersion: (version: Uint8Array, resultlen: Int32Array) => number = handle.func(
    "int MPI_Get_library_version(uint8_t *version, int *resultlen)",
  );
  const text = Buffer.alloc(VERSION_BYTES);
  const length = new Int32Array(1);
  const code = getLibraryVersion(text, length);
  if (code !== 0) {
    throw new MpiLibraryError("NotMpi", `MPI_Get_library_version failed with code ${code}`);
  }
  const [firstLine = ""] = text.toString("utf8", 0, length[0]).split(/[\n\0]/, 1);
  return firstLine.replace(/\s+/g, " ").trim();
}

/**
 * A library with the standard ABI says so itself (in other libraries the function reports -1). The
 * handles of Open MPI are addresses of its own global variables. All others are MPICH and its
 * family.
 */
function detectAbi(handle: LibraryHandle, file: string): MpiAbiName {
  if (standardAbiMajor(handle) >= 1) return "mpi-5";
  if (/libmpi_abi\./.test(file)) {
    // MPICH 4.3 used this file name with other constants: its ERRORS_RETURN is ERRORS_ABORT here.
    throw new MpiLibraryError(
      "DraftAbi",
      `${file} has a draft of the MPI-5 ABI, whose constants differ: use the libmpi beside it`,
    );
  }
  return hasSymbol(handle, "ompi_mpi_comm_self") ? "openmpi" : "mpich";
}

function standardAbiMajor(handle: LibraryHandle): number {
  if (!hasSymbol(handle, "MPI_Abi_get_version")) return -1;
  // int MPI_Abi_get_version(int *abi_major, int *abi_minor)
  const getAbiVersion: (major: Int32Array, minor: Int32Array) => number = handle.func(
    "int MPI_Abi_get_version(int *abi_major, int *abi_minor)",
  );
  const major = new Int32Array(1);
  const code = getAbiVersion(major, new Int32Array(1));
  return code === 0 ? (major[0] ?? -1) : -1;
}

/** The path of the loaded library, if the C library can tell. */
function fileOf(koffi: Koffi, handle: LibraryHandle): string | undefined {
  const program = koffi.load(null);
  if (!hasSymbol(program, "dladdr")) return undefined;
  const info = koffi.struct({
    dli_fname: "const char *",
    dli_fbase: "void *",
    dli_sname: "const char *",
    dli_saddr: "void *",
  });
  // int dladdr(const void *addr, Dl_info *info)
  const dladdr: (addr: unknown, info: { dli_fname?: string }) => number = program.func(
    "dladdr",
    "int",
    ["const void *", koffi.out(koffi.pointer(info))],
  );
  const found: { dli_fname?: string } = {};
  return dladdr(handle.symbol("MPI_Get_library_version"), found) !== 0
    ? found.dli_fname
    : undefined;
}

/** Whether a loaded library exports `name`. */
export function hasSymbol(handle: LibraryHandle, name: string): boolean {
  try {
    handle.symbol(name);
    return true;
  } catch {
    return false;
  }
}
