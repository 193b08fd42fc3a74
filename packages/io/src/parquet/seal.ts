import { createHash, type Hash } from "node:crypto";
import type { FileMetaData, PageHeader, RowGroup, SchemaElement } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { crc32 } from "./checksum.js";
import { demand } from "./damage.js";
import { type Page, readPage } from "./page.js";
import type { TableCodec } from "./table-codec.js";

const KEY = "cobre.sha256";
const ZEROS = "0".repeat(64);
/** The entry of the footer with the SHA-256 of the file, in which these digits themselves count as zeros. */
export const OPEN_SEAL = { key: KEY, value: ZEROS };
/** Between key and value the footer has the header of a field and a length. */
const VALUE_OFFSET = KEY.length + 2;

/**
 * A Parquet file whose pages have checksums, which other readers can check, too, and whose footer has one of the whole file, so that
 * no change of a byte goes unnoticed.
 */
export function encodeTable(
  schema: SchemaElement[],
  columnData: ColumnSource[],
  codec: TableCodec = "SNAPPY",
): Uint8Array {
  const plain = new ByteWriter();
  const kvMetadata = [OPEN_SEAL];
  const parquet = new ParquetWriter({ writer: plain, schema, codec, kvMetadata });
  // The places in an index of pages would be wrong once the headers of pages have grown.
  parquet.write({ columnData: columnData.map((column) => ({ ...column, offsetIndex: false })) });
  const sealed = new ByteWriter(plain.offset + 4096);
  addChecksums(plain.getBytes(), parquet.row_groups, sealed);
  parquet.writer = sealed;
  parquet.finish();
  const file = sealed.getBytes();
  closeSeal(file, createHash("sha256"));
  return file;
}

/** Enters the checksum of a file into its last bytes, which hold the whole footer. `before` has hashed all bytes before them. */
export function closeSeal(end: Uint8Array, before: Hash): void {
  const place = sealPlace(end);
  new TextEncoder().encodeInto(before.update(end).digest("hex"), end.subarray(place));
}

/** Compares the checksum of the whole file. Returns false if it has none. */
export function checkSeal(
  file: Uint8Array,
  { key_value_metadata: entries }: FileMetaData,
): boolean {
  const entry = entries?.find(({ key }) => key === KEY);
  if (entry === undefined) return false;
  demand(digestOf(file, sealPlace(file)) === entry.value, "its checksum is wrong");
  return true;
}

/** Copies the pages with checksums in their headers, and moves the places in `groups` with them. */
function addChecksums(plain: Uint8Array, groups: readonly RowGroup[], sealed: ByteWriter): void {
  sealed.appendBytes(plain.subarray(0, 4));
  for (const group of groups) {
    const groupStart = sealed.offset;
    for (const column of group.columns) {
      const metadata = column.meta_data;
      if (metadata === undefined) continue;
      const dataStart = Number(metadata.data_page_offset);
      const start = Number(metadata.dictionary_page_offset ?? metadata.data_page_offset);
      const end = start + Number(metadata.total_compressed_size);
      const sealedStart = sealed.offset;
      for (let position = start; position < end; ) {
        if (position === dataStart) metadata.data_page_offset = BigInt(sealed.offset);
        const page = readPage(plain, position, end, metadata.codec);
        writePageHeader(sealed, headerOf(page));
        sealed.appendBytes(page.body);
        position = page.end;
      }
      const size = BigInt(sealed.offset - sealedStart);
      if (metadata.dictionary_page_offset !== undefined)
        metadata.dictionary_page_offset = BigInt(sealedStart);
      metadata.total_compressed_size = size;
      metadata.total_uncompressed_size = size;
      column.file_offset = BigInt(sealedStart);
    }
    group.total_byte_size = BigInt(sealed.offset - groupStart);
  }
}

function headerOf(page: Page): PageHeader {
  const { kind, values, encoding, nulls, levelBytes, size, body, isCompressed } = page;
  const sizes = {
    uncompressed_page_size: size,
    compressed_page_size: body.length,
    crc: crc32(body),
  };
  if (kind === "dictionary") {
    const header = { num_values: values, encoding };
    return { type: "DICTIONARY_PAGE", ...sizes, dictionary_page_header: header };
  }
  demand(kind === "data-v2", "the writer made a page of version 1");
  return {
    type: "DATA_PAGE_V2",
    ...sizes,
    data_page_header_v2: {
      num_values: values,
      num_nulls: nulls,
      num_rows: values,
      encoding,
      definition_levels_byte_length: levelBytes,
      repetition_levels_byte_length: 0,
      is_compressed: isCompressed,
    },
  };
}

/** Where the digits of the checksum start: the entries of the footer are the last place where the key can be. */
function sealPlace(file: Uint8Array): number {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const place = bytes.lastIndexOf(KEY) + VALUE_OFFSET;
  demand(place > VALUE_OFFSET && place + ZEROS.length < file.length, "its checksum is damaged");
  return place;
}

function digestOf(file: Uint8Array, place: number): string {
  return createHash("sha256")
    .update(file.subarray(0, place))
    .update(ZEROS)
    .update(file.subarray(place + ZEROS.length))
    .digest("hex");
}
