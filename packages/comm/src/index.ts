/**
 * Collective communication: the contract, its errors, and the functions that create a communicator.
 */
export type { CommArray, CommArrayConstructor, ReduceOp } from "./arrays.js";
export type {
  BackendName,
  CallStatistics,
  Collective,
  CommDescription,
  CommStatistics,
  Communicator,
  ReadonlySlice,
  SharedMemoryProvider,
  SharedRegion,
} from "./communicator.js";
export {
  type AnyBackendError,
  BackendError,
  type BackendErrorKind,
  BackendNotAvailable,
  InitializationFailed,
  InvalidBackend,
  InvalidConfiguration,
  isBackendError,
  MissingConfiguration,
} from "./errors/backend-error.js";
export {
  AllocationFailed,
  type AnyCommError,
  CollectiveFailed,
  CommError,
  type CommErrorKind,
  InvalidArgument,
  InvalidBufferSize,
  InvalidCommunicator,
  InvalidRoot,
  isCommError,
} from "./errors/comm-error.js";
export { LocalCommunicator } from "./local/communicator.js";
export { createCommunicator } from "./select/all.js";
export type { Backend, BackendProbe, Environment } from "./select/backend.js";
export {
  type BackendKind,
  type CommunicatorOf,
  type CreateCommunicator,
  communicatorFactory,
} from "./select/factory.js";
