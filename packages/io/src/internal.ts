/** The inner door: what tests need beyond the public one. */
export { nearest } from "./json/nearest.js";
export { type ColumnRule, readTable, type Table } from "./parquet/read-table.js";
