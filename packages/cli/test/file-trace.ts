import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import type { TestContext } from "node:test";
import { needs } from "@cobre/testing/needs";

/** Calls that make or change a file, that wait for the disk, and that give a file another name. */
const CHANGES =
  "write,pwrite64,writev,pwritev,pwritev2,ftruncate,fallocate,copy_file_range,sendfile";
const CREATIONS = "open,openat,creat";
const SYNCS = "fsync,fdatasync";
const RENAMES = "rename,renameat,renameat2,link,linkat";
const CALLS = [CHANGES, CREATIONS, SYNCS, RENAMES].join();

const isIn = (list: string, call: string) => list.split(",").includes(call);

/** The words before a command that write its calls to a file, with the paths of open files. */
export function traced(trace: string): string[] {
  const options = ["-f", "--seccomp-bpf", "-qq", "-y", "-s", "0", "-e", `trace=${CALLS}`];
  return ["strace", ...options, "-e", "signal=none", "-o", trace];
}

let traces: boolean | undefined;

/** Whether system calls can be traced here; skips the test otherwise. */
export function canTrace(t: TestContext): boolean {
  traces ??= spawnSync("strace", ["-f", "--seccomp-bpf", "-o", "/dev/null", "true"]).status === 0;
  return needs(t, traces, "strace, and leave to trace processes");
}

/** One call, when it began and when it ended: two that overlap are told in two parts. */
interface Call {
  readonly name: string;
  readonly args: string;
  readonly part: "begin" | "end" | "whole";
}

/** `PID name(args) = result`, or the first or the second half of it. */
function* callsOf(trace: string): Generator<Call> {
  const begun = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [, pid = "", rest = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(rest);
    if (resumed !== null) {
      if (/ = -1 /.test(rest)) continue;
      yield { name: resumed[1] ?? "", args: begun.get(pid) ?? "", part: "end" };
      continue;
    }
    const [, name = "", args = ""] = /^(\w+)\((.*)$/.exec(rest) ?? [];
    if (name === "") continue;
    const isUnfinished = args.endsWith("<unfinished ...>");
    if (isUnfinished) begun.set(pid, args);
    else if (/ = -1 [A-Z]+/.test(args)) continue; // it changed nothing
    yield { name, args, part: isUnfinished ? "begin" : "whole" };
  }
}

/** A name that was given to a file or a folder. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
  /** The files in it, or it itself, that were changed after they were last synced. */
  readonly unsynced: readonly string[];
  /** The folders in it that have files but were not synced after the last of them got its name. */
  readonly unsyncedFolders: readonly string[];
}

/** What a program did with the files below a directory. */
export interface FileHistory {
  readonly renamings: readonly Renaming[];
  /** Files that were changed and not synced since, by the names that they have at the end. */
  readonly unsynced: readonly string[];
  /** All files that were made or changed, by the names that they have at the end. */
  readonly changed: readonly string[];
}

/** Reads a trace. Paths must be absolute. */
export function readTrace(trace: string, directory: string): FileHistory {
  const isSynced = new Map<string, boolean>();
  const folders = new Set<string>();
  const renamings: Renaming[] = [];
  const isBelow = (path: string) => path.startsWith(`${directory}/`);
  const within = (path: string) =>
    [...isSynced.keys()].filter((file) => file === path || file.startsWith(`${path}/`));

  for (const { name, args, part } of callsOf(trace)) {
    const quoted = [...args.matchAll(/"([^"]*)"/g)].map(([, path = ""]) => path);
    const [, open = ""] = /^\d+<([^>]*)>/.exec(args) ?? [];
    if (isIn(CREATIONS, name)) {
      const [path = ""] = quoted;
      if (/O_CREAT|O_TRUNC/.test(args) && isBelow(path)) isSynced.set(path, false);
    } else if (isIn(CHANGES, name)) {
      if (isBelow(open)) isSynced.set(open, false);
    } else if (isIn(SYNCS, name)) {
      // Only what a call has ended is sure to be on the disk.
      if (part === "begin" || !isBelow(open)) continue;
      if (isSynced.has(open)) isSynced.set(open, true);
      else folders.add(open);
    } else if (isIn(RENAMES, name) && part !== "end") {
      const [from = "", to = ""] = quoted;
      if (!isBelow(to)) continue;
      const files = within(from);
      folders.delete(dirname(to));
      const holders = new Set(files.filter((file) => file !== from).map(dirname));
      renamings.push({
        from,
        to,
        unsynced: files.filter((file) => !isSynced.get(file)),
        unsyncedFolders: [...holders].filter((folder) => !folders.has(folder)),
      });
      for (const file of within(to)) isSynced.delete(file);
      for (const file of files) {
        isSynced.set(to + file.slice(from.length), isSynced.get(file) ?? false);
        isSynced.delete(file);
      }
    }
  }
  const changed = [...isSynced.keys()];
  return { renamings, changed, unsynced: changed.filter((file) => !isSynced.get(file)) };
}
