// MPICH from 3.1 on and its family: Intel MPI, MVAPICH, Cray MPICH, ParaStation. Source: mpi.h of
// MPICH v3.4.3, v4.0.3, v4.3.2 and v5.0.1. Handles are numbers; those of types contain the size.
import type { MpiAbi } from "./abi.js";

export const MPICH = {
  handle: "int",

  COMM_WORLD: 0x44000000,
  COMM_SELF: 0x44000001,

  datatypes: {
    Float64Array: 0x4c00080b,
    Float32Array: 0x4c00040a,
    Int8Array: 0x4c000137,
    Int16Array: 0x4c000238,
    Int32Array: 0x4c000439,
    Uint8Array: 0x4c00013b,
    Uint16Array: 0x4c00023c,
    Uint32Array: 0x4c00043d,
    BigInt64Array: 0x4c00083a,
    BigUint64Array: 0x4c00083e,
  },

  ops: {
    sum: 0x58000003,
    min: 0x58000002,
    max: 0x58000001,
  },

  ERRORS_RETURN: 0x54000001,

  THREAD_LEVEL: 1, // MPI_THREAD_FUNNELED

  STATUS_IGNORE: 1,
} as const satisfies MpiAbi;
