/** What tests and benchmarks need beyond the public API. The package does not export it. */
export {
  ARRAY_TYPES,
  type ArrayType,
  type ArrayTypeName,
  arrayTypeOf,
  arrayTypeOfConstructor,
  copyElements,
  REDUCE_OPS,
} from "./arrays.js";
export { blockStart, REMEMBERED_BYTES } from "./blocks.js";
export { CallChecks } from "./checks/calls.js";
export { checkPieces } from "./checks/pieces.js";
export { checkRegionRequest } from "./checks/region.js";
export { loadKoffi } from "./ffi/koffi.js";
export { Sockets } from "./ffi/sockets.js";
export { fold, foldInKernel, foldInLoop } from "./fold/fold.js";
export { foldLoop } from "./fold/rule.js";
export { FoldScratch } from "./fold/scratch.js";
export { ABORT } from "./group/abort.js";
export { Deadline } from "./group/deadline.js";
export {
  CALLS,
  describeCall,
  encodeCall,
  hashCounts,
  operationOf,
  stir,
} from "./group/fingerprint.js";
export { DEFAULT_BIND, planBinding, wishedBind } from "./launch/binding.js";
export { cLibraryVariables, HUGE_PAGES } from "./launch/c-library.js";
export { bindingArguments } from "./launch/mpi/binding.js";
export { type LaunchPlan, parseLaunchBackend, planLaunch } from "./launch/plan.js";
export { loadSystem } from "./memory/load-system.js";
export { mapRegionFile } from "./memory/region-file.js";
export { equalPart } from "./memory/reserve-pages.js";
export { CoreKeeper } from "./processors/core-keeper.js";
export { decide } from "./processors/moving.js";
export { divide } from "./processors/placement.js";
export { parseStat, parseStatus } from "./processors/processes.js";
export {
  areEqual,
  formatProcessors,
  hasProcessorEach,
  parseProcessors,
} from "./processors/processor-set.js";
export { Scheduler } from "./processors/scheduler.js";
export { type ReadSystemFile, readTopology } from "./processors/topology.js";
export { ALL_BACKENDS } from "./select/all.js";
export { chooseAutomatically, chooseByEnvironment } from "./select/choose.js";
export { MPI_LAUNCH_VARIABLES } from "./select/triggers.js";
export {
  configFromEnvironment as shmConfigFromEnvironment,
  configFromProgram as shmConfigFromProgram,
} from "./shm/config.js";
export * as shmLayout from "./shm/layout.js";
export { firstPod, firstSlurmNode, placeFromCluster } from "./tcp/cluster.js";
export { configFromProgram as tcpConfigFromProgram } from "./tcp/config.js";
export { decodeRoster, encodeRefusal, printable, type Roster } from "./tcp/handshake.js";
export { Link } from "./tcp/link.js";
export { linkUpwards } from "./tcp/mesh.js";
export { meshSecret } from "./tcp/proof.js";
export { Cursor, type Span, spanOf } from "./tcp/spans.js";
export * as wire from "./tcp/wire.js";
