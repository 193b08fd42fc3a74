export { type LocalBackend, local } from "./backend.js";
export { LocalCommunicator } from "./communicator.js";
