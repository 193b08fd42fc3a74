import { readdirSync } from "node:fs";

/** The folders in /dev/shm that launches of a process have left. Others may launch at the same time. */
export function mpiFolders(pid: number | undefined = process.pid): string[] {
  return readdirSync("/dev/shm").filter((name) => name.startsWith(`cobre-mpi-${pid}-`));
}
