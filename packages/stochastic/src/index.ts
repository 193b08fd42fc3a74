/** What is random: seeds, generators, the opening tree, and the models that turn noise into inflow and load. */
export { AvailabilityModel, type AvailabilityStatistics } from "./availability-model.js";
export {
  Correlation,
  type CorrelationGroup,
  type CorrelationSpec,
} from "./correlation/correlation.js";
export {
  StochasticError,
  type StochasticErrorKind,
  type StochasticErrorPlace,
} from "./errors.js";
export {
  buildInflowModel,
  type InflowAnnualComponent,
  type InflowAutoregression,
  type InflowModelInput,
  type InflowStatistics,
  type StageSeason,
} from "./inflow/build-inflow-model.js";
export { InflowModel, NON_NEGATIVITY, type NonNegativityMethod } from "./inflow/inflow-model.js";
export { withResidualRatios } from "./inflow/residual-ratio.js";
export { LoadModel, type LoadStatistics } from "./load-model.js";
export { type NoiseClass, NoiseLayout } from "./noise-layout.js";
export { standardNormal } from "./random/normal.js";
export { Pcg64 } from "./random/pcg64.js";
export { FIRST_SIMULATED_SCENARIO, Seeds } from "./random/seeds.js";
export { ForwardSampler } from "./tree/forward-sampler.js";
export { type GivenOpenings, useGivenOpenings } from "./tree/given-openings.js";
export { OpeningTree, type TreeStage } from "./tree/opening-tree.js";
export { sampleOpenings } from "./tree/sample-openings.js";
