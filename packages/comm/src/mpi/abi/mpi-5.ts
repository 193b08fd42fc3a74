// The standard ABI 1.0 of MPI-5: libmpi_abi of MPICH from 5.0 on and of Open MPI from 6.0 on.
// Source: the MPI standard, version 5.0, chapter 20. Handles are small numbers passed as pointers.
import type { MpiAbi } from "./abi.js";

export const MPI_5 = {
  handle: "void *",

  COMM_WORLD: 0x101,
  COMM_SELF: 0x102,

  datatypes: {
    Float64Array: 0x214,
    Float32Array: 0x210,
    Int8Array: 0x240,
    Int16Array: 0x248,
    Int32Array: 0x250,
    Uint8Array: 0x241,
    Uint16Array: 0x249,
    Uint32Array: 0x251,
    BigInt64Array: 0x258,
    BigUint64Array: 0x259,
  },

  ops: {
    sum: 0x21,
    min: 0x22,
    max: 0x23,
  },

  ERRORS_RETURN: 0x143,

  THREAD_LEVEL: 1024, // MPI_THREAD_FUNNELED

  STATUS_IGNORE: 0,
} as const satisfies MpiAbi;
