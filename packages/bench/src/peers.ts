/** The peers: programs of our own over the machine's MPIs, as their mpirun runs them best and also with the settings of our own ranks. */
import { cLibraryVariables, HUGE_PAGES } from "../../comm/dist/internal.js";
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
  /** Builds the program and returns how to run it. Throws if the machine lacks something. */
  build(): Promise<{ readonly mpi: MpiName; readonly command: readonly string[] }>;
  /** Additional arguments for its launcher. */
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

/** Builds a program once for all peers that use it. */
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

/** The distribution's mpi4py belongs to the distribution's Python, which may not be the first on PATH. */
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

/** The same peer with the settings that `cobre launch` gives our ranks. Not available where it gives them none. */
function inHugePages(peer: PeerDescription): PeerDescription {
  const env = cLibraryVariables({}, [HUGE_PAGES]);
  const isTheSame = Object.keys(env).length === 0;
  const build = () => Promise.reject(new Error("cobre launch sets no huge pages here"));
  return { ...peer, env, ...(isTheSame ? { build } : {}) };
}

export const PEERS: Readonly<Record<PeerName, PeerDescription>> = {
  "openmpi-c": OPENMPI_C,
  "mpich-c": MPICH_C,
  "openmpi-c-huge": inHugePages(OPENMPI_C),
  "mpich-c-huge": inHugePages(MPICH_C),
  // Kept off shared memory: the peer of ranks that are connected by sockets.
  "openmpi-tcp-c": {
    ...OPENMPI_C,
    launcherArguments: ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"],
  },
  mpi4py: MPI4PY,
  "mpi4py-huge": inHugePages(MPI4PY),
};

/** Prepares a peer, or says what the machine lacks. */
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
    return { missing: `cannot be built: ${lastWords(error)}` };
  }
}
