/** The inner door: what the tests, the benchmarks and the command line need beyond the public API. */
export {
  ARRAY_TYPES,
  type ArrayType,
  type ArrayTypeName,
  arrayTypeOf,
  REDUCE_OPS,
} from "./arrays.js";
export { fold, foldInKernel, foldInLoop } from "./fold/fold.js";
export { cLibraryVariables, LARGE_ARRAYS } from "./launch/c-library.js";
export { ALL_BACKENDS } from "./select/all.js";
export { type Choice, chooseAutomatically, chooseByEnvironment } from "./select/choose.js";
export { claimedGroup, MPI_LAUNCH_VARIABLES, PRIORITY, triggerOf } from "./select/triggers.js";
export { firstPod, firstSlurmNode, placeFromCluster } from "./tcp/cluster.js";
