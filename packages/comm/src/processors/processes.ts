/** What the kernel tells of other processes: where they run, and which processors they may use. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { type ProcessorSet, parseProcessors } from "./processor-set.js";

/** Where a process was at a moment. */
export interface Whereabouts {
  /** The processor that it runs on, or waits for. */
  readonly processor: number;
  /** Whether it runs or would run if it had a processor. */
  readonly isRunnable: boolean;
}

/** The place of `processor` among the fields that follow the name, counted from 0. */
const PROCESSOR_FIELD = 36;

/** Reads a line of `/proc/<pid>/stat`. The name, in brackets, may contain anything. */
export function parseStat(line: string): Whereabouts | undefined {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  const processor = fields[PROCESSOR_FIELD];
  if (processor === undefined || !/^\d+$/.test(processor.trim())) return undefined;
  return { processor: Number(processor), isRunnable: fields[0] === "R" };
}

const buffer = Buffer.alloc(1024);

/** Where a process is; `undefined` if it cannot be seen from here. Takes about 10 µs. */
export function whereaboutsOf(pid: number): Whereabouts | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(`/proc/${pid}/stat`, "r");
    return parseStat(buffer.toString("latin1", 0, readSync(fd, buffer, 0, buffer.length, 0)));
  } catch {
    // It has ended, or there is no /proc.
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The processors that a process may use; `undefined` if it cannot be seen from here. */
export function allowedOf(pid: number | "self"): ProcessorSet | undefined {
  try {
    return parseStatus(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return undefined;
  }
}

/** Reads the text of `/proc/<pid>/status`. */
export function parseStatus(text: string): ProcessorSet | undefined {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(text)?.[1];
  return list === undefined ? undefined : parseProcessors(list);
}
