import type { LibraryHandle } from "koffi";
import type { HighsFunctions } from "../functions.js";
import type { Arena } from "./arena.js";

/**
 * The functions of a native library, for addresses in the arena, which begins at `base`. All pointers are integers: the arrays they
 * point to are in the arena, so nothing has to be copied or checked for a call. Throws if the library has not all of them.
 */
export function bindHighs(library: LibraryHandle, arena: Arena, base: number): HighsFunctions {
  const create = library.func("intptr_t Highs_create()");
  const destroy = library.func("void Highs_destroy(intptr_t highs)");
  const passLp = library.func(
    "int Highs_passLp(intptr_t highs, int num_col, int num_row, int num_nz, int a_format, int sense, double offset, intptr_t col_cost, intptr_t col_lower, intptr_t col_upper, intptr_t row_lower, intptr_t row_upper, intptr_t a_start, intptr_t a_index, intptr_t a_value)",
  );
  const getLp = library.func(
    "int Highs_getLp(intptr_t highs, int a_format, intptr_t num_col, intptr_t num_row, intptr_t num_nz, intptr_t sense, intptr_t offset, intptr_t col_cost, intptr_t col_lower, intptr_t col_upper, intptr_t row_lower, intptr_t row_upper, intptr_t a_start, intptr_t a_index, intptr_t a_value, intptr_t integrality)",
  );
  const getNumNz = library.func("int Highs_getNumNz(intptr_t highs)");
  const changeRowsBounds = library.func(
    "int Highs_changeRowsBoundsByRange(intptr_t highs, int from_row, int to_row, intptr_t lower, intptr_t upper)",
  );
  const changeColsBounds = library.func(
    "int Highs_changeColsBoundsByRange(intptr_t highs, int from_col, int to_col, intptr_t lower, intptr_t upper)",
  );
  const changeColsCost = library.func(
    "int Highs_changeColsCostByRange(intptr_t highs, int from_col, int to_col, intptr_t cost)",
  );
  const addRows = library.func(
    "int Highs_addRows(intptr_t highs, int num_new_row, intptr_t lower, intptr_t upper, int num_new_nz, intptr_t starts, intptr_t index, intptr_t value)",
  );
  const deleteRows = library.func(
    "int Highs_deleteRowsBySet(intptr_t highs, int num_set_entries, intptr_t set)",
  );
  const clearSolver = library.func("int Highs_clearSolver(intptr_t highs)");
  const setBasis = library.func(
    "int Highs_setBasis(intptr_t highs, intptr_t col_status, intptr_t row_status)",
  );
  const getBasis = library.func(
    "int Highs_getBasis(intptr_t highs, intptr_t col_status, intptr_t row_status)",
  );
  const run = library.func("int Highs_run(intptr_t highs)");
  const getModelStatus = library.func("int Highs_getModelStatus(intptr_t highs)");
  const getObjectiveValue = library.func("double Highs_getObjectiveValue(intptr_t highs)");
  const getSolution = library.func(
    "int Highs_getSolution(intptr_t highs, intptr_t col_value, intptr_t col_dual, intptr_t row_value, intptr_t row_dual)",
  );
  const getIntInfo = library.func(
    "int Highs_getIntInfoValue(intptr_t highs, intptr_t info, intptr_t value)",
  );
  const setBool = library.func(
    "int Highs_setBoolOptionValue(intptr_t highs, intptr_t option, int value)",
  );
  const setInt = library.func(
    "int Highs_setIntOptionValue(intptr_t highs, intptr_t option, int value)",
  );
  const setDouble = library.func(
    "int Highs_setDoubleOptionValue(intptr_t highs, intptr_t option, double value)",
  );
  const setString = library.func(
    "int Highs_setStringOptionValue(intptr_t highs, intptr_t option, intptr_t value)",
  );
  /** An array that is not wanted has the address 0. */
  const at = (address: number) => (address === 0 ? 0 : base + address);
  return {
    _malloc: (bytes) => arena.allocate(bytes),
    _free: (address) => arena.release(address),
    _Highs_create: () => create(),
    _Highs_destroy: (highs) => destroy(highs),
    _Highs_passLp: (highs, columns, rows, entries, format, sense, offset, a, b, c, d, e, f, g, h) =>
      passLp(
        highs,
        columns,
        rows,
        entries,
        format,
        sense,
        offset,
        base + a,
        base + b,
        base + c,
        base + d,
        base + e,
        base + f,
        base + g,
        base + h,
      ),
    _Highs_getLp: (highs, format, ...addresses) =>
      getLp(highs, format, ...addresses.map((address) => base + address)),
    _Highs_getNumNz: (highs) => getNumNz(highs),
    _Highs_changeRowsBoundsByRange: (highs, from, to, lower, upper) =>
      changeRowsBounds(highs, from, to, base + lower, base + upper),
    _Highs_changeColsBoundsByRange: (highs, from, to, lower, upper) =>
      changeColsBounds(highs, from, to, base + lower, base + upper),
    _Highs_changeColsCostByRange: (highs, from, to, cost) =>
      changeColsCost(highs, from, to, base + cost),
    _Highs_addRows: (highs, count, lower, upper, entries, starts, indices, values) =>
      addRows(
        highs,
        count,
        base + lower,
        base + upper,
        entries,
        base + starts,
        base + indices,
        base + values,
      ),
    _Highs_deleteRowsBySet: (highs, count, set) => deleteRows(highs, count, base + set),
    _Highs_clearSolver: (highs) => clearSolver(highs),
    _Highs_setBasis: (highs, columns, rows) => setBasis(highs, base + columns, base + rows),
    _Highs_getBasis: (highs, columns, rows) => getBasis(highs, base + columns, base + rows),
    _Highs_run: (highs) => run(highs),
    _Highs_getModelStatus: (highs) => getModelStatus(highs),
    _Highs_getObjectiveValue: (highs) => getObjectiveValue(highs),
    _Highs_getSolution: (highs, columnValue, columnDual, rowValue, rowDual) =>
      getSolution(highs, at(columnValue), at(columnDual), at(rowValue), at(rowDual)),
    _Highs_getIntInfoValue: (highs, name, value) => getIntInfo(highs, base + name, base + value),
    _Highs_setBoolOptionValue: (highs, name, value) => setBool(highs, base + name, value),
    _Highs_setIntOptionValue: (highs, name, value) => setInt(highs, base + name, value),
    _Highs_setDoubleOptionValue: (highs, name, value) => setDouble(highs, base + name, value),
    _Highs_setStringOptionValue: (highs, name, value) =>
      setString(highs, base + name, base + value),
  };
}
