import { BackendNotAvailable } from "../errors/backend-error.js";
import type { Backend, BackendProbe } from "../select/backend.js";
import type { TcpCommunicator } from "./communicator.js";
import { configFromEnvironment, type TcpConfig } from "./config.js";

/** The type of {@link tcp}. */
export type TcpBackend = Backend<"tcp", TcpCommunicator, TcpConfig>;

/** Processes on one machine or many, over sockets, with rank 0 as their coordinator. */
export const tcp: TcpBackend = {
  name: "tcp",
  configure: configFromEnvironment,
  async create(config) {
    const obstacle = platformObstacle();
    if (obstacle !== undefined) throw new BackendNotAvailable("tcp", ["local"], obstacle);
    const { TcpCommunicator } = await import("./communicator.js");
    return TcpCommunicator.join(config);
  },
  probe,
};

/** Why this platform cannot run it, or `undefined`. */
function platformObstacle(): string | undefined {
  const { platform } = process;
  if (platform === "linux") return undefined;
  return `it knows the socket interface of Linux, and this is ${platform}.`;
}

async function probe(): Promise<BackendProbe> {
  const obstacle = platformObstacle();
  if (obstacle !== undefined) return { usable: false, details: obstacle };
  const { tryListening } = await import("./probe.js");
  return tryListening();
}
