import { createHash } from "node:crypto";
import type { Encoding, RowGroup, SchemaElement } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { crc32 } from "./checksum.js";
import type { EncodedColumn } from "./encode-column.js";
import { closeSeal, OPEN_SEAL } from "./seal.js";
import { writeFooter } from "./write-footer.js";

type ColumnMetaData = NonNullable<RowGroup["columns"][number]["meta_data"]>;

/**
 * Makes a Parquet file of numbers, row group by row group, so that only one of them is in memory. Pages have checksums, and the footer has
 * one of the whole file, as those of `encodeTable`. Pages are not compressed: where values repeat, dictionaries take their place.
 */
export class RowGroupWriter {
  private readonly schema: SchemaElement[];
  private readonly groups: RowGroup[] = [];
  private readonly hash = createHash("sha256");
  /** The row group that is being made. Its memory is used again. */
  private readonly writer = new ByteWriter(2 ** 16);
  private rows = 0;
  /** How many bytes there are so far. */
  length = 0;

  /** @param schema the root and its columns */
  constructor(schema: SchemaElement[]) {
    this.schema = schema;
  }

  /**
   * The bytes of the next row group, which follow all bytes before. They are valid until the next call.
   *
   * @param columns in the order of the schema; the bytes of one may be overwritten when the next is asked for
   */
  add(rows: number, columns: Iterable<EncodedColumn>): Uint8Array {
    const { writer } = this;
    writer.index = 0;
    if (this.length === 0) writer.appendUint32(MAGIC);
    const chunks: ColumnMetaData[] = [];
    for (const encoded of columns) {
      const element = this.schema[chunks.length + 1] as SchemaElement;
      chunks.push(this.addChunk(writer, element, encoded, rows));
    }
    const size = chunks.reduce((sum, { total_compressed_size: bytes }) => sum + bytes, 0n);
    this.groups.push({
      columns: chunks.map((meta_data) => ({
        file_offset: meta_data.dictionary_page_offset ?? meta_data.data_page_offset,
        meta_data,
      })),
      total_byte_size: size,
      num_rows: BigInt(rows),
    });
    this.rows += rows;
    const bytes = writer.getBytes();
    this.hash.update(bytes);
    this.length += bytes.length;
    return bytes;
  }

  /** The bytes that end the file. */
  finish(): Uint8Array {
    const writer = new ByteWriter(4096);
    if (this.length === 0) writer.appendUint32(MAGIC);
    writeFooter(writer, {
      version: 2,
      created_by: "cobre",
      schema: this.schema,
      num_rows: BigInt(this.rows),
      row_groups: this.groups,
      key_value_metadata: [OPEN_SEAL],
      metadata_length: 0,
    });
    writer.appendUint32(MAGIC);
    const bytes = writer.getBytes();
    closeSeal(bytes, this.hash);
    this.length += bytes.length;
    return bytes;
  }

  private addChunk(
    writer: ByteWriter,
    { name, type }: SchemaElement,
    encoded: EncodedColumn,
    rows: number,
  ): ColumnMetaData {
    const { dictionary, levels, body, nulls, range } = encoded;
    const start = this.length + writer.index;
    if (dictionary !== undefined) {
      const { values, body: entries } = dictionary;
      writePageHeader(writer, {
        type: "DICTIONARY_PAGE",
        uncompressed_page_size: entries.length,
        compressed_page_size: entries.length,
        crc: crc32(entries),
        dictionary_page_header: { num_values: values, encoding: "PLAIN" },
      });
      writer.appendBytes(entries);
    }
    const dataStart = this.length + writer.index;
    const encoding: Encoding = dictionary === undefined ? "PLAIN" : "RLE_DICTIONARY";
    const page = levels.length === 0 ? body : joined(levels, body);
    writePageHeader(writer, {
      type: "DATA_PAGE_V2",
      uncompressed_page_size: page.length,
      compressed_page_size: page.length,
      crc: crc32(page),
      data_page_header_v2: {
        num_values: rows,
        num_nulls: nulls,
        num_rows: rows,
        encoding,
        definition_levels_byte_length: levels.length,
        repetition_levels_byte_length: 0,
        is_compressed: false,
      },
    });
    writer.appendBytes(page);
    const size = BigInt(this.length + writer.index - start);
    return {
      type: type as ColumnMetaData["type"],
      encodings: dictionary === undefined ? ["PLAIN", "RLE"] : ["PLAIN", "RLE", encoding],
      path_in_schema: [name],
      codec: "UNCOMPRESSED",
      num_values: BigInt(rows),
      total_uncompressed_size: size,
      total_compressed_size: size,
      data_page_offset: BigInt(dataStart),
      ...(dictionary !== undefined && { dictionary_page_offset: BigInt(start) }),
      statistics: {
        null_count: BigInt(nulls),
        ...(range !== undefined && {
          min_value: noted(range[0], type),
          max_value: noted(range[1], type),
        }),
      },
    };
  }
}

/** "PAR1" */
const MAGIC = 0x31524150;

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function noted(value: number, type: SchemaElement["type"]): number | bigint {
  return type === "INT64" ? BigInt(Math.round(value)) : value;
}
