import { SolverError } from "../../errors.js";
import { firstLine, type Koffi, loadKoffi } from "../../ffi.js";
import { HighsLibrary } from "../library.js";
import { Arena } from "./arena.js";
import { bindHighs } from "./bind.js";
import { HIGHS_LIBRARY_VARIABLE, highsCandidates } from "./candidates.js";
import { type OpenedHighs, openHighs } from "./open.js";

/** Loads the native HiGHS that the environment names, or else the first one that can be used. */
export async function loadNativeHighs(env: NodeJS.ProcessEnv): Promise<HighsLibrary> {
  const koffi = await loadKoffi("highs-native");
  const refusals: string[] = [];
  for (const { file, origin } of highsCandidates(env)) {
    try {
      return attach(koffi, openHighs(koffi, file));
    } catch (error) {
      refusals.push(`\n  ${file} (${origin}): ${firstLine(error)}`);
    }
  }
  throw new SolverError("SolverNotAvailable", "highs-native", notFound(env, refusals));
}

/** Joins a library and an arena. */
function attach(koffi: Koffi, { handle, version, file, hash }: OpenedHighs): HighsLibrary {
  const arena = new Arena();
  const base = Number(koffi.address(new Uint8Array(arena.buffer)));
  return new HighsLibrary({
    name: "highs-native",
    call: bindHighs(handle, arena, base),
    memory: arena,
    version,
    fingerprint: `highs ${version} native ${process.platform} ${process.arch} sha256 ${hash}`,
    describeRoom: (bytes) => `the arrays shared with HiGHS have ${bytes} bytes`,
    file,
  });
}

function notFound(env: NodeJS.ProcessEnv, refusals: readonly string[]): string {
  const list = refusals.join("");
  if (env[HIGHS_LIBRARY_VARIABLE]) {
    return `the named library cannot be used:${list}\nGive the path of another one in ${HIGHS_LIBRARY_VARIABLE}, leave it unset to search for one, or use highs-wasm.`;
  }
  const tried =
    list === "" ? ` No library names are known for ${process.platform}.` : ` Tried:${list}`;
  return `no native HiGHS was found.${tried}\nInstall one (pip install highspy), set ${HIGHS_LIBRARY_VARIABLE} to its path, or use highs-wasm.`;
}
