/** Runs what takes time a few at a time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Tests wait for processes, deadlines and disks half of their time: two more than there are cores keep the cores busy. */
export const LANES = availableParallelism() + 2;

/** How long the last output of a program that has ended may take. */
const LAST_WORDS_MS = 10_000;

/** Runs the jobs in their order, `LANES` of them at a time. */
export async function runInLanes(jobs) {
  const queue = [...jobs];
  const lane = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await job();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/**
 * Runs a program to its end, while others run. What it prints is for the caller to show, in one piece.
 *
 * @param {{ limitMs?: number } & import("node:child_process").SpawnOptions} [options] `limitMs` is a time that only a hang takes
 * @returns {Promise<{ output: string, code?: number, failure?: string }>} `failure` says how it ended if it did not succeed
 */
export async function runAside(file, args, { limitMs = 60 * 60_000, ...options } = {}) {
  const limits = { timeout: limitMs, killSignal: "SIGKILL" };
  const child = spawn(file, args, { ...options, ...limits, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => output.push(chunk));
  }
  const closed = once(child, "close").catch(() => {});
  const endToo = () => child.kill("SIGKILL");
  process.once("exit", endToo);
  const ended = await new Promise((resolve) => {
    child.on("error", ({ message }) => resolve({ failure: `${file} cannot be run: ${message}` }));
    child.on("exit", (code, signal) => resolve(endOf(code, signal)));
  });
  process.off("exit", endToo);
  const left = await Promise.race([closed, sleep(LAST_WORDS_MS, "left", { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  const failure = left === "left" ? "a process that it started is still there" : undefined;
  return { output: Buffer.concat(output).toString(), failure, ...ended };
}

function endOf(code, signal) {
  if (signal !== null) return { failure: `it was ended by ${signal}` };
  return code === 0 ? { code } : { code, failure: `it ended with exit code ${code}` };
}
