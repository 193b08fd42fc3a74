import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Compressors, DecodedArray, SchemaElement } from "hyparquet";
import { convert, convertWithDictionary, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { decompressPage, readDataPage } from "hyparquet/src/datapage.js";
import { readPlain } from "hyparquet/src/plain.js";
import type { ColumnDecoder } from "hyparquet/src/types.js";
import { demand, ParquetDamage } from "./damage.js";
import type { Page } from "./page.js";
import { checkRuns } from "./runs.js";
import { unzstd } from "./zstd.js";

/** Snappy is built in. Files with LZ4 or LZO are refused with an error that names them. */
const COMPRESSORS: Compressors = {
  ZSTD: unzstd,
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: length }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: length }),
};

/** The bytes of a value of each type of fixed length. */
const WIDTHS: Readonly<Record<string, number>> = { INT32: 4, FLOAT: 4, INT64: 8, DOUBLE: 8 };

/** Decodes a dictionary. */
export function decodeDictionary(page: Page, element: SchemaElement): DecodedArray {
  const decoder = decoderOf(page, element);
  const bytes = decompress(page.body, page.size, page);
  checkPlain(bytes, page.values, element);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader = { view, offset: 0 };
  return convert(readPlain(reader, decoder.type, page.values, element.type_length), decoder);
}

/** Decodes a page of values. There is a cell for each row; a missing value is null. */
export function decodeData(
  page: Page,
  element: SchemaElement,
  dictionary: DecodedArray | undefined,
): readonly unknown[] {
  const { levels, bytes } = splitPage(page, element);
  const isPresent = levels === undefined ? undefined : presence(levels, page.values);
  const count = isPresent?.reduce((sum, bit) => sum + bit, 0) ?? page.values;
  demand(
    page.kind !== "data-v2" || page.values - page.nulls === count,
    "a page has another number of nulls than its header says",
  );
  const values = count === 0 ? [] : decodeValues(page, element, bytes, count, dictionary);
  demand(values.length === count, "a page has another number of values than its header says");
  const cells: unknown[] = [];
  let next = 0;
  for (let row = 0; row < page.values; row++) {
    const value: unknown = isPresent?.[row] === 0 ? null : values[next++];
    demand(value !== undefined, "a value is not in the dictionary of its column");
    cells.push(value);
  }
  return cells;
}

/** The definition levels of a page, if its column may have nulls, and its values, decompressed. */
function splitPage(
  page: Page,
  element: SchemaElement,
): { levels: Uint8Array | undefined; bytes: Uint8Array } {
  const isOptional = element.repetition_type === "OPTIONAL";
  if (page.kind === "data-v2") {
    demand(isOptional || page.levelBytes === 0, "a page has levels, but its column no nulls");
    return {
      levels: isOptional ? page.body.subarray(0, page.levelBytes) : undefined,
      bytes: decompress(page.body.subarray(page.levelBytes), page.size - page.levelBytes, page),
    };
  }
  const bytes = decompress(page.body, page.size, page);
  if (!isOptional) return { levels: undefined, bytes };
  demand(bytes.length >= 4, "a page is too short");
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  demand(length <= bytes.length - 4, "the levels of a page are longer than the page");
  return { levels: bytes.subarray(4, 4 + length), bytes: bytes.slice(4 + length) };
}

/** The page in a buffer of its own: the library's functions cannot then read what follows it. */
function decompress(stored: Uint8Array, size: number, { codec, isCompressed }: Page): Uint8Array {
  if (!isCompressed || size === 0) {
    demand(stored.length === size || isCompressed, "a page has another size than its header says");
    return size === 0 ? new Uint8Array(0) : stored.slice();
  }
  try {
    return decompressPage(stored, size, codec, COMPRESSORS).slice();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ParquetDamage(`a page cannot be decompressed: ${reason}`, { cause });
  }
}

/** For each row 1 if it has a value, and 0 if it is null. */
function presence(levels: Uint8Array, rows: number): Uint8Array {
  checkRuns(levels, 0, levels.length, 1, rows);
  const isPresent = new Uint8Array(rows);
  let row = 0;
  for (let position = 0; row < rows; ) {
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = levels[position++] as number;
      header += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    const count = Math.floor(header / 2);
    if (header % 2 === 0) {
      const level = levels[position++] as number;
      demand(level <= 1, `a definition level is ${level}`);
      isPresent.fill(level, row, row + count);
      row += count;
      continue;
    }
    for (let bit = 0; bit < count * 8 && row < rows; bit++) {
      isPresent[row++] = ((levels[position + (bit >> 3)] as number) >> (bit & 7)) & 1;
    }
    position += count;
  }
  return isPresent;
}

function decodeValues(
  page: Page,
  element: SchemaElement,
  bytes: Uint8Array,
  count: number,
  dictionary: DecodedArray | undefined,
): DecodedArray {
  const decoder = decoderOf(page, element);
  switch (page.encoding) {
    case "PLAIN":
      checkPlain(bytes, count, element);
      break;
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY":
      demand(dictionary !== undefined, "a page needs a dictionary that its column does not have");
      demand(bytes.length > 0, "a page is too short");
      checkRuns(bytes, 1, bytes.length, bytes[0] as number, count);
      break;
    case "RLE":
      demand(element.type === "BOOLEAN" && bytes.length >= 4, "a page has an encoding in vain");
      checkRuns(bytes, 4, bytes.length, 1, count);
      break;
    case "DELTA_BINARY_PACKED":
      demand(
        element.type === "INT32" || element.type === "INT64",
        "only whole numbers have differences",
      );
      break;
    case "BYTE_STREAM_SPLIT":
      checkPlain(bytes, count, element);
      break;
    case "DELTA_LENGTH_BYTE_ARRAY":
      break;
    default:
      throw new ParquetDamage(`the encoding ${page.encoding} is not supported`);
  }
  const levels = "RLE" as const;
  const header = {
    num_values: count,
    encoding: page.encoding,
    definition_level_encoding: levels,
    repetition_level_encoding: levels,
  };
  try {
    const { dataPage } = readDataPage(bytes, header, decoder);
    return convertWithDictionary(dataPage, dictionary, page.encoding, decoder);
  } catch (cause) {
    throw new ParquetDamage("the values of a page are damaged", { cause });
  }
}

/** Values that are not encoded must fill their page exactly. */
function checkPlain(bytes: Uint8Array, count: number, element: SchemaElement): void {
  const length =
    element.type === "BYTE_ARRAY" ? textLength(bytes, count) : count * widthOf(element);
  demand(Math.ceil(length) === bytes.length, "a page has another size than its values need");
}

/** The bytes of a value. */
function widthOf({ type, type_length }: SchemaElement): number {
  if (type === "BOOLEAN") return 1 / 8;
  const width = type === "FIXED_LEN_BYTE_ARRAY" ? type_length : WIDTHS[`${type}`];
  demand(width !== undefined && width > 0, `the type ${type} is not supported`);
  return width;
}

/** The bytes of texts, each of which has its length in front. */
function textLength(bytes: Uint8Array, count: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = 0;
  for (let i = 0; i < count; i++) {
    demand(position + 4 <= bytes.length, "a page is too short for its texts");
    position += 4 + view.getUint32(position, true);
  }
  return position;
}

/** The library's name for a column. The levels have been taken off, so that it sees a column without nulls. */
function decoderOf({ codec }: Page, element: SchemaElement): ColumnDecoder {
  const { type, name } = element;
  demand(type !== undefined, `column ${name} has no type`);
  return { pathInSchema: [name], type, element, schemaPath: [], codec, parsers: DEFAULT_PARSERS };
}
