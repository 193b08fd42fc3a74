/** A process that loads one MPI library, tells its parent what it is, and is then killed. */
import { reasonOf } from "../../errors/reason-of.js";
import {
  loadMpiLibrary,
  type MpiAbiName,
  MpiLibraryError,
  type MpiLibraryProblem,
} from "./library.js";

/** What this process sends: the library, or what is wrong with it. */
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
      reason: reasonOf(error),
    };
  }
}

// Listening keeps this process alive until the parent has the answer and kills it, or is gone. If
// this process exited first, the parent might see it close before it sees the message.
process.on("message", () => {});
process.send?.(await probe(process.argv[2] ?? ""));
