/** A rank of a fault test: plays its part in a scenario and says how it ended. */
import { setTimeout as sleep } from "node:timers/promises";
import { CommError, type Communicator, createCommunicator, InvalidCommunicator } from "@cobre/comm";
import { loop } from "./loop.js";
import { MISMATCHES } from "./mismatches.js";
import type { Said, Scenario } from "./scenario.js";

const scenario = JSON.parse(process.argv[2] as string) as Scenario;

function say(line: Said): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const comm = await createCommunicator();
const isLast = comm.rank === comm.size - 1;

try {
  await play();
  say({ said: "done" });
} catch (error) {
  say(failureOf(comm, error));
}

function failureOf(communicator: Communicator, error: unknown): Extract<Said, { said: "failed" }> {
  if (!(error instanceof CommError)) throw error;
  return { said: "failed", error: error.toJSON(), at: Date.now(), next: whatFollows(communicator) };
}

async function play(): Promise<void> {
  switch (scenario.kind) {
    case "loop":
      return loop(comm, scenario, () => say({ said: "ready" }));
    case "mismatch":
      comm.barrier();
      return MISMATCHES[scenario.name]?.(comm);
    case "mismatches":
      return playMismatches(scenario.ports);
    case "ending":
      return end(scenario.how);
    case "late": {
      comm.barrier();
      if (isLast) await sleep(scenario.milliseconds);
      const sum = new Float64Array(1);
      comm.allreduce(Float64Array.of(1), sum, "sum");
      if (sum[0] !== comm.size) say({ said: "wrong", detail: String(sum[0]) });
    }
  }
}

async function playMismatches(ports: readonly number[]): Promise<void> {
  for (const [i, [mismatch, call]] of Object.entries(MISMATCHES).entries()) {
    const another = await createCommunicator(anotherGroup(i, ports));
    try {
      another.barrier();
      call(another);
    } catch (error) {
      say({ ...failureOf(another, error), mismatch });
    }
    another.close();
  }
}

/** The settings of a group of the same ranks beside the one that the environment describes. */
function anotherGroup(
  i: number,
  ports: readonly number[],
): Parameters<typeof createCommunicator>[0] {
  const { rank, size } = comm;
  const { COBRE_SHM_NAME: name, COBRE_SHM_TIMEOUT_SECS: seconds } = process.env;
  const common = { rank, size, timeoutSecs: Number(seconds) };
  if (comm.backend === "shm") return { kind: "shm", config: { ...common, name: `${name}-${i}` } };
  const loopback = "127.0.0.1";
  const where = rank === 0 ? { bindAddress: loopback } : { coordinator: loopback };
  return { kind: "tcp", config: { ...common, ...where, port: ports[i] as number } };
}

async function end(how: "throw" | "reject" | "exit" | "close" | "finish"): Promise<void> {
  comm.barrier();
  if (!isLast) return comm.barrier();
  if (how === "throw") throw new TypeError("a mistake in the program");
  if (how === "reject") void Promise.reject(new TypeError("a mistake in the program"));
  if (how === "exit") process.exit(3);
  if (how === "close") comm.close();
  await sleep(how === "finish" ? 0 : 50);
}

/** A broken communicator stays broken: what the next call says. */
function whatFollows(communicator: Communicator): string {
  try {
    communicator.barrier();
    return "nothing";
  } catch (error) {
    return error instanceof InvalidCommunicator ? `${error.kind} ${error.state}` : String(error);
  }
}
