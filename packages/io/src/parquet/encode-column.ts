import type { NumberColumn } from "../output/column.js";
import { findDictionary } from "./find-dictionary.js";
import { packBits, repeatedRun } from "./write-runs.js";

/** A column of a row group as the bodies of its pages. */
export interface EncodedColumn {
  /** The distinct values, if they are few. */
  readonly dictionary: { readonly values: number; readonly body: Uint8Array } | undefined;
  /** Which rows have a value; empty if the column cannot have nulls. */
  readonly levels: Uint8Array;
  readonly body: Uint8Array;
  readonly nulls: number;
  /** The least and the greatest value; none without values, and where a value is NaN. */
  readonly range: readonly [min: number, max: number] | undefined;
}

type NumberType = NumberColumn["type"];

/**
 * Encodes a column of numbers. Few distinct values become a dictionary, others are stored as they are. Values are compared by their bits,
 * so that -0 and 0 stay apart. NaN is null if the column may have nulls.
 */
export function encodeColumn(
  column: Float64Array,
  type: NumberType,
  isNullable: boolean,
): EncodedColumn {
  const { present, levels } = isNullable
    ? splitNulls(column)
    : { present: column, levels: NO_LEVELS };
  const nulls = column.length - present.length;
  if (type === "BOOLEAN") {
    const bits = new Uint8Array(present.length);
    for (let i = 0; i < bits.length; i++) bits[i] = present[i] === 0 ? 0 : 1;
    const body = packBits(bits, bits.length, 1);
    return { dictionary: undefined, levels, body, nulls, range: undefined };
  }
  const found = findDictionary(present);
  if (found === undefined) {
    const body = plainBytes(present, type);
    return { dictionary: undefined, levels, body, nulls, range: rangeOf(present) };
  }
  const { entries, indices } = found;
  const dictionary = { values: entries.length, body: plainBytes(entries, type) };
  const body = encodeIndices(indices, entries.length);
  return { dictionary, levels, body, nulls, range: rangeOf(entries) };
}

const NO_LEVELS = new Uint8Array(0);

/** The values that are not NaN, and the definition levels of all. */
function splitNulls(column: Float64Array): { present: Float64Array; levels: Uint8Array } {
  const rows = column.length;
  let count = 0;
  for (let row = 0; row < rows; row++) {
    if (!Number.isNaN(column[row])) count++;
  }
  if (count === rows) return { present: column, levels: repeatedRun(1, rows) };
  if (count === 0) return { present: column.subarray(0, 0), levels: repeatedRun(0, rows) };
  const isPresent = new Uint8Array(rows);
  const present = new Float64Array(count);
  let next = 0;
  for (let row = 0; row < rows; row++) {
    const value = column[row] as number;
    if (Number.isNaN(value)) continue;
    isPresent[row] = 1;
    present[next++] = value;
  }
  return { present, levels: packBits(isPresent, rows, 1, true) };
}

/** The width of an index, then the indices. */
function encodeIndices(indices: Uint8Array, entries: number): Uint8Array {
  const width = Math.max(1, 32 - Math.clz32(entries - 1));
  const runs =
    entries === 1 ? repeatedRun(0, indices.length) : packBits(indices, indices.length, width, true);
  const body = new Uint8Array(1 + runs.length);
  body[0] = width;
  body.set(runs, 1);
  return body;
}

/** Values one after the other, as Parquet stores them. They may share memory with `values`. */
function plainBytes(values: Float64Array, type: NumberType): Uint8Array {
  if (type === "DOUBLE") return bytesOf(values);
  if (type === "INT64") {
    return bytesOf(BigInt64Array.from(values, (value) => BigInt(Math.round(value))));
  }
  // An unsigned number keeps its bits.
  return bytesOf(Int32Array.from(values, (value) => value | 0));
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function rangeOf(values: Float64Array): readonly [min: number, max: number] | undefined {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) return undefined;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (values.length === 0) return undefined;
  // Either zero may be among the values, and the format wants the range to hold both.
  return [min === 0 ? -0 : min, max === 0 ? 0 : max];
}
