/** The process that loads one MPI library, tells its parent what it is, and is then ended. */
import {
  loadMpiLibrary,
  type MpiAbiName,
  MpiLibraryError,
  type MpiLibraryProblem,
} from "../ffi/mpi-library.js";

/** What the child sends: the library, or what is wrong with it. */
export type MpiProbeReply =
  | { readonly file: string; readonly abi: MpiAbiName; readonly version: string }
  | { readonly problem: MpiLibraryProblem | "Crashed"; readonly reason: string };

async function probe(file: string): Promise<MpiProbeReply> {
  try {
    const library = await loadMpiLibrary(file);
    return { file: library.file, abi: library.abi, version: library.version };
  } catch (error) {
    if (error instanceof MpiLibraryError) return { problem: error.problem, reason: error.message };
    return {
      problem: "NotLoadable",
      reason: error instanceof Error ? error.message : String(error),
    };
  }
}

// Listening keeps this process alive until its parent, having the answer, ends it (or is gone itself):
// a child that exits first may be seen to have closed before its message is seen.
process.on("message", () => {});
process.send?.(await probe(process.argv[2] ?? ""));
