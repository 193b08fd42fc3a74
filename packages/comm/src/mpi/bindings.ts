/**
 * The MPI functions that this backend calls, bound to the loaded library. Each follows its C
 * signature. `H` in a parameter list stands for the ABI's handle type.
 *
 * The caller's arrays are passed as they are: the foreign-function library passes their address for
 * the duration of the call. Our own memory never moves, so its address is passed instead, which
 * costs less.
 */
import type { LibraryHandle } from "koffi";
import { ARRAY_TYPES, type ArrayTypeName, type CommArray, type ReduceOp } from "../arrays.js";
import type { MpiAbi, PredefinedHandle } from "./abi/abi.js";
import { MPI_5 } from "./abi/mpi-5.js";
import { MPICH } from "./abi/mpich.js";
import { OPENMPI } from "./abi/openmpi.js";
import type { MpiLibrary } from "./library/library.js";
import { hasSymbol } from "./library/library.js";

const ABIS: Readonly<Record<MpiLibrary["abi"], MpiAbi>> = {
  openmpi: OPENMPI,
  mpich: MPICH,
  "mpi-5": MPI_5,
};

/**
 * A handle of the loaded library: a communicator, a type, an operation. A pointer is kept as a
 * `bigint`, the fastest form to pass.
 */
export type Handle = number | bigint;

/** An address in memory that does not move. */
export type Address = bigint;

/** What a collective works on: an array, or an address. */
export type Memory = CommArray | Address;

/** What an MPI function returns: 0, or a code that {@link MpiBindings.errorString} explains. */
export type ErrorCode = number;

/** The constants of the loaded library, as handles to pass. */
export interface MpiConstants {
  readonly world: Handle;
  readonly self: Handle;
  /** Indexed by the code of the array type. */
  readonly datatypes: readonly Handle[];
  readonly ops: Readonly<Record<ReduceOp, Handle>>;
  readonly errorsReturn: Handle;
  readonly threadLevel: number;
  readonly statusIgnore: Address;
}

export type MpiBindings = ReturnType<typeof bindMpi>;

/** The constants of `library`. Throws if one is missing. */
export function resolveConstants(library: MpiLibrary): MpiConstants {
  const abi = ABIS[library.abi];
  const resolve = (handle: PredefinedHandle): Handle =>
    typeof handle === "string"
      ? library.handle.symbol(handle)
      : abi.handle === "int"
        ? handle
        : BigInt(handle);
  const datatypes: Handle[] = [];
  for (const [name, handle] of Object.entries(abi.datatypes)) {
    datatypes[ARRAY_TYPES[name as ArrayTypeName].code] = resolve(handle);
  }
  return {
    world: resolve(abi.COMM_WORLD),
    self: resolve(abi.COMM_SELF),
    datatypes,
    ops: {
      sum: resolve(abi.ops.sum),
      min: resolve(abi.ops.min),
      max: resolve(abi.ops.max),
    },
    errorsReturn: resolve(abi.ERRORS_RETURN),
    threadLevel: abi.THREAD_LEVEL,
    statusIgnore: BigInt(abi.STATUS_IGNORE),
  };
}

/** An array that receives one handle, and a function that reads it. */
export function handleCell(library: MpiLibrary): { array: Int32Array; read(): Handle } {
  const words = new Int32Array(new ArrayBuffer(8));
  const wide = new BigUint64Array(words.buffer);
  const isInt = ABIS[library.abi].handle === "int";
  return { array: words, read: () => (isInt ? (words[0] as number) : (wide[0] as bigint)) };
}

export function bindMpi(library: MpiLibrary) {
  const { handle: lib, abi } = library;
  const H = ABIS[abi].handle;
  const bind = binder(lib, H);
  return {
    // int MPI_Initialized(int *flag)
    initialized: bind<(flag: Int32Array) => ErrorCode>("MPI_Initialized", "void *"),
    // int MPI_Finalized(int *flag)
    finalized: bind<(flag: Int32Array) => ErrorCode>("MPI_Finalized", "void *"),
    // int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
    initThread: bind<(argc: null, argv: null, required: number, provided: Int32Array) => ErrorCode>(
      "MPI_Init_thread",
      "void *, void *, int, void *",
    ),
    // int MPI_Finalize(void)
    finalize: bind<() => ErrorCode>("MPI_Finalize", ""),
    // int MPI_Abort(MPI_Comm comm, int errorcode)
    abort: bind<(comm: Handle, code: number) => ErrorCode>("MPI_Abort", "H, int"),
    // int MPI_Error_class(int errorcode, int *errorclass)
    errorClass: bind<(code: ErrorCode, errorClass: Int32Array) => ErrorCode>(
      "MPI_Error_class",
      "int, void *",
    ),
    // int MPI_Error_string(int errorcode, char *string, int *resultlen)
    errorString: bind<(code: ErrorCode, text: Uint8Array, length: Int32Array) => ErrorCode>(
      "MPI_Error_string",
      "int, void *, void *",
    ),
    // int MPI_Type_size(MPI_Datatype datatype, int *size)
    typeSize: bind<(type: Handle, size: Int32Array) => ErrorCode>("MPI_Type_size", "H, void *"),

    // int MPI_Comm_rank(MPI_Comm comm, int *rank)
    commRank: bind<(comm: Handle, rank: Int32Array) => ErrorCode>("MPI_Comm_rank", "H, void *"),
    // int MPI_Comm_size(MPI_Comm comm, int *size)
    commSize: bind<(comm: Handle, size: Int32Array) => ErrorCode>("MPI_Comm_size", "H, void *"),
    // int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
    commSetErrhandler: bind<(comm: Handle, handler: Handle) => ErrorCode>(
      "MPI_Comm_set_errhandler",
      "H, H",
    ),
    // int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
    commDup: bind<(comm: Handle, made: Int32Array) => ErrorCode>("MPI_Comm_dup", "H, void *"),
    // int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
    commSplit: bind<(comm: Handle, color: number, key: number, made: Int32Array) => ErrorCode>(
      "MPI_Comm_split",
      "H, int, int, void *",
    ),

    // int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
    test: bind<(request: Address, flag: Address, status: Address) => ErrorCode>(
      "MPI_Test",
      "void *, void *, void *",
    ),
    blocking: bindBlocking(bind),
    nonblocking: bindNonblocking(bind),
    large: hasSymbol(lib, "MPI_Allgatherv_c") ? bindLarge(bind) : undefined,
  };
}

/** The collectives, with one signature for the blocking and the polled form. */
export interface Collectives {
  barrier(comm: Handle): ErrorCode;
  broadcast(buf: Memory, count: number, type: Handle, root: number, comm: Handle): ErrorCode;
  /** Receives into our own memory. */
  allgather(
    send: Memory,
    count: number,
    type: Handle,
    recv: Address,
    recvCount: number,
    recvType: Handle,
    comm: Handle,
  ): ErrorCode;
  allgatherv(
    send: Memory,
    count: number,
    type: Handle,
    recv: Memory,
    counts: Address,
    displs: Address,
    recvType: Handle,
    comm: Handle,
  ): ErrorCode;
  /** From the caller's memory into our own. */
  alltoallv(
    send: Memory,
    sendCounts: Address,
    sendDispls: Address,
    type: Handle,
    recv: Address,
    recvCounts: Address,
    recvDispls: Address,
    recvType: Handle,
    comm: Handle,
  ): ErrorCode;
  allreduce(
    send: Memory,
    recv: Memory,
    count: number,
    type: Handle,
    op: Handle,
    comm: Handle,
  ): ErrorCode;
}

/** The same call with one more argument: where to write the request. */
type Nonblocking<Call> = Call extends (...args: infer Args) => ErrorCode
  ? (...args: [...Args, request: Address]) => ErrorCode
  : never;

type NonblockingCollectives = {
  readonly [Name in keyof Collectives]: Nonblocking<Collectives[Name]>;
};

const BARRIER = "H";
const BROADCAST = "void *, int, H, int, H";
const ALLGATHER = "void *, int, H, void *, int, H, H";
const ALLGATHERV = "void *, int, H, void *, void *, void *, H, H";
const ALLTOALLV = "void *, void *, void *, H, void *, void *, void *, H, H";
const ALLREDUCE = "void *, void *, int, H, H, H";

/** The parameters of the nonblocking form. */
function I(parameters: string): string {
  return `${parameters}, void *`;
}

type Bind = <Call>(symbol: string, parameters: string) => Call;

function binder(lib: LibraryHandle, handleType: string): Bind {
  return <Call>(symbol: string, parameters: string) => {
    const types = parameters === "" ? [] : parameters.split(", ");
    const signature = types.map((type) => (type === "H" ? handleType : type));
    return lib.func(symbol, "int", signature) as Call;
  };
}

function bindBlocking(bind: Bind): Collectives {
  return {
    // int MPI_Barrier(MPI_Comm comm)
    barrier: bind("MPI_Barrier", BARRIER),
    // int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
    broadcast: bind("MPI_Bcast", BROADCAST),
    // int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
    allgather: bind("MPI_Allgather", ALLGATHER),
    // int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
    allgatherv: bind("MPI_Allgatherv", ALLGATHERV),
    // int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
    alltoallv: bind("MPI_Alltoallv", ALLTOALLV),
    // int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
    allreduce: bind("MPI_Allreduce", ALLREDUCE),
  };
}

/** As above, each with `MPI_Request *request` as its last parameter. */
function bindNonblocking(bind: Bind): NonblockingCollectives {
  return {
    barrier: bind("MPI_Ibarrier", I(BARRIER)),
    broadcast: bind("MPI_Ibcast", I(BROADCAST)),
    allgather: bind("MPI_Iallgather", I(ALLGATHER)),
    allgatherv: bind("MPI_Iallgatherv", I(ALLGATHERV)),
    alltoallv: bind("MPI_Ialltoallv", I(ALLTOALLV)),
    allreduce: bind("MPI_Iallreduce", I(ALLREDUCE)),
  };
}

/**
 * The MPI-4 functions for counts of 2^31 and more. MPI_Count and MPI_Aint have 64 bits in all ABIs.
 */
function bindLarge(bind: Bind) {
  return {
    // int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm)
    broadcast: bind<Collectives["broadcast"]>("MPI_Bcast_c", "void *, int64_t, H, int, H"),
    // int MPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm)
    allgatherv: bind<
      (
        send: CommArray,
        count: number,
        type: Handle,
        recv: CommArray,
        counts: BigInt64Array,
        displs: BigInt64Array,
        recvType: Handle,
        comm: Handle,
      ) => ErrorCode
    >("MPI_Allgatherv_c", "void *, int64_t, H, void *, void *, void *, H, H"),
    // int MPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
    allreduce: bind<Collectives["allreduce"]>(
      "MPI_Allreduce_c",
      "void *, void *, int64_t, H, H, H",
    ),
  };
}
