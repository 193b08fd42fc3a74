/**
 * Finds the MPI libraries of this machine. Two of them in one process would conflict over symbols,
 * and a broken one could crash the process. So each is loaded in a process of its own.
 */
import { type ChildProcess, fork } from "node:child_process";
import { realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { MpiLibraryInfo } from "../../info/info.js";
import type { Environment } from "../../select/backend.js";
import { MPI_LIBRARY_VARIABLE, type MpiCandidate, mpiCandidates } from "./candidates.js";
import type { MpiProbeReply } from "./probe-child.js";

const CHILD = fileURLToPath(new URL("./probe-child.js", import.meta.url));

/** All MPI libraries found, usable or not, each file once. */
export async function findMpiLibraries(
  env: Environment,
  timeoutMs: number,
): Promise<MpiLibraryInfo[]> {
  const probed = await Promise.all(
    mpiCandidates(env).map((candidate) => probe(candidate, env, timeoutMs)),
  );
  const libraries = new Map<string, MpiLibraryInfo>();
  for (const library of probed) {
    if (library === undefined) continue;
    const identity = await realpath(library.file).catch(() => library.file);
    if (!libraries.has(identity)) libraries.set(identity, library);
  }
  return [...libraries.values()];
}

/**
 * The library that a process with this environment would load: the one that the environment names,
 * or the first usable one.
 */
export async function firstMpiLibrary(
  env: Environment,
  timeoutMs: number,
): Promise<MpiLibraryInfo | undefined> {
  for (const candidate of mpiCandidates(env)) {
    const library = await probe(candidate, env, timeoutMs);
    const isNamed = candidate.origin === MPI_LIBRARY_VARIABLE;
    if (library !== undefined && (library.reason === null || isNamed)) return library;
  }
  return undefined;
}

/** `undefined` if there is no such library. */
async function probe(
  candidate: MpiCandidate,
  env: Environment,
  timeoutMs: number,
): Promise<MpiLibraryInfo | undefined> {
  const { file, origin } = candidate;
  const reply = await askChild(file, env, timeoutMs);
  if (!("problem" in reply)) return { ...reply, origin, reason: null };
  // A library that the user named is reported even if it does not exist.
  if (reply.problem === "NotFound" && origin !== MPI_LIBRARY_VARIABLE) return undefined;
  return { file, origin, abi: null, version: null, reason: reply.reason };
}

function askChild(file: string, env: Environment, timeoutMs: number): Promise<MpiProbeReply> {
  return new Promise((resolve) => {
    const child = fork(CHILD, [file], {
      env: { ...env },
      execArgv: [],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const complaint = collectStderr(child);
    let reply: MpiProbeReply | undefined;
    child.once("message", (message) => {
      reply = message as MpiProbeReply;
      // The answer is all we need. Killing the process avoids whatever the library does at exit.
      child.kill("SIGKILL");
    });
    child.once("error", (error) => resolve({ problem: "Crashed", reason: error.message }));
    child.once("close", () => {
      const reason = describeEnd(child, timeoutMs) + complaint();
      resolve(reply ?? { problem: "Crashed", reason });
    });
  });
}

function describeEnd(child: ChildProcess, timeoutMs: number): string {
  if (child.killed) return `loading it took longer than ${timeoutMs} ms`;
  const end = child.signalCode ?? `exit code ${child.exitCode}`;
  return `the process that loaded it ended with ${end}`;
}

function collectStderr(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(0, 4096);
  });
  return () => {
    const firstLine = text.split("\n").find((line) => line.trim() !== "");
    return firstLine === undefined ? "" : `: ${firstLine.trim()}`;
  };
}
