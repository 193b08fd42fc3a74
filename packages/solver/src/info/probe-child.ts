/** A process that loads one native HiGHS, tells its parent what it is, and is then killed. */
import { firstLine, loadKoffi } from "../ffi.js";
import { HighsLibraryError, type HighsProblem, openHighs } from "../highs/native/open.js";

/** What this process sends: the library, or what is wrong with it. */
export type HighsProbeReply =
  | { readonly file: string; readonly version: string }
  | { readonly problem: HighsProblem | "Crashed"; readonly reason: string };

async function probe(name: string): Promise<HighsProbeReply> {
  try {
    const { file, version } = openHighs(await loadKoffi("highs-native"), name);
    return { file, version };
  } catch (error) {
    const problem = error instanceof HighsLibraryError ? error.problem : "NotLoadable";
    return { problem, reason: firstLine(error) };
  }
}

// Listening keeps this process alive until the parent has the answer and kills it, or is gone.
process.on("message", () => {});
process.send?.(await probe(process.argv[2] ?? ""));
