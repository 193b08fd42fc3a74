/** The peers: programs of our own over the machine's MPIs, as their mpirun runs them best and also with the settings of our own ranks. */
import { cLibraryVariables, LARGE_ARRAYS } from "@cobre/comm/internal";
import { compileCollectives, peerSource } from "./compile.js";
import { MPI_LAUNCHERS, type MpiName } from "./mpi-launchers.js";
import { type Cell, encodeCell } from "./plan.js";
import { lastWords, runProgram } from "./run-program.js";

export type PeerName =
  | "openmpi-c"
  | "mpich-c"
  | "openmpi-c-huge"
  | "mpich-c-huge"
  | "mpi4py"
  | "mpi4py-huge"
  | "openmpi-tcp-c";

interface PeerDescription {
  /** Makes the program and says how it is run; throws if the machine lacks something. */
  build(): Promise<{ readonly mpi: MpiName; readonly command: readonly string[] }>;
  /** What its launcher is told beyond the usual. */
  readonly launcherArguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
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

type Built = ReturnType<PeerDescription["build"]>;

/** Peers that are one program run in several ways share it. */
function once(build: () => Built): () => Built {
  let built: Built | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

async function compileFor(mpi: MpiName): Built {
  return { mpi, command: [await compileCollectives(mpi, "program")] };
}

/** The distribution's mpi4py belongs to the distribution's Python, not always the first in PATH. */
const PYTHONS = ["python3", "/usr/bin/python3"];

const WHICH_MPI = `
import mpi4py
mpi4py.rc.initialize = False
from mpi4py import MPI
print(MPI.Get_library_version())
`;

async function findMpi4py(): Built {
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

const OPENMPI_C: PeerDescription = {
  build: once(() => compileFor("openmpi")),
  collapsesWhenCrowded: false,
};
const MPICH_C: PeerDescription = {
  build: once(() => compileFor("mpich")),
  collapsesWhenCrowded: true,
};
const MPI4PY: PeerDescription = { build: once(findMpi4py), collapsesWhenCrowded: false };

/** With the settings that `cobre launch` gives the ranks of all our backends, where it gives them any. */
function inHugePages(peer: PeerDescription): PeerDescription {
  const env = cLibraryVariables({}, [LARGE_ARRAYS]);
  const isTheSame = Object.keys(env).length === 0;
  const build = () => Promise.reject(new Error("our ranks have no such settings here"));
  return { ...peer, env, ...(isTheSame ? { build } : {}) };
}

export const PEERS: Readonly<Record<PeerName, PeerDescription>> = {
  "openmpi-c": OPENMPI_C,
  "mpich-c": MPICH_C,
  "openmpi-c-huge": inHugePages(OPENMPI_C),
  "mpich-c-huge": inHugePages(MPICH_C),
  // Kept off shared memory: the measure for ranks that are connected by sockets.
  "openmpi-tcp-c": {
    ...OPENMPI_C,
    launcherArguments: ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"],
  },
  mpi4py: MPI4PY,
  "mpi4py-huge": inHugePages(MPI4PY),
};

/** Makes a peer ready to run, or says what the machine lacks. */
export async function preparePeer(
  name: PeerName,
): Promise<ReadyPeer | { readonly missing: string }> {
  try {
    const { build, launcherArguments = [], env: own = {} } = PEERS[name];
    const { mpi, command } = await build();
    return {
      run(ranks, plan, { crowded, timeoutSecs }) {
        const { file, args, env } = MPI_LAUNCHERS[mpi](ranks, crowded);
        const all = [...args, ...launcherArguments, ...command, ...plan.map(encodeCell)];
        return runProgram(file, all, { env: { ...env, ...own }, timeoutSecs });
      },
    };
  } catch (error) {
    return { missing: `cannot be made: ${lastWords(error)}` };
  }
}
