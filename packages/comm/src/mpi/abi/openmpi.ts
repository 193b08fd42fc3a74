// Open MPI 4 and 5, and MPIs built from it (IBM Spectrum MPI, HPC-X). Source: mpi.h of Open MPI
// v4.1.6, v5.0.9 and v6.0.x. Handles are the addresses of the library's own global variables.
import type { MpiAbi } from "./abi.js";

export const OPENMPI = {
  handle: "void *",

  COMM_WORLD: "ompi_mpi_comm_world",
  COMM_SELF: "ompi_mpi_comm_self",

  datatypes: {
    Float64Array: "ompi_mpi_double",
    Float32Array: "ompi_mpi_float",
    Int8Array: "ompi_mpi_int8_t",
    Int16Array: "ompi_mpi_int16_t",
    Int32Array: "ompi_mpi_int32_t",
    Uint8Array: "ompi_mpi_uint8_t",
    Uint16Array: "ompi_mpi_uint16_t",
    Uint32Array: "ompi_mpi_uint32_t",
    BigInt64Array: "ompi_mpi_int64_t",
    BigUint64Array: "ompi_mpi_uint64_t",
  },

  ops: {
    sum: "ompi_mpi_op_sum",
    min: "ompi_mpi_op_min",
    max: "ompi_mpi_op_max",
  },

  ERRORS_RETURN: "ompi_mpi_errors_return",

  // MPI_THREAD_SINGLE. From MPI_THREAD_FUNNELED on, Open MPI takes its locks in every call, which
  // costs 0.1 to 0.2 µs in an 8-byte collective. Other threads can cause work without calling MPI,
  // by returning memory to the system. For that, Open MPI uses locks and atomic counters at every
  // level.
  THREAD_LEVEL: 0,

  STATUS_IGNORE: 0,
} as const satisfies MpiAbi;
