import { BackendNotAvailable } from "../errors/backend-error.js";
import type { Backend, BackendProbe } from "../select/backend.js";
import type { ShmCommunicator } from "./communicator.js";
import { configFromEnvironment, type ShmConfig } from "./config.js";

/** The type of {@link shm}. */
export type ShmBackend = Backend<"shm", ShmCommunicator, ShmConfig>;

/** Processes of one machine, over POSIX shared memory. */
export const shm: ShmBackend = {
  name: "shm",
  configure: configFromEnvironment,
  async create(config) {
    const obstacle = platformObstacle();
    if (obstacle !== undefined) throw new BackendNotAvailable("shm", ["local"], obstacle);
    const { ShmCommunicator } = await import("./communicator.js");
    return ShmCommunicator.join(config);
  },
  probe,
};

/** Why this platform cannot run it, or `undefined`. */
function platformObstacle(): string | undefined {
  const { platform, arch } = process;
  if (platform !== "linux" && platform !== "darwin") {
    return `it needs Linux or macOS, where memory can be mapped in a given place and a lock ends with its process, and this is ${platform}.`;
  }
  if (arch !== "x64" && arch !== "arm64") {
    return `it knows the system calls of x64 and arm64, and this is ${arch}.`;
  }
  return undefined;
}

async function probe(): Promise<BackendProbe> {
  const obstacle = platformObstacle();
  if (obstacle !== undefined) return { usable: false, details: obstacle };
  const { trySharing } = await import("./probe.js");
  return trySharing();
}
