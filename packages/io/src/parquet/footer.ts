import { type FileMetaData, parquetMetadata, type RowGroup, type SchemaElement } from "hyparquet";
import { countOf, demand, ParquetDamage } from "./damage.js";
import { ThriftReader } from "./thrift.js";

/** A column of a row group: what it holds, and where its pages are. */
export interface Chunk {
  readonly element: SchemaElement;
  readonly metadata: NonNullable<RowGroup["columns"][number]["meta_data"]>;
  readonly rows: number;
  readonly start: number;
  readonly end: number;
}

/** The footer of a file, in which all counts and places have been compared with each other and with the length of the file. */
export interface Footer {
  readonly rows: number;
  readonly names: readonly string[];
  /** The row groups in order, and in each a chunk for each name. */
  readonly groups: readonly (readonly Chunk[])[];
  readonly metadata: FileMetaData;
}

const MAGIC = 0x31524150;
const MAGIC_BYTES = 4;
/** The length of the footer, and the magic number. */
const TAIL_BYTES = 8;

/**
 * How many cells a file may have. Constant columns take almost no bytes, hence the large share that depends on nothing; but a small
 * file cannot ask for all memory.
 */
function maxCells(fileLength: number): number {
  return 2 ** 25 + 64 * fileLength;
}

/** @throws {@link ParquetDamage} if the footer contradicts itself or the length of the file */
export function readFooter(file: Uint8Array): Footer {
  const metadata = parseFooter(file);
  const dataEnd = file.length - TAIL_BYTES - metadata.metadata_length;
  const [root, ...elements] = metadata.schema as [SchemaElement, ...SchemaElement[]];
  demand(
    root?.num_children === elements.length && elements.every(isFlat),
    "its columns are nested, or its schema is damaged",
  );
  const names = elements.map(({ name }) => name);
  demand(new Set(names).size === names.length, "two of its columns have the same name");
  const limit = Math.floor(maxCells(file.length) / Math.max(1, names.length));
  const rows = countOf(metadata.num_rows, limit, "its number of rows");
  const groups = metadata.row_groups.map((group) => readGroup(group, elements, dataEnd, rows));
  const sum = metadata.row_groups.reduce((total, { num_rows }) => total + Number(num_rows), 0);
  demand(
    names.length === 0 || sum === rows,
    `it declares ${rows} rows, but its row groups have ${sum}`,
  );
  checkPlaces(groups.flat());
  return { rows, names, groups, metadata };
}

function parseFooter(file: Uint8Array): FileMetaData {
  demand(file.length >= MAGIC_BYTES + TAIL_BYTES, "it is too short");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  demand(
    view.getUint32(0, true) === MAGIC && view.getUint32(file.length - MAGIC_BYTES, true) === MAGIC,
    "it does not start and end with PAR1",
  );
  const end = file.length - TAIL_BYTES;
  const length = view.getUint32(end, true);
  demand(length <= end - MAGIC_BYTES, `its footer cannot have ${length} bytes`);
  // The library trusts the lengths in a footer. They are checked here, before it reads them.
  const reader = new ThriftReader(file, end - length, end);
  reader.struct();
  demand(reader.position === end, "its footer is longer than what it holds");
  try {
    const footer = file.slice(end - length);
    return parquetMetadata(footer.buffer, { geoparquet: false });
  } catch (cause) {
    throw new ParquetDamage("its footer is damaged", { cause });
  }
}

function isFlat({ type, name, repetition_type, num_children, converted_type }: SchemaElement) {
  return (
    type !== undefined &&
    typeof name === "string" &&
    (repetition_type === "REQUIRED" || repetition_type === "OPTIONAL") &&
    !num_children &&
    converted_type !== "LIST" &&
    converted_type !== "MAP"
  );
}

function readGroup(
  group: RowGroup,
  elements: readonly SchemaElement[],
  dataEnd: number,
  fileRows: number,
): readonly Chunk[] {
  const rows = countOf(group.num_rows, fileRows, "the number of rows of a row group");
  demand(
    group.columns.length === elements.length,
    `a row group has ${group.columns.length} columns, but the schema ${elements.length}`,
  );
  return elements.map((element, i): Chunk => {
    const { file_path, meta_data: metadata } = group.columns[i] as RowGroup["columns"][number];
    demand(!file_path, "its columns are in other files");
    demand(metadata !== undefined, `column ${element.name} is not described`);
    const path = metadata.path_in_schema ?? [];
    demand(
      path.length === 1 && path[0] === element.name && metadata.type === element.type,
      `a row group has other columns than the schema at ${element.name}`,
    );
    demand(
      countOf(metadata.num_values, rows, `the length of column ${element.name}`) === rows,
      `column ${element.name} has not as many values as its row group has rows`,
    );
    demand(metadata.codec !== undefined, `column ${element.name} has an unknown compression`);
    // Some writers give no places where there are no rows.
    if (rows === 0) return { element, metadata, rows, start: 0, end: 0 };
    const first = metadata.dictionary_page_offset || metadata.data_page_offset;
    const start = countOf(first, dataEnd, `the place of column ${element.name}`);
    demand(start >= MAGIC_BYTES, `the place of column ${element.name} is ${start}`);
    const length = countOf(
      metadata.total_compressed_size,
      dataEnd - start,
      `the size of column ${element.name}`,
    );
    return { element, metadata, rows, start, end: start + length };
  });
}

/** No two columns may share bytes. */
function checkPlaces(chunks: readonly Chunk[]): void {
  const sorted = [...chunks].sort((a, b) => a.start - b.start);
  sorted.forEach((chunk, i) => {
    const next = sorted[i + 1];
    demand(next === undefined || chunk.end <= next.start, "two columns are in the same place");
  });
}
