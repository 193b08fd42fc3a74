import { availableParallelism, cpus, loadavg, release, type } from "node:os";
import { runProgram } from "./run-program.js";

export const CORES = availableParallelism();

async function versionOf(name: string, file: string): Promise<string[]> {
  try {
    const version = /\d+\.\d+(\.\d+)?/.exec(await runProgram(file, ["--version"]))?.[0];
    return version === undefined ? [] : [`${name} ${version}`];
  } catch {
    return [];
  }
}

/** One line that describes the machine. */
export async function describeMachine(): Promise<string> {
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  return [
    `${CORES} cores (${processor})`,
    `${type()} ${release()}`,
    `Node.js ${process.version}`,
    ...(await versionOf("Open MPI", "mpirun.openmpi")),
    ...(await versionOf("MPICH", "mpiexec.mpich")),
  ].join(" · ");
}

/** A warning if other programs use the cores; `undefined` on a quiet machine. */
export function describeDisturbance(): string | undefined {
  const [lastMinute = 0] = loadavg();
  if (lastMinute <= CORES) return undefined;
  return `load average ${lastMinute.toFixed(1)} on ${CORES} cores: other programs are running, so do not trust the figures`;
}
