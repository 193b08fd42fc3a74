/** The ways in which people start ranks, for short launches. Each returns the output of rank 0. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { compileCollectives } from "../compile.js";
import { MPI_LAUNCHERS, type MpiName } from "../mpi-launchers.js";
import { prepareBackend } from "../our-backends.js";
import { lastWords, runProgram } from "../run-program.js";
import { startRanks } from "../start-ranks.js";

const PROGRAM = fileURLToPath(new URL("../rank.js", import.meta.url));
export const RANKS = 2;
const TIMEOUT_SECONDS = 60;

/** A way to start two ranks. */
export interface Starter {
  readonly name: string;
  readonly isPeer: boolean;
  start(args: readonly string[]): Promise<string>;
}

/** Like Promise.all, but waits for all even if one fails: nothing runs on into the next launch. */
export async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

export type Transport = "shm" | "tcp";

/** All that can be started on this machine, and why others cannot. */
export async function findStarters(
  backends: readonly string[] | undefined,
  peers: readonly string[] | undefined,
): Promise<{ starters: Starter[]; obstacles: string[] }> {
  const obstacles: string[] = [];
  const starters: Starter[] = [];
  for (const transport of ["shm", "tcp"] as const) {
    if (!isNamed(transport, backends)) continue;
    starters.push(byLauncher(transport, transport, {}, "auto"));
    starters.push(byLauncher(transport, transport, {}, "none"));
    starters.push(byHand(transport), byMpirun(transport));
  }
  for (const name of ["mpi-openmpi", "mpi-mpich"]) {
    if (!isNamed(name, backends)) continue;
    const { env, missing } = await prepareBackend(name);
    if (missing !== undefined) obstacles.push(`${name}: ${missing}`);
    else {
      starters.push(byLauncher(name, "mpi", env, "auto"), byLauncher(name, "mpi", env, "none"));
    }
  }
  for (const { name, mpi, args } of PEERS) {
    if (!isNamed(name, peers)) continue;
    try {
      const program = await compileCollectives(mpi, "program");
      starters.push({
        name,
        isPeer: true,
        start: (rest) => runUnder(mpi, args, [program, ...rest]),
      });
    } catch (error) {
      obstacles.push(`${name} cannot be built: ${lastWords(error)}`);
    }
  }
  return { starters, obstacles };
}

/** Whether a starter is wanted: all are if none is named. What follows a comma need not be named. */
function isNamed(name: string, named: readonly string[] | undefined): boolean {
  return named?.some((word) => name === word || name.startsWith(`${word},`)) ?? true;
}

/** C programs, bound by their mpirun and not bound. */
const PEERS: readonly { name: string; mpi: MpiName; args: readonly string[] }[] = [
  { name: "openmpi-c", mpi: "openmpi", args: [] },
  { name: "openmpi-c, --bind-to none", mpi: "openmpi", args: ["--bind-to", "none"] },
  { name: "mpich-c", mpi: "mpich", args: ["-bind-to", "core"] },
  { name: "mpich-c, -bind-to none", mpi: "mpich", args: ["-bind-to", "none"] },
  {
    name: "openmpi-tcp-c",
    mpi: "openmpi",
    args: ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self"],
  },
];

function runUnder(
  mpi: MpiName,
  args: readonly string[],
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { file, env: own } = MPI_LAUNCHERS[mpi](RANKS, false);
  const all = ["-np", String(RANKS), ...args, ...command];
  return runProgram(file, all, { env: { ...own, ...env }, timeoutSecs: TIMEOUT_SECONDS });
}

function byLauncher(
  name: string,
  backend: Transport | "mpi",
  env: Readonly<Record<string, string>>,
  bind: "auto" | "none",
): Starter {
  return {
    name: `${name}, cobre launch --bind ${bind}`,
    isPeer: false,
    start: (args) => startRanks({ backend, ranks: RANKS, program: PROGRAM, args, env, bind }),
  };
}

/** The variables that a user sets who starts ranks one by one. */
async function variablesOf(
  transport: Transport,
): Promise<(rank: number) => Record<string, string>> {
  const secret = randomBytes(6).toString("hex");
  if (transport === "shm") {
    const shared = { COBRE_SHM_NAME: `/bench-${secret}`, COBRE_SHM_SIZE: String(RANKS) };
    return (rank) => ({ COBRE_COMM_BACKEND: "shm", ...shared, COBRE_SHM_RANK: String(rank) });
  }
  const shared = {
    COBRE_TCP_COORDINATOR: "127.0.0.1",
    COBRE_TCP_BIND_ADDR: "127.0.0.1",
    COBRE_TCP_PORT: String(await freePort()),
    COBRE_TCP_SIZE: String(RANKS),
    COBRE_TCP_TOKEN: secret,
  };
  return (rank) => ({ COBRE_COMM_BACKEND: "tcp", ...shared, COBRE_TCP_RANK: String(rank) });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

function byHand(transport: Transport): Starter {
  return {
    name: `${transport}, by hand`,
    isPeer: false,
    async start(args) {
      const variables = await variablesOf(transport);
      const [output = ""] = await allOf(
        Array.from({ length: RANKS }, (_, rank) => {
          const settings = { env: variables(rank), timeoutSecs: TIMEOUT_SECONDS };
          return runProgram(process.execPath, [PROGRAM, ...args], settings);
        }),
      );
      return output;
    },
  };
}

/** Ranks of `transport` that mpirun starts, as in a job script, without binding them. */
function byMpirun(transport: Transport): Starter {
  const name = transport.toUpperCase();
  const script = `COBRE_${name}_RANK=$OMPI_COMM_WORLD_RANK exec "$@"`;
  return {
    name: `${transport}, mpirun --bind-to none`,
    isPeer: false,
    async start(args) {
      const { [`COBRE_${name}_RANK`]: _, ...variables } = (await variablesOf(transport))(0);
      const command = ["sh", "-c", script, "sh", process.execPath, PROGRAM, ...args];
      return runUnder("openmpi", ["--bind-to", "none"], command, variables);
    },
  };
}
