/** A Parquet file is refused if what its footer declares does not fit its pages, and read if it does. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RowGroup, SchemaElement } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import { decodeTable } from "#internal";

type Chunk = RowGroup["columns"][number];
type Metadata = NonNullable<Chunk["meta_data"]>;

/** What a footer declares, to be changed. */
interface Declared {
  readonly file: ParquetWriter;
  readonly group: RowGroup;
  readonly columns: Chunk[];
  readonly x: Metadata;
  readonly y: Metadata;
}

const element = (name: string): SchemaElement => ({
  name,
  type: "DOUBLE",
  repetition_type: "REQUIRED",
});
const X = [1, 2, 3, 4];
const Y = [5, 5, 6, 6];

/** A table of two columns, of which x has a page for each value and y a dictionary, with a changed footer. */
function declaring(
  change: (declared: Declared) => void,
  moved?: (bytes: Uint8Array, declared: Declared) => Uint8Array,
): Uint8Array {
  const writer = new ByteWriter();
  const schema = [{ name: "root", num_children: 2 }, element("x"), element("y")];
  const file = new ParquetWriter({ writer, schema, codec: "UNCOMPRESSED", statistics: false });
  const column = (name: string, data: number[], encoding: ColumnSource["encoding"]) =>
    ({ name, data, encoding, offsetIndex: false }) as ColumnSource;
  file.write({
    columnData: [column("x", X, "PLAIN"), column("y", Y, "RLE_DICTIONARY")],
    pageSize: 8,
  });
  const [group] = file.row_groups as [RowGroup];
  const { columns } = group;
  const [x, y] = columns.map((chunk) => chunk.meta_data) as [Metadata, Metadata];
  const declared = { file, group, columns, x, y };
  change(declared);
  if (moved === undefined) {
    file.finish();
    return writer.getBytes();
  }
  const other = new ByteWriter();
  other.appendBytes(moved(writer.getBytes().slice(), declared));
  file.writer = other;
  file.finish();
  return other.getBytes();
}

const startOf = ({ dictionary_page_offset: place, data_page_offset: data }: Metadata) =>
  Number(place ?? data);
const endOf = (chunk: Metadata) => startOf(chunk) + Number(chunk.total_compressed_size);

describe("a Parquet file is read", () => {
  const cells = (file: Uint8Array) => {
    const { columns } = decodeTable(file);
    return [columns.get("x"), columns.get("y")];
  };

  it("if its footer fits", () => {
    const file = declaring(({ y }) => {
      assert.ok(y.dictionary_page_offset !== undefined, "it has a dictionary");
    });
    assert.deepEqual(cells(file), [X, Y]);
  });

  it("if the place of the dictionary is given for that of the values", () => {
    const same = declaring(({ y }) => {
      y.data_page_offset = y.dictionary_page_offset as bigint;
    });
    assert.deepEqual(cells(same), [X, Y]);
    const only = declaring(({ y }) => {
      y.data_page_offset = y.dictionary_page_offset as bigint;
      delete y.dictionary_page_offset;
    });
    assert.deepEqual(cells(only), [X, Y]);
  });

  it("if it notes the least and the greatest value as they are", () => {
    for (const statistics of [
      { min_value: 1, max_value: 4, null_count: 0n },
      { min_value: 1 },
      { max_value: 4 },
      {},
    ]) {
      const file = declaring(({ x }) => {
        x.statistics = statistics;
      });
      assert.deepEqual(cells(file), [X, Y]);
    }
  });

  it("if a row group has no rows, and no places either", () => {
    const file = declaring(({ file: whole, columns }) => {
      const empty = columns.map(({ meta_data, ...rest }) => ({
        ...rest,
        meta_data: { ...(meta_data as Metadata), num_values: 0n, data_page_offset: 0n },
      }));
      whole.row_groups.push({ columns: empty, total_byte_size: 0n, num_rows: 0n });
    });
    assert.deepEqual(cells(file), [X, Y]);
  });
});

describe("a Parquet file is refused", () => {
  const FAULTS: readonly [problem: RegExp, change: (declared: Declared) => void][] = [
    [
      /a row group has 3 columns, but the schema 2$/,
      ({ columns }) => columns.push(columns[0] as Chunk),
    ],
    [/a row group has 1 columns, but the schema 2$/, ({ columns }) => columns.pop()],
    [
      /its columns are in other files/,
      ({ columns }) => Object.assign(columns[0] as Chunk, { file_path: "other.parquet" }),
    ],
    [
      /a row group has other columns than the schema at x/,
      ({ x }) => Object.assign(x, { type: "INT64" }),
    ],
    [/the place of column x is 3$/, ({ x }) => Object.assign(x, { data_page_offset: 3n })],
    [
      /the place of column x is 1099511627776/,
      ({ x }) => Object.assign(x, { data_page_offset: 2n ** 40n }),
    ],
    [
      /the size of column x is 99999$/,
      ({ x }) => Object.assign(x, { total_compressed_size: 99_999n }),
    ],
    [/the length of column x is 5$/, ({ x }) => Object.assign(x, { num_values: 5n })],
    [
      /column x has not as many values as its row group has rows/,
      ({ x }) => Object.assign(x, { num_values: 3n }),
    ],
    [
      /the number of rows of a row group is 5$/,
      ({ group }) => Object.assign(group, { num_rows: 5n }),
    ],
    [
      /the pages of column y are not where its row group says/,
      ({ y }) => Object.assign(y, { data_page_offset: y.data_page_offset + 1n }),
    ],
    [
      /two columns are in the same place/,
      ({ x, y }) => {
        y.dictionary_page_offset = undefined as never;
        y.data_page_offset = x.data_page_offset;
        y.total_compressed_size = x.total_compressed_size;
      },
    ],
    [
      /two columns are in the same place/,
      ({ x }) => Object.assign(x, { total_compressed_size: x.total_compressed_size + 1n }),
    ],
    ...[
      { null_count: 1n },
      { min_value: 0 },
      { min_value: 2 },
      { max_value: 5 },
      { max_value: 3 },
    ].map((statistics): (typeof FAULTS)[number] => [
      /the values of column x contradict its statistics/,
      ({ x }) => Object.assign(x, { statistics }),
    ]),
    [
      /its columns are nested, or its schema is damaged/,
      ({ file }) => Object.assign(file.schema[0] as object, { num_children: 1 }),
    ],
    [
      /its columns are nested, or its schema is damaged/,
      ({ file }) => Object.assign(file.schema[1] as object, { repetition_type: "REPEATED" }),
    ],
    [
      /its columns are nested, or its schema is damaged/,
      ({ file }) => Object.assign(file.schema[2] as object, { converted_type: "LIST" }),
    ],
    [
      /its columns are nested, or its schema is damaged/,
      ({ file }) => Object.assign(file.schema[2] as object, { converted_type: "MAP" }),
    ],
  ];
  FAULTS.forEach(([problem, change], i) => {
    it(`${i + 1}: ${problem.source}`, () => {
      assert.throws(() => decodeTable(declaring(change)), problem);
    });
  });

  it("if a dictionary comes after the values that need it", () => {
    const swapped = declaring(
      () => {},
      (bytes, { y }) => {
        const [start, data, end] = [startOf(y), Number(y.data_page_offset), endOf(y)];
        const pages = [bytes.slice(data, end), bytes.slice(start, data)];
        bytes.set(Buffer.concat(pages), start);
        y.dictionary_page_offset = undefined as never;
        y.data_page_offset = BigInt(start);
        return bytes;
      },
    );
    assert.throws(
      () => decodeTable(swapped),
      /column y has a dictionary after its values|needs a dictionary/,
    );
    // Pages of columns that nobody wants are only checked.
    assert.throws(() => decodeTable(swapped, ["x"]), /column y has a dictionary after its values/);
  });
});
