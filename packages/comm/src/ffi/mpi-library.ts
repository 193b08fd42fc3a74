/**
 * Opens an MPI library and recognises its binary interface, without a header and without
 * initialising MPI. A process loads at most one: two MPIs in one process fight over symbols.
 */
import type { LibraryHandle } from "koffi";
import { type Koffi, loadKoffi } from "./koffi.js";
import { setForLoading } from "./mpi-settings.js";

/** The binary interfaces there are: handles and constants differ between them. */
export type MpiAbiName = "openmpi" | "mpich" | "mpi-5";

/** An MPI library that has been loaded into this process. */
export interface MpiLibrary {
  readonly handle: LibraryHandle;
  /** The file the loader took. */
  readonly file: string;
  readonly abi: MpiAbiName;
  /** The first line of what `MPI_Get_library_version` says. */
  readonly version: string;
}

/** What is wrong with a candidate: it is not there, does not load, is no MPI, has a draft ABI. */
export type MpiLibraryProblem = "NotFound" | "NotLoadable" | "NotMpi" | "DraftAbi";

/** A candidate that cannot be used; the message is one line that says why. */
export class MpiLibraryError extends Error {
  override readonly name = "MpiLibraryError";

  constructor(
    readonly problem: MpiLibraryProblem,
    message: string,
  ) {
    super(message);
  }
}

/** Loads `file`, a path or a name for the dynamic loader; throws {@link MpiLibraryError}. */
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
    // Global: MPICH on macOS and Open MPI's plug-ins look for symbols of the library they came from.
    return koffi.load(file, { lazy: true, global: true });
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(
      /^Failed to load shared library: /,
      "",
    );
    throw new MpiLibraryError(
      saysNotFound(reason, file) ? "NotFound" : "NotLoadable",
      `the dynamic loader says: ${reason}`,
    );
  }
}

/**
 * Whether the loader's message means that `file` itself is missing rather than something it needs.
 * koffi cuts `file` off the front of glibc's message; a missing dependency keeps its name there.
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
 * The standard ABI says so itself (the function answers -1 in a library of another ABI); Open MPI's
 * handles are addresses of its own globals; what remains is MPICH and its family.
 */
function detectAbi(handle: LibraryHandle, file: string): MpiAbiName {
  if (standardAbiMajor(handle) >= 1) return "mpi-5";
  if (/libmpi_abi\./.test(file)) {
    // MPICH 4.3 built this name with other constants: ERRORS_RETURN there is ERRORS_ABORT here.
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

/** The path behind the loaded library, where the C library can tell. */
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
