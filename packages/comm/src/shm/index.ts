export { type ShmBackend, shm } from "./backend.js";
export { ShmCommunicator } from "./communicator.js";
export type { ShmConfig } from "./config.js";
