import type { Backend, BackendProbe } from "../select/backend.js";
import type { ShmCommunicator } from "./communicator.js";
import { configFromEnvironment, type ShmConfig } from "./config.js";

/** The type of {@link shm}. */
export type ShmBackend = Backend<"shm", ShmCommunicator, ShmConfig>;

/** Processes on one machine, over POSIX shared memory. */
export const shm: ShmBackend = {
  name: "shm",
  configure: configFromEnvironment,
  obstacle: platformObstacle,
  async create(config) {
    const { ShmCommunicator } = await import("./communicator.js");
    return ShmCommunicator.join(config);
  },
  probe,
};

/** Why this platform cannot run the backend, or `undefined` if it can. */
function platformObstacle(): string | undefined {
  const { platform, arch } = process;
  if (platform !== "linux" && platform !== "darwin") {
    return `it needs Linux or macOS (memory mapped at a given address, locks that end with their process), but this is ${platform}.`;
  }
  if (arch !== "x64" && arch !== "arm64") {
    return `it needs an x64 or arm64 processor, but this is ${arch}.`;
  }
  return undefined;
}

async function probe(): Promise<BackendProbe> {
  const obstacle = platformObstacle();
  if (obstacle !== undefined) return { usable: false, details: obstacle };
  const { trySharing } = await import("./probe.js");
  return trySharing();
}
