import type { ArrayTypeName, ReduceOp } from "../../arrays.js";

/**
 * A predefined handle: its value, or the name of the library's global variable whose address it is.
 */
export type PredefinedHandle = number | string;

/**
 * What differs between the binary interfaces of MPI: what a header would tell a compiler, as far as
 * this backend uses it. The files beside this one have the same keys in the same order, so a diff
 * of two files is the difference of two ABIs.
 */
export interface MpiAbi {
  /** The C type of a handle, by the foreign-function library's name for it. */
  readonly handle: "int" | "void *";

  readonly COMM_WORLD: PredefinedHandle;
  readonly COMM_SELF: PredefinedHandle;

  readonly datatypes: Readonly<Record<ArrayTypeName, PredefinedHandle>>;

  readonly ops: Readonly<Record<ReduceOp, PredefinedHandle>>;

  readonly ERRORS_RETURN: PredefinedHandle;

  /**
   * The thread level to request from `MPI_Init_thread`. Only one thread of the process calls MPI,
   * which is FUNNELED. A lower level is requested where FUNNELED costs time and the lower level is
   * enough.
   */
  readonly THREAD_LEVEL: number;

  /** The address that means "no status wanted". */
  readonly STATUS_IGNORE: number;
}
