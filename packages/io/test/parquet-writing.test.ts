/** The bytes of the Parquet files that we write: every page where the footer says, nothing between them, and every note of them true. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type NumberColumn, writeTable } from "@cobre/io";
import { parquetMetadata, type SchemaElement } from "hyparquet";
import {
  crc32,
  decodeTable,
  encodeColumn,
  RowGroupWriter,
  readPage,
  ThriftReader,
} from "#internal";

type Type = NumberColumn["type"];

const numbers = (...values: number[]) => Float64Array.from(values);
const bytesOf = (...values: number[]) => [...new Uint8Array(numbers(...values).buffer)];
const integers = (...values: number[]) => [...new Uint8Array(Int32Array.from(values).buffer)];
const longs = (...values: bigint[]) => [...new Uint8Array(BigInt64Array.from(values).buffer)];
const NULL = Number.NaN;

describe("a column of numbers", () => {
  const encoded = (values: Float64Array, type: Type, isNullable: boolean) => {
    const { dictionary, levels, body, ...rest } = encodeColumn(values, type, isNullable);
    return {
      ...rest,
      levels: [...levels],
      body: [...body],
      dictionary: dictionary && [dictionary.values, ...dictionary.body],
    };
  };

  it("is a dictionary and places in it, with as many bits as they need", () => {
    const none = { levels: [], nulls: 0 };
    for (const [values, type, body, dictionary, range] of [
      // A single entry is one run.
      [[5, 5, 5], "INT32", [1, 6, 0], [1, ...integers(5)], [5, 5]],
      [[2, 1, 2], "INT32", [1, 3, 0b010], [2, ...integers(2, 1)], [1, 2]],
      [[7, 8, 9, 7], "INT64", [2, 3, 0b00100100, 0], [3, ...longs(7n, 8n, 9n)], [7, 9]],
      [[1, 2, 3, 4], "UINT32", [2, 3, 0b11100100, 0], [4, ...integers(1, 2, 3, 4)], [1, 4]],
      [[4, 3, 2, 1, 0], "INT8", [3, 3, 0x88, 0x46, 0], [5, ...integers(4, 3, 2, 1, 0)], [-0, 4]],
      [[2 ** 32 - 1], "UINT32", [1, 2, 0], [1, ...integers(-1)], [2 ** 32 - 1, 2 ** 32 - 1]],
      [[-1, -0], "DOUBLE", [1, 3, 0b10], [2, ...bytesOf(-1, -0)], [-1, 0]],
      [[NULL, 3], "DOUBLE", [1, 3, 0b10], [2, ...bytesOf(NULL, 3)], undefined],
    ] as const) {
      const found = encoded(numbers(...values), type, false);
      assert.deepEqual(found, { ...none, body, dictionary, range }, values.join());
    }
    // Nine values are two groups of eight, of which the second has one.
    const nine = encoded(numbers(1, 2, 1, 2, 1, 2, 1, 2, 2), "INT32", false);
    assert.deepEqual(nine.body, [1, 5, 0b10101010, 0b1]);
    const many = encoded(new Float64Array(200).fill(4), "INT32", false);
    assert.deepEqual(many.body, [1, 0x90, 0x03, 0], "a count of two bytes");
  });

  it("has at most 256 entries in its dictionary, else the values themselves", () => {
    const values = Float64Array.from({ length: 257 }, (_, i) => i / 3);
    const { dictionary, body, range } = encodeColumn(values.subarray(0, 256), "DOUBLE", false);
    assert.equal(dictionary?.values, 256);
    assert.deepEqual([...body.subarray(0, 5)], [8, 65, 0, 1, 2]);
    assert.equal(body.length, 2 + 256);
    assert.deepEqual(range, [-0, 85]);
    const more = encodeColumn(values, "DOUBLE", false);
    assert.equal(more.dictionary, undefined);
    assert.deepEqual(new Float64Array(more.body.slice().buffer), values);
    assert.deepEqual(more.range, [-0, 256 / 3]);
  });

  it("has a level for each row if it may have nulls", () => {
    for (const [values, levels, nulls, body] of [
      [[NULL, 5, NULL, 5], [3, 0b1010], 2, [1, 4, 0]],
      [[5, 5], [4, 1], 0, [1, 4, 0]],
      [[NULL, NULL, NULL], [6, 0], 3, []],
    ] as const) {
      const found = encoded(numbers(...values), "DOUBLE", true);
      assert.deepEqual([found.levels, found.nulls, found.body], [levels, nulls, body]);
    }
    const nothing = encoded(numbers(NULL), "DOUBLE", true);
    assert.deepEqual([nothing.dictionary, nothing.range], [undefined, undefined]);
  });

  it("is a bit for each value that is true or false", () => {
    const flags = [1, 0, 1, 1, 0, 0, 0, 7, 1];
    assert.deepEqual(encoded(numbers(...flags), "BOOLEAN", false), {
      levels: [],
      nulls: 0,
      body: [0b10001101, 1],
      dictionary: undefined,
      range: undefined,
    });
    const some = encoded(numbers(1, NULL, 0), "BOOLEAN", true);
    assert.deepEqual([some.levels, some.body, some.nulls], [[3, 0b101], [0b01], 1]);
  });
});

/** Goes through all pages of a file, which must fill it up to its footer. Returns what the footer says. */
function walk(file: Uint8Array) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const footerStart = file.length - 8 - view.getUint32(file.length - 8, true);
  const footer = new ThriftReader(file, footerStart, file.length - 8).struct();
  const metadata = parquetMetadata(file.slice().buffer);
  const areCompressed = new Set<unknown>();
  let end = 4;
  for (const { columns, total_byte_size: size } of metadata.row_groups) {
    const groupStart = end;
    for (const { file_offset, meta_data: chunk } of columns) {
      assert.ok(chunk !== undefined);
      const start = end;
      assert.equal(Number(file_offset), start);
      if (chunk.dictionary_page_offset !== undefined) {
        assert.equal(Number(chunk.dictionary_page_offset), start);
        const page = readPage(file, start, footerStart, chunk.codec);
        assert.equal(page.kind, "dictionary");
        end = page.end;
      }
      assert.equal(Number(chunk.data_page_offset), end);
      for (let values = 0; values < Number(chunk.num_values); ) {
        const page = readPage(file, end, footerStart, chunk.codec);
        assert.equal(page.kind, "data-v2");
        const header = new ThriftReader(file, end, footerStart).struct();
        assert.equal(header.get(4), crc32(page.body), "its checksum");
        areCompressed.add((header.get(8) as Map<number, unknown>).get(7));
        values += page.values;
        end = page.end;
      }
      assert.equal(Number(chunk.total_compressed_size), end - start);
      assert.equal(Number(chunk.total_uncompressed_size), end - start);
    }
    assert.equal(Number(size), end - groupStart);
  }
  assert.equal(end, footerStart, "nothing else is in the file");
  return { footer, metadata, areCompressed: [...areCompressed] };
}

const COLUMNS: readonly [
  name: string,
  type: Type,
  stored: SchemaElement["type"],
  isNullable: boolean,
][] = [
  ["few", "DOUBLE", "DOUBLE", true],
  ["many", "DOUBLE", "DOUBLE", false],
  ["long", "INT64", "INT64", false],
  ["flag", "BOOLEAN", "BOOLEAN", false],
  ["never", "DOUBLE", "DOUBLE", true],
];
const SCHEMA: SchemaElement[] = [
  { name: "root", num_children: COLUMNS.length },
  ...COLUMNS.map(
    ([name, , type, isNullable]): SchemaElement => ({
      name,
      type: type as NonNullable<SchemaElement["type"]>,
      repetition_type: isNullable ? "OPTIONAL" : "REQUIRED",
    }),
  ),
];
/** The values of the columns in the rows from `first` on. */
const values = (first: number, rows: number) =>
  [
    (i: number) => (i % 3 === 0 ? NULL : i % 2),
    (i: number) => i / 7 - 1,
    (i: number) => 10 + (i % 2),
    (i: number) => i % 2,
    () => NULL,
  ].map((cell) => Float64Array.from({ length: rows }, (_, i) => cell(first + i)));

describe("a file that is written row group by row group", () => {
  const GROUPS = [300, 290];
  const writer = new RowGroupWriter(SCHEMA);
  const parts: Uint8Array[] = [];
  let first = 0;
  for (const rows of GROUPS) {
    const columns = values(first, rows).map((column, i) => {
      const [, type, , isNullable] = COLUMNS[i] as (typeof COLUMNS)[number];
      return encodeColumn(column, type, isNullable);
    });
    parts.push(writer.add(rows, columns).slice());
    first += rows;
  }
  const lengthBefore = writer.length;
  parts.push(writer.finish().slice());
  const file = new Uint8Array(Buffer.concat(parts));

  it("tells how long it is", () => {
    assert.equal(lengthBefore, (parts[0]?.length ?? 0) + (parts[1]?.length ?? 0));
    assert.equal(writer.length, file.length);
  });

  it("holds the values of all groups", () => {
    const { rows, columns } = decodeTable(file);
    assert.equal(rows, 590);
    const expected = values(0, 590);
    COLUMNS.forEach(([name], i) => {
      const cells = columns.get(name)?.map((cell) => (cell === null ? NULL : Number(cell)));
      assert.deepEqual(cells, [...(expected[i] as Float64Array)], name);
    });
  });

  it("has nothing but its pages, each where the footer says, and an order of values for each column", () => {
    const { footer, metadata, areCompressed } = walk(file);
    assert.deepEqual(areCompressed, [false]);
    assert.equal(metadata.version, 2);
    assert.equal(metadata.created_by, "cobre");
    assert.equal(metadata.num_rows, 590n);
    assert.deepEqual(
      metadata.row_groups.map(({ num_rows }) => Number(num_rows)),
      GROUPS,
    );
    const orders = footer.get(7) as Map<number, unknown>[];
    assert.deepEqual(
      orders.map((order) => [...order]),
      COLUMNS.map(() => [[1, new Map()]]),
    );
  });

  it("notes how each column is stored, and its least and greatest value", () => {
    const [, second] = parquetMetadata(file.slice().buffer).row_groups;
    const noted = second?.columns.map(({ meta_data: chunk }) => {
      const { encodings, path_in_schema: path, codec, statistics } = chunk ?? assert.fail();
      assert.equal(codec, "UNCOMPRESSED");
      const { null_count: nulls, min_value: min, max_value: max } = statistics ?? {};
      return [...path, encodings.join(" "), Number(nulls), min, max];
    });
    const nulls = Array.from({ length: 290 }, (_, i) => (300 + i) % 3).filter(
      (x) => x === 0,
    ).length;
    assert.deepEqual(noted, [
      ["few", "PLAIN RLE RLE_DICTIONARY", nulls, -0, 1],
      ["many", "PLAIN RLE", 0, 300 / 7 - 1, 589 / 7 - 1],
      ["long", "PLAIN RLE RLE_DICTIONARY", 0, 10n, 11n],
      ["flag", "PLAIN RLE", 0, undefined, undefined],
      ["never", "PLAIN RLE", 290, undefined, undefined],
    ]);
  });

  it("may have no row at all", () => {
    const nothing = new RowGroupWriter(SCHEMA).finish();
    const { rows, columns } = decodeTable(nothing);
    assert.deepEqual([rows, [...columns.keys()]], [0, COLUMNS.map(([name]) => name)]);
    walk(nothing);
  });
});

describe("a table that is written at once", () => {
  it("has nothing but its pages, each with its checksum, compressed or not", () => {
    const folder = mkdtempSync(join(tmpdir(), "cobre-writing-"));
    try {
      const rows = Array.from({ length: 3000 }, (_, i) => i);
      for (const codec of [undefined, "UNCOMPRESSED"] as const) {
        const path = join(folder, "t.parquet");
        writeTable(
          path,
          [
            { name: "same", type: "STRING", data: rows.map((i) => `word ${i % 3}`) },
            { name: "own", type: "DOUBLE", data: rows.map((i) => Math.sqrt(i)) },
            {
              name: "gap",
              type: "INT32",
              data: rows.map((i) => (i % 2 ? i : null)),
              isNullable: true,
            },
          ],
          codec,
        );
        const file = new Uint8Array(readFileSync(path));
        const { metadata } = walk(file);
        const chunks = metadata.row_groups.flatMap(({ columns }) => columns);
        for (const { meta_data: chunk } of chunks) {
          assert.equal(chunk?.codec, codec ?? "SNAPPY");
        }
        assert.ok(chunks.some(({ meta_data: chunk }) => chunk?.dictionary_page_offset));
        const { columns } = decodeTable(file);
        assert.deepEqual(columns.get("own"), rows.map(Math.sqrt));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
