/** Finds every native HiGHS. A broken library could crash the process, so each is loaded in a process of its own. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  HIGHS_LIBRARY_VARIABLE,
  type HighsCandidate,
  highsCandidates,
} from "../highs/native/candidates.js";
import type { HighsLibraryInfo } from "./info.js";
import type { HighsProbeReply } from "./probe-child.js";

const CHILD = fileURLToPath(new URL("./probe-child.js", import.meta.url));

/** All libraries, usable or not, each file once. */
export async function findHighsLibraries(
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<HighsLibraryInfo[]> {
  const probed = await Promise.all(
    highsCandidates(env).map((candidate) => probe(candidate, env, timeoutMs)),
  );
  const libraries = new Map<string, HighsLibraryInfo>();
  for (const library of probed) {
    if (library !== undefined && !libraries.has(library.file)) libraries.set(library.file, library);
  }
  return [...libraries.values()];
}

/** `undefined` if there is no such library. */
async function probe(
  { file, origin }: HighsCandidate,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<HighsLibraryInfo | undefined> {
  const reply = await askChild(file, env, timeoutMs);
  if (!("problem" in reply)) return { ...reply, origin, reason: null };
  // A library that the user named is reported even if it does not exist.
  if (reply.problem === "NotFound" && origin !== HIGHS_LIBRARY_VARIABLE) return undefined;
  return { file, origin, version: null, reason: reply.reason };
}

function askChild(
  file: string,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<HighsProbeReply> {
  return new Promise((resolve) => {
    const child = fork(CHILD, [file], {
      env: { ...env },
      execArgv: [],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    let reply: HighsProbeReply | undefined;
    child.once("message", (message) => {
      reply = message as HighsProbeReply;
      // The answer is all we need. Killing the process avoids whatever the library does at exit.
      child.kill("SIGKILL");
    });
    child.once("error", (error) => resolve({ problem: "Crashed", reason: error.message }));
    child.once("close", () => {
      const end = child.signalCode ?? `exit code ${child.exitCode}`;
      const reason = child.killed
        ? `loading it took longer than ${timeoutMs} ms`
        : `the process that loaded it ended with ${end}`;
      resolve(reply ?? { problem: "Crashed", reason });
    });
  });
}
