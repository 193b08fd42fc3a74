import { availableParallelism, cpus, freemem, totalmem } from "node:os";
import type { Environment } from "../select/backend.js";
import type { MachineInfo } from "./info.js";
import { describeProcessors } from "./processors.js";

/** Node.js, its platform, and the cores and memory it may use. */
export function describeMachine(env: Environment): MachineInfo {
  const totalBytes = totalmem();
  const available = availableParallelism();
  // 0, or a number greater than the memory, means that there is no limit.
  const limit = process.constrainedMemory?.() ?? 0;
  return {
    node: process.version,
    platform: process.platform,
    arch: process.arch,
    libc: detectLibc(),
    // cpus() is empty where /proc is hidden.
    cores: { available, total: Math.max(cpus().length, available) },
    processors: describeProcessors(env),
    memory: {
      totalBytes,
      freeBytes: freemem(),
      limitBytes: limit > 0 && limit < totalBytes ? limit : null,
    },
  };
}

/** The part of Node's diagnostic report that identifies the C library. */
interface Report {
  readonly header?: { readonly glibcVersionRuntime?: string };
  readonly sharedObjects?: readonly string[];
}

function detectLibc(): MachineInfo["libc"] {
  if (process.platform !== "linux") return null;
  const report = readReport();
  const glibc = report.header?.glibcVersionRuntime;
  if (glibc !== undefined) return { name: "glibc", version: glibc };
  const isMusl = report.sharedObjects?.some((file) => /(ld|libc)[.-]musl-/.test(file)) ?? false;
  return isMusl ? { name: "musl", version: null } : null;
}

function readReport(): Report {
  // Otherwise the report looks up the host name of every open connection, which can take seconds.
  const settings: { excludeNetwork?: boolean; getReport(): object } = process.report;
  const before = settings.excludeNetwork;
  settings.excludeNetwork = true;
  try {
    return settings.getReport() as Report;
  } finally {
    if (before !== undefined) settings.excludeNetwork = before;
  }
}
