/**
 * The C functions of HiGHS that we call, each below its signature. `H` is the `void*` of an instance. The other pointers are addresses in the
 * memory that the library shares with JavaScript.
 */
export interface HighsFunctions {
  /** `void* Highs_create(void)` */
  _Highs_create(): number;
  /** `void Highs_destroy(void* H)` */
  _Highs_destroy(highs: number): void;
  /** `HighsInt Highs_passLp(void* H, num_col, num_row, num_nz, a_format, sense, double offset, const double* col_cost, col_lower, col_upper, row_lower, row_upper, const HighsInt* a_start, a_index, const double* a_value)` */
  _Highs_passLp(
    highs: number,
    columns: number,
    rows: number,
    entries: number,
    format: number,
    sense: number,
    offset: number,
    cost: number,
    columnLower: number,
    columnUpper: number,
    rowLower: number,
    rowUpper: number,
    starts: number,
    indices: number,
    values: number,
  ): number;
  /** `HighsInt Highs_getLp(const void* H, a_format, HighsInt* num_col, num_row, num_nz, sense, double* offset, col_cost, col_lower, col_upper, row_lower, row_upper, HighsInt* a_start, a_index, double* a_value, HighsInt* integrality)` */
  _Highs_getLp(
    highs: number,
    format: number,
    columns: number,
    rows: number,
    entries: number,
    sense: number,
    offset: number,
    cost: number,
    columnLower: number,
    columnUpper: number,
    rowLower: number,
    rowUpper: number,
    starts: number,
    indices: number,
    values: number,
    integrality: number,
  ): number;
  /** `HighsInt Highs_getNumNz(const void* H)` */
  _Highs_getNumNz(highs: number): number;
  /** `HighsInt Highs_changeRowsBoundsByRange(void* H, from_row, to_row, const double* lower, upper)` */
  _Highs_changeRowsBoundsByRange(
    highs: number,
    from: number,
    to: number,
    lower: number,
    upper: number,
  ): number;
  /** `HighsInt Highs_changeColsBoundsByRange(void* H, from_col, to_col, const double* lower, upper)` */
  _Highs_changeColsBoundsByRange(
    highs: number,
    from: number,
    to: number,
    lower: number,
    upper: number,
  ): number;
  /** `HighsInt Highs_changeColsCostByRange(void* H, from_col, to_col, const double* cost)` */
  _Highs_changeColsCostByRange(highs: number, from: number, to: number, cost: number): number;
  /** `HighsInt Highs_addRows(void* H, num_new_row, const double* lower, upper, num_new_nz, const HighsInt* starts, index, const double* value)` */
  _Highs_addRows(
    highs: number,
    count: number,
    lower: number,
    upper: number,
    entries: number,
    starts: number,
    indices: number,
    values: number,
  ): number;
  /** `HighsInt Highs_deleteRowsBySet(void* H, num_set_entries, const HighsInt* set)` */
  _Highs_deleteRowsBySet(highs: number, count: number, set: number): number;
  /** `HighsInt Highs_clearSolver(void* H)` */
  _Highs_clearSolver(highs: number): number;
  /** `HighsInt Highs_setBasis(void* H, const HighsInt* col_status, row_status)` */
  _Highs_setBasis(highs: number, columns: number, rows: number): number;
  /** `HighsInt Highs_getBasis(const void* H, HighsInt* col_status, row_status)` */
  _Highs_getBasis(highs: number, columns: number, rows: number): number;
  /** `HighsInt Highs_run(void* H)` */
  _Highs_run(highs: number): number;
  /** `HighsInt Highs_getModelStatus(const void* H)` */
  _Highs_getModelStatus(highs: number): number;
  /** `double Highs_getObjectiveValue(const void* H)` */
  _Highs_getObjectiveValue(highs: number): number;
  /** `HighsInt Highs_getSolution(const void* H, double* col_value, col_dual, row_value, row_dual)`; an array whose address is 0 is left out */
  _Highs_getSolution(
    highs: number,
    columnValue: number,
    columnDual: number,
    rowValue: number,
    rowDual: number,
  ): number;
  /** `HighsInt Highs_getIntInfoValue(const void* H, const char* info, HighsInt* value)` */
  _Highs_getIntInfoValue(highs: number, name: number, value: number): number;
  /** `HighsInt Highs_setBoolOptionValue(void* H, const char* option, HighsInt value)` */
  _Highs_setBoolOptionValue(highs: number, name: number, value: number): number;
  /** `HighsInt Highs_setIntOptionValue(void* H, const char* option, HighsInt value)` */
  _Highs_setIntOptionValue(highs: number, name: number, value: number): number;
  /** `HighsInt Highs_setDoubleOptionValue(void* H, const char* option, double value)` */
  _Highs_setDoubleOptionValue(highs: number, name: number, value: number): number;
  /** `HighsInt Highs_setStringOptionValue(void* H, const char* option, const char* value)` */
  _Highs_setStringOptionValue(highs: number, name: number, value: number): number;
  /** Returns 0 if there is no room. */
  _malloc(bytes: number): number;
  _free(address: number): void;
}
