/** What the compiler knows. A wrong type here fails the build of the tests. */
import assert from "node:assert/strict";
import { it } from "node:test";
import {
  type Communicator,
  communicatorFactory,
  createCommunicator,
  isBackendError,
  isCommError,
  type LocalCommunicator,
  type SharedMemoryProvider,
} from "@cobre/comm";
import type { MpiCommunicator } from "@cobre/comm/mpi";
import { type ShmCommunicator, shm } from "@cobre/comm/shm";
import type { TcpCommunicator } from "@cobre/comm/tcp";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_Statement extends true>(): void {}

it("a factory returns exactly the communicators of its backends", () => {
  const createLocal = communicatorFactory([]);
  const createShm = communicatorFactory([shm]);

  holds<Equal<ReturnType<typeof createLocal>, Promise<LocalCommunicator>>>();
  const local = () => createLocal();
  holds<Equal<ReturnType<typeof local>, Promise<LocalCommunicator>>>();
  const either = () => createShm();
  holds<Equal<ReturnType<typeof either>, Promise<ShmCommunicator | LocalCommunicator>>>();
  const all = () => createCommunicator();
  type All = MpiCommunicator | TcpCommunicator | ShmCommunicator | LocalCommunicator;
  holds<Equal<ReturnType<typeof all>, Promise<All>>>();
});

it("a kind narrows what a factory returns", () => {
  const create = communicatorFactory([shm]);
  const one = () => create({ kind: "local" });
  holds<Equal<ReturnType<typeof one>, Promise<LocalCommunicator>>>();
  const named = () => create({ kind: "shm", config: { name: "/a", rank: 0, size: 1 } });
  holds<Equal<ReturnType<typeof named>, Promise<ShmCommunicator>>>();
  const automatic = () => create({ kind: "auto" });
  holds<Equal<ReturnType<typeof automatic>, Promise<ShmCommunicator | LocalCommunicator>>>();

  const createLocal = communicatorFactory([]);
  // @ts-expect-error a build without shm cannot be asked for it
  () => createLocal({ kind: "shm", config: { name: "/a", rank: 0, size: 1 } });
  // @ts-expect-error shm cannot do without a configuration
  () => create({ kind: "shm" });
});

it("every communicator fits a generic program, and `backend` tells which it is", () => {
  function program<C extends Communicator & SharedMemoryProvider>(comm: C): number {
    return comm.size;
  }
  const use = (comm: ShmCommunicator | LocalCommunicator) => {
    if (comm.backend === "local") holds<Equal<typeof comm, LocalCommunicator>>();
    return program(comm);
  };
  assert.equal(typeof use, "function");
});

it("send and recv are of one type, regions are read-only where they are read", () => {
  const uses = (comm: Communicator & SharedMemoryProvider) => {
    // @ts-expect-error two types
    comm.allreduce(new Float64Array(1), new Int32Array(1), "sum");
    // @ts-expect-error not an array of the ten
    comm.broadcast(new Uint8ClampedArray(1), 0);
    // @ts-expect-error not an operation
    comm.allreduce(new Float64Array(1), new Float64Array(1), "prod");
    const region = comm.createSharedRegion(Float32Array, 3);
    const elements: Float32Array = region.asMutSlice();
    elements[0] = 1;
    // @ts-expect-error a slice to read
    region.asSlice()[0] = 1;
    // @ts-expect-error a slice to read
    region.asSlice().fill(1);
    const value: number | undefined = region.asSlice()[0];
    return value;
  };
  assert.equal(typeof uses, "function");
});

it("an error's kind tells its fields", () => {
  const tell = (error: unknown): string | undefined => {
    if (isCommError(error) && error.kind === "CollectiveFailed") {
      holds<Equal<typeof error.missingRanks, readonly number[]>>();
      return error.operation;
    }
    if (isBackendError(error) && error.kind === "MissingConfiguration") return error.missing[0];
    return undefined;
  };
  assert.equal(tell(new Error("no")), undefined);
});
