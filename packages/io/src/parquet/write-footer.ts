import type { FileMetaData } from "hyparquet";
import type { ByteWriter } from "hyparquet-writer";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";

/** What follows the last field in Thrift's compact protocol: the end of the struct, and the length of the footer. */
const END_BYTES = 5;
/** The header of the field after the last one, if it is a list; and of a list of structs that has 15 elements or more. */
const NEXT_FIELD_LIST = 0x19;
const LONG_STRUCT_LIST = 0xfc;
/** A union whose first field is set: to a struct without fields. */
const TYPE_ORDER = [0x1c, 0, 0];

/**
 * Writes a footer, with its length. The library leaves out the order of values in columns, without which others may not use
 * statistics, so it is added: for each column the natural order of its type.
 *
 * @param metadata with `created_by`, the field before the orders
 */
export function writeFooter(
  writer: ByteWriter,
  metadata: FileMetaData & { readonly created_by: string },
): void {
  const start = writer.index;
  writeMetadata(writer, metadata);
  writer.index -= END_BYTES;
  const columns = metadata.schema.length - 1;
  writer.appendUint8(NEXT_FIELD_LIST);
  writer.appendUint8(LONG_STRUCT_LIST);
  writer.appendVarInt(columns);
  for (let column = 0; column < columns; column++) {
    for (const byte of TYPE_ORDER) writer.appendUint8(byte);
  }
  writer.appendUint8(0);
  writer.appendUint32(writer.index - start);
}
