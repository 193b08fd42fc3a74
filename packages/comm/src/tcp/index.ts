export { type TcpBackend, tcp } from "./backend.js";
export { TcpCommunicator } from "./communicator.js";
export type { TcpConfig } from "./config.js";
