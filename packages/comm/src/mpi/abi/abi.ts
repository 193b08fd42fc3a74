import type { ArrayTypeName, ReduceOp } from "../../arrays.js";

/**
 * A predefined handle: its value, or the name of the library's global whose address it is.
 */
export type PredefinedHandle = number | string;

/**
 * What differs between the binary interfaces of MPI: what a header would tell a compiler. Only what
 * this backend uses. The files beside this one have the same keys in the same order, so that a diff
 * of two is the difference of two ABIs.
 */
export interface MpiAbi {
  /** The C type of a handle, as the foreign-function library calls it. */
  readonly handle: "int" | "void *";

  readonly COMM_WORLD: PredefinedHandle;
  readonly COMM_SELF: PredefinedHandle;

  readonly datatypes: Readonly<Record<ArrayTypeName, PredefinedHandle>>;

  readonly ops: Readonly<Record<ReduceOp, PredefinedHandle>>;

  readonly ERRORS_RETURN: PredefinedHandle;

  readonly INFO_NULL: PredefinedHandle;

  /**
   * What `MPI_Init_thread` is asked for. One thread of the process calls MPI, its others never do: FUNNELED, or less where that
   * costs something and less is enough.
   */
  readonly THREAD_LEVEL: number;

  /** An address that stands for "no status wanted". */
  readonly STATUS_IGNORE: number;
}
