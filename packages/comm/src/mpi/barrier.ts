import type { MpiGroup } from "./group.js";

/** `call` is the operation that needs the barrier: a barrier, a fence. */
export function barrier(group: MpiGroup, operation: string, call: number, length: number): void {
  group.open(call, length);
  const code = group.calls.barrier(group.comm);
  if (code !== 0) group.fail(operation, "MPI_Barrier", code);
}
