import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Signals every process of a group. Returns whether there was one. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  // 0 means that no process was started. The system would take it for our own group.
  if (group === 0) return false;
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // EPERM: there are processes, but they now belong to another user (a setuid program).
    return errorCode(error) === "EPERM";
  }
}

/**
 * Whether a process of the group is still running. Zombies do not count: in a container whose first
 * process never reaps them, they stay for ever.
 */
export function groupRuns(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  return existsSync("/proc/self/stat") ? hasRunningMember(group) : true;
}

/** Whether a process is running. Zombies do not count here either. */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
  return !existsSync("/proc/self/stat") || !"ZX".includes(readStat(String(pid))?.state ?? "X");
}

function hasRunningMember(group: number): boolean {
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = readStat(entry);
    if (stat !== undefined && stat.group === group && !"ZX".includes(stat.state)) return true;
  }
  return false;
}

/** `pid (comm) state ppid pgrp …`, where comm may hold spaces and parentheses. */
function readStat(pid: string): { state: string; group: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "X", , group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, group: Number(group) };
  } catch {
    return undefined; // the process has ended
  }
}

/** The code of a system error (ENOENT, EPERM), if `error` is one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error && "syscall" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
