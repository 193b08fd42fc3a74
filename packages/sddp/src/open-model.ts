import type { Communicator, SharedMemoryProvider } from "@cobre/comm";
import type { Case } from "@cobre/io";
import { DefinedModel } from "./models/defined-model.js";
import type { MultistageModel } from "./multistage-model.js";
import { shareModel } from "./share-model.js";

/** What can be trained and simulated: a case, or a model that `defineModel` made. */
export type Trainable = Case | DefinedModel;

/** Collective: what the algorithm works with. Close it when it is no longer needed. */
export function openModel<C extends Communicator & SharedMemoryProvider>(
  comm: C,
  source: Trainable,
): MultistageModel {
  return source instanceof DefinedModel ? source.open(comm) : shareModel(comm, source);
}
