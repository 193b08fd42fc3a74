/** Runs an MPI job on the two machines that two-machines.sh makes. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../test/mpi/two-machines.sh", import.meta.url));
const RANK = fileURLToPath(new URL("./machines-rank.js", import.meta.url));

/** The script ends with it where the machines cannot be had. */
const CANNOT = 77;

/** A job that takes longer hangs. */
const LIMIT_MS = 180_000;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** Everything that was said, for the message of an assertion. */
  readonly story: string;
}

/** An mpirun, the option with which it is told the machines, and what its ranks need to find their library. */
export interface Starter {
  readonly mpirun: string;
  readonly hosts: "--host" | "-hosts";
  readonly env: Readonly<Record<string, string>>;
}

/** Two ranks on each machine. `undefined` if there can be no machines here. */
export async function runOnTwoMachines(
  { mpirun, hosts, env }: Starter,
  how: string,
): Promise<Ended | undefined> {
  const places = "river:2,lake:2";
  const job = [mpirun, "-n", "4", hosts, places, process.execPath, RANK, how];
  const child = spawn("sh", [SCRIPT, ...job], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
    killSignal: "SIGTERM",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const story = `exit ${code ?? child.signalCode}\n${stdout}${stderr}`;
  return code === CANNOT ? undefined : { code, stdout, story };
}
