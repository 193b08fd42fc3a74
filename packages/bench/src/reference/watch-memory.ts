import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The system keeps the peak of each process itself, so looking now and then misses only what is allocated just before the end. */
const PERIOD_MS = 100;

/** What a command took. */
export interface MeasuredRun {
  /** From its start to its end. */
  readonly seconds: number;
  /** The peaks of resident memory of its processes, the largest first; memory that they share is in each of them. Empty where there is no `/proc`. */
  readonly peaksMiB: readonly number[];
}

/** Runs a command and watches the memory of its processes. Rejects with the end of its output if it fails. */
export async function runMeasured(file: string, args: readonly string[]): Promise<MeasuredRun> {
  const began = performance.now();
  const child = spawn(file, [...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
  }
  const peaks = new Map<number, number>();
  const watch = setInterval(() => look(child.pid, peaks), PERIOD_MS);
  try {
    const code = await ended(child);
    const seconds = (performance.now() - began) / 1000;
    if (code !== 0) {
      const said = output.join("").trim().split("\n").slice(-12).join("\n");
      throw new Error(`${file} ${args.join(" ")} exited with ${code}\n${said}`);
    }
    return { seconds, peaksMiB: [...peaks.values()].sort((a, b) => b - a) };
  } finally {
    clearInterval(watch);
  }
}

function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? signal ?? "an unknown signal"));
  });
}

/** Notes the peak of a process and of all that it has started. */
function look(pid: number | undefined, peaks: Map<number, number>): void {
  if (pid === undefined) return;
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
    if (kib !== undefined) peaks.set(pid, Number(kib) / 1024);
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
      for (const child of children.split(" ").filter(Boolean)) look(Number(child), peaks);
    }
  } catch {
    // It has ended meanwhile, or there is no /proc.
  }
}
