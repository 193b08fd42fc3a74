import type { Backend } from "../select/backend.js";
import { LocalCommunicator } from "./communicator.js";

/** The type of {@link local}. */
export type LocalBackend = Backend<"local", LocalCommunicator, Record<never, never>>;

/** One process, with nothing to configure. It is in every build. */
export const local: LocalBackend = {
  name: "local",
  configure: () => ({}),
  create: async () => new LocalCommunicator(),
  probe: async () => ({ usable: true, details: "one process, always available" }),
};
