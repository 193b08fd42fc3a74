import { local } from "../local/backend.js";
import { mpi } from "../mpi/backend.js";
import { shm } from "../shm/backend.js";
import { tcp } from "../tcp/backend.js";
import type { Backend } from "./backend.js";
import { communicatorFactory } from "./factory.js";

/** Every backend there is. Each loads its implementation only when it is chosen. */
export const ALL_BACKENDS = [mpi, tcp, shm, local] as const satisfies readonly Backend[];

/**
 * Joins the group that this process belongs to. `COBRE_COMM_BACKEND` chooses the backend, or else the
 * variables of the launcher. A process that was started alone is a group of one. Use
 * {@link communicatorFactory} for a build with fewer backends.
 *
 * @example
 * ```ts
 * import { createCommunicator } from "@cobre/comm";
 *
 * using comm = await createCommunicator();
 * console.log(`rank ${comm.rank} of ${comm.size} on ${comm.backend}`);
 * ```
 */
export const createCommunicator = /* @__PURE__ */ communicatorFactory(ALL_BACKENDS);
