export { type MpiBackend, mpi } from "./backend.js";
export { MpiCommunicator } from "./communicator.js";
export type { MpiConfig } from "./config.js";
