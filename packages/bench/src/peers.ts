/** The peers: programs of our own over the machine's MPIs, each run the way that suits it best. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MPI_LAUNCHERS, type MpiName } from "./mpi-launchers.js";
import { OUTPUT_FOLDER } from "./output-folder.js";
import { type Cell, encodeCell } from "./plan.js";
import { runProgram } from "./run-program.js";

export type PeerName = "openmpi-c" | "mpich-c" | "mpi4py" | "openmpi-tcp-c";

interface PeerDescription {
  /** Makes the program and says how it is run; throws if the machine lacks something. */
  build(): Promise<{ readonly mpi: MpiName; readonly command: readonly string[] }>;
  /** What its launcher is told beyond the usual. */
  readonly launcherArguments?: readonly string[];
  readonly collapsesWhenCrowded: boolean;
}

export interface RunOptions {
  /** There are more ranks than cores. */
  readonly crowded: boolean;
  readonly timeoutSecs: number;
}

export interface ReadyPeer {
  run(ranks: number, plan: readonly Cell[], options: RunOptions): Promise<string>;
}

function peerSource(file: string): string {
  return fileURLToPath(new URL(`../peers/${file}`, import.meta.url));
}

async function compileWith(compiler: string, mpi: MpiName) {
  mkdirSync(OUTPUT_FOLDER, { recursive: true });
  const program = `${OUTPUT_FOLDER}/collectives-${mpi}`;
  const flags = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O3", "-Wall", "-Wextra"];
  await runProgram(compiler, [...flags, "-o", program, peerSource("collectives.c")]);
  return { mpi, command: [program] };
}

/** The distribution's mpi4py belongs to the distribution's Python, not always the first in PATH. */
const PYTHONS = ["python3", "/usr/bin/python3"];

const WHICH_MPI = `
import mpi4py
mpi4py.rc.initialize = False
from mpi4py import MPI
print(MPI.Get_library_version())
`;

async function findMpi4py() {
  let problem: unknown;
  for (const python of PYTHONS) {
    try {
      const version = await runProgram(python, ["-c", WHICH_MPI]);
      const mpi: MpiName = version.startsWith("Open MPI") ? "openmpi" : "mpich";
      return { mpi, command: [python, peerSource("collectives.py")] };
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

export const PEERS: Readonly<Record<PeerName, PeerDescription>> = {
  "openmpi-c": {
    build: () => compileWith("mpicc.openmpi", "openmpi"),
    collapsesWhenCrowded: false,
  },
  "mpich-c": {
    build: () => compileWith("mpicc.mpich", "mpich"),
    collapsesWhenCrowded: true,
  },
  // Kept off shared memory: the measure for ranks that are connected by sockets.
  "openmpi-tcp-c": {
    build: () => compileWith("mpicc.openmpi", "openmpi"),
    launcherArguments: ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"],
    collapsesWhenCrowded: false,
  },
  mpi4py: { build: findMpi4py, collapsesWhenCrowded: false },
};

/** Makes a peer ready to run, or says what the machine lacks. */
export async function preparePeer(
  name: PeerName,
): Promise<ReadyPeer | { readonly missing: string }> {
  try {
    const { build, launcherArguments = [] } = PEERS[name];
    const { mpi, command } = await build();
    return {
      run(ranks, plan, { crowded, timeoutSecs }) {
        const { file, args, env } = MPI_LAUNCHERS[mpi](ranks, crowded);
        const all = [...args, ...launcherArguments, ...command, ...plan.map(encodeCell)];
        return runProgram(file, all, { env, timeoutSecs });
      },
    };
  } catch (error) {
    return { missing: `cannot be made: ${(error as Error).message.trim().split("\n").at(-1)}` };
  }
}
