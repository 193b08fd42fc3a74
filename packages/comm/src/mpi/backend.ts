import type { Backend, BackendProbe } from "../select/backend.js";
import type { MpiCommunicator } from "./communicator.js";
import { configFromEnvironment, type MpiConfig } from "./config.js";

/** The type of {@link mpi}. */
export type MpiBackend = Backend<"mpi", MpiCommunicator, MpiConfig>;

/**
 * Processes of an MPI job, using whichever MPI library the machine has.
 *
 * @example
 * ```ts
 * import { communicatorFactory } from "@cobre/comm";
 * import { mpi } from "@cobre/comm/mpi";
 *
 * const createCommunicator = communicatorFactory([mpi]); // mpi or local
 * using comm = await createCommunicator();
 * ```
 */
export const mpi: MpiBackend = {
  name: "mpi",
  configure: configFromEnvironment,
  async create(config) {
    const { MpiCommunicator } = await import("./communicator.js");
    return MpiCommunicator.join(config);
  },
  async probe(): Promise<BackendProbe> {
    const { lookForMpi } = await import("./probe.js");
    return lookForMpi();
  },
};
