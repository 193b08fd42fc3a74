/** Opens a native library and checks that it is a HiGHS whose C functions we know. */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { LibraryHandle } from "koffi";
import { firstLine, type Koffi } from "../../ffi.js";

/**
 * The versions that have passed our tests. Others may lack a function (those before 1.11 do) or give an option another meaning, so they are
 * refused until somebody has tried them.
 */
const KNOWN_VERSIONS = ["1.11", "1.12", "1.13", "1.15"];

/** What is wrong with a candidate. */
export type HighsProblem =
  | "NotFound"
  | "NotLoadable"
  | "NotHighs"
  | "UnknownVersion"
  | "WideIntegers";

/** A candidate that cannot be used. The message says why in one line. */
export class HighsLibraryError extends Error {
  override readonly name = "HighsLibraryError";

  constructor(
    readonly problem: HighsProblem,
    message: string,
  ) {
    super(message);
  }
}

/** A native HiGHS in this process. */
export interface OpenedHighs {
  readonly handle: LibraryHandle;
  readonly version: string;
  /** The file that the loader chose. */
  readonly file: string;
  /** SHA-256 of the file. */
  readonly hash: string;
}

/** Loads `file`, a path or a name for the dynamic loader. Throws {@link HighsLibraryError}. */
export function openHighs(koffi: Koffi, file: string): OpenedHighs {
  const handle = load(koffi, file);
  try {
    const version = checkedVersion(handle);
    const found = isAbsolute(file) ? file : (loadedFile(koffi, handle) ?? file);
    const path = realpathSync(found);
    const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
    return { handle, version, file: path, hash };
  } catch (error) {
    handle.unload();
    throw error;
  }
}

function load(koffi: Koffi, file: string): LibraryHandle {
  try {
    return koffi.load(file);
  } catch (error) {
    const reason = firstLine(error).replace(/^Failed to load shared library: /, "");
    // koffi removes the name of the file from the loader's message; that of a missing dependency stays.
    const isMissing = reason === "cannot open shared object file: No such file or directory";
    throw new HighsLibraryError(
      isMissing ? "NotFound" : "NotLoadable",
      isMissing ? "there is no such library" : `the dynamic loader says: ${reason}`,
    );
  }
}

/**
 * The version of a library, such as `1.15.1`. Throws unless it is a HiGHS of a known version with integers of 32 bits.
 *
 * @internal
 */
export function checkedVersion(handle: Pick<LibraryHandle, "func">): string {
  const read = (signature: string): ((...args: unknown[]) => number) => {
    try {
      return handle.func(signature);
    } catch {
      const name = /Highs_\w+/.exec(signature)?.[0];
      throw new HighsLibraryError("NotHighs", `it loads, but is not HiGHS: it has no ${name}`);
    }
  };
  const numbers = ["Major", "Minor", "Patch"].map((part) => read(`int Highs_version${part}()`)());
  const version = numbers.join(".");
  if (!KNOWN_VERSIONS.includes(numbers.slice(0, 2).join("."))) {
    throw new HighsLibraryError(
      "UnknownVersion",
      `it is HiGHS ${version}; known are ${KNOWN_VERSIONS.join(", ")}`,
    );
  }
  const bits = 8 * sizeOfInteger(read);
  if (bits !== 32) {
    throw new HighsLibraryError(
      "WideIntegers",
      `it is HiGHS ${version} with integers of ${bits} bits; use a build without HIGHSINT64`,
    );
  }
  return version;
}

/** The function wants an instance, which none of its results depend on. */
function sizeOfInteger(read: (signature: string) => (...args: unknown[]) => number): number {
  const create = read("intptr_t Highs_create()");
  const sizeOf = read("int Highs_getSizeofHighsInt(intptr_t highs)");
  const destroy = read("void Highs_destroy(intptr_t highs)");
  const highs = create();
  try {
    return sizeOf(highs);
  } finally {
    destroy(highs);
  }
}

/** The path of a loaded library, if the C library can tell. */
function loadedFile(koffi: Koffi, handle: LibraryHandle): string | undefined {
  const info = koffi.struct({
    dli_fname: "const char *",
    dli_fbase: "void *",
    dli_sname: "const char *",
    dli_saddr: "void *",
  });
  // int dladdr(const void *addr, Dl_info *info)
  const parameters = ["const void *", koffi.out(koffi.pointer(info))];
  const dladdr = koffi.load(null).func("dladdr", "int", parameters);
  const found: { dli_fname?: string } = {};
  return dladdr(handle.symbol("Highs_run"), found) !== 0 ? found.dli_fname : undefined;
}
