import type { Communicator } from "@cobre/comm";
import { FormulatedModel, type ModelParts } from "./formulated-model.js";

/** A model that {@link defineModel} made. It may be trained and simulated any number of times. */
export class DefinedModel {
  readonly stages: number;
  private readonly parts: ModelParts;

  /** @internal */
  constructor(parts: ModelParts) {
    this.parts = parts;
    this.stages = parts.graph.stages;
  }

  /** @internal Collective: the model as the algorithm sees it, which must be the same on all ranks. */
  open(comm: Communicator): FormulatedModel {
    const model = new FormulatedModel(this.parts);
    model.agree(comm);
    return model;
  }
}
