import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./computing.js", import.meta.url));

/** After this time the kernel has noticed that it computes. */
const SETTLING_MS = 500;

/** Starts a process that computes until it is ended. */
export async function startNeighbour(): Promise<{ end(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  await once(child, "spawn");
  await sleep(SETTLING_MS);
  return {
    async end() {
      if (child.exitCode !== null) throw new Error("the computing process has ended by itself");
      child.stdin?.end();
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
