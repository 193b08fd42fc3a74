import type { Backend, BackendProbe } from "../select/backend.js";
import type { TcpCommunicator } from "./communicator.js";
import { configFromEnvironment, type TcpConfig } from "./config.js";

/** The type of {@link tcp}. */
export type TcpBackend = Backend<"tcp", TcpCommunicator, TcpConfig>;

/** Processes on one or many machines, connected by sockets, with rank 0 as their coordinator. */
export const tcp: TcpBackend = {
  name: "tcp",
  configure: configFromEnvironment,
  obstacle: platformObstacle,
  async create(config) {
    const { TcpCommunicator } = await import("./communicator.js");
    return TcpCommunicator.join(config);
  },
  probe,
};

/** Why this platform cannot run the backend, or `undefined`. */
function platformObstacle(): string | undefined {
  const { platform } = process;
  if (platform === "linux") return undefined;
  return `it uses the socket interface of Linux, and this is ${platform}.`;
}

async function probe(): Promise<BackendProbe> {
  const obstacle = platformObstacle();
  if (obstacle !== undefined) return { usable: false, details: obstacle };
  const { tryListening } = await import("./probe.js");
  return tryListening();
}
