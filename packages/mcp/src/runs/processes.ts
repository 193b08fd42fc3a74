import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** A process of this machine. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** When it began, in a form of the system's own: a later process with the same number has another. */
  readonly began: string;
  readonly command: string;
}

/** All processes that run. Ended ones that nobody has waited for do not count. Empty where they cannot be listed. */
export async function listProcesses(): Promise<ProcessEntry[]> {
  if (process.platform === "linux") return await linuxProcesses();
  if (process.platform === "win32") return [];
  const { stdout } = await promisify(execFile)(
    "ps",
    ["-A", "-o", "pid=,ppid=,stat=,lstart=,command="],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.split("\n").flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(line);
    if (found === null || found[3]?.startsWith("Z")) return [];
    const [, pid, parent, , began = "", command = ""] = found;
    return [{ pid: Number(pid), parent: Number(parent), began, command }];
  });
}

async function linuxProcesses(): Promise<ProcessEntry[]> {
  const numbers = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(numbers.map((name) => linuxProcess(Number(name))));
  return found.filter((one) => one !== undefined);
}

/** A process by its number, or `undefined` if there is none. */
export async function findProcess(pid: number): Promise<ProcessEntry | undefined> {
  if (process.platform === "linux") return await linuxProcess(pid);
  return (await listProcesses()).find((one) => one.pid === pid);
}

async function linuxProcess(pid: number): Promise<ProcessEntry | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in brackets, may hold anything.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    return { pid, parent: Number(parent), began: rest[17] ?? "", command };
  } catch {
    return undefined; // it has ended
  }
}

/** The processes that one has started, and those have started, and so on. */
export function descendantsOf(pid: number, all: readonly ProcessEntry[]): ProcessEntry[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}
