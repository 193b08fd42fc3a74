import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { IssueCollector } from "@cobre/core";
import { OutputError, readOutputTable, writeTable } from "@cobre/io";
import type { RowGroup, SchemaElement } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter, parquetWriteBuffer } from "hyparquet-writer";
import { decodeTable, readTable } from "#internal";

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), "cobre-damage-"));
});
after(() => rmSync(directory, { recursive: true }));

/** A table of a case as another program writes it: without checksums, and with nothing that could be left out. */
function foreignTable(codec: "UNCOMPRESSED" | "SNAPPY"): Uint8Array {
  const bytes = parquetWriteBuffer({
    codec,
    statistics: false,
    rowGroupSize: 2,
    columnData: [
      { name: "stage_id", data: [0, 1, 2], type: "INT32", nullable: false },
      { name: "mean_mw", data: [50.5, 60.25, 70.125], type: "DOUBLE", nullable: true },
    ],
  });
  return new Uint8Array(bytes);
}

/** What a case sees of a table: its columns, or the errors. */
async function read(bytes: Uint8Array): Promise<{ columns?: object; errors: readonly string[] }> {
  writeFileSync(join(directory, "t.parquet"), bytes);
  const issues = new IssueCollector();
  const rules = { stage_id: { isInteger: true }, mean_mw: { isOptional: true } };
  const table = await readTable(directory, "t.parquet", rules, [], issues);
  const errors = issues.errors.map(({ problem }) => problem);
  return table === undefined || errors.length > 0 ? { errors } : { columns: table.columns, errors };
}

/** What the footer of a table tells of its only column, its only row group, and itself. */
interface Declared {
  readonly x: NonNullable<RowGroup["columns"][number]["meta_data"]>;
  readonly group: RowGroup;
  readonly file: ParquetWriter;
}

/** A table with the numbers 1 to 4, whose footer was changed. Each number is a page of its own. */
function declaring(change: (declared: Declared) => void): Uint8Array {
  const writer = new ByteWriter();
  const schema: SchemaElement[] = [
    { name: "root", num_children: 1 },
    { name: "x", type: "DOUBLE", repetition_type: "REQUIRED" },
  ];
  const file = new ParquetWriter({ writer, schema, codec: "UNCOMPRESSED", statistics: false });
  const columnData = [{ name: "x", data: [1, 2, 3, 4], encoding: "PLAIN", offsetIndex: false }];
  file.write({ columnData: columnData as ColumnSource[], pageSize: 8 });
  const group = file.row_groups[0] as RowGroup;
  change({ x: group.columns[0]?.meta_data as Declared["x"], group, file });
  file.finish();
  return writer.getBytes();
}

/** The bytes with one sequence replaced by another of the same length. It must occur exactly once. */
function replaced(bytes: Uint8Array, from: readonly number[], to: readonly number[]): Uint8Array {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(Buffer.from(from));
  assert.ok(at >= 0 && copy.indexOf(Buffer.from(from), at + 1) < 0, "the sequence occurs once");
  copy.set(to, at);
  return copy;
}

function footerStart(bytes: Uint8Array): number {
  return bytes.length - 8 - Buffer.from(bytes).readUInt32LE(bytes.length - 8);
}

async function assertRefused(bytes: Uint8Array, reason: RegExp): Promise<void> {
  const { columns, errors } = await read(bytes);
  assert.equal(columns, undefined);
  assert.match(errors.join("\n"), reason);
}

describe("a damaged Parquet table of a case", () => {
  it("is refused if it declares other rows than its row groups have", async () => {
    const table = foreignTable("UNCOMPRESSED");
    // Field 3, a 64-bit number, and the list of two row groups after it.
    for (const rows of [0, 2, 4]) {
      const damaged = replaced(table, [0x16, 6, 0x19, 0x2c], [0x16, 2 * rows, 0x19, 0x2c]);
      await assertRefused(damaged, /rows/);
    }
  });

  it("is refused if a column has fewer or more values than the table has rows", () => {
    assert.deepEqual(decodeTable(declaring(() => {})).columns.get("x"), [1, 2, 3, 4]);
    const losesPage = declaring(({ x }) => {
      x.total_compressed_size = x.total_compressed_size / 2n;
    });
    assert.throws(() => decodeTable(losesPage), /column x has 2 values, not 4/);
    const declaresLess = declaring(({ x }) => {
      x.num_values = 2n;
    });
    assert.throws(() => decodeTable(declaresLess), /column x has not as many values/);
    const hasMore = declaring(({ x, group, file }) => {
      x.num_values = group.num_rows = file.num_rows = 3n;
    });
    assert.throws(() => decodeTable(hasMore), /the values of a page of x is/);
  });

  it("is refused if it declares more rows than a file of its length can have", () => {
    const rows = 2n ** 40n;
    const endless = declaring(({ x, group, file }) => {
      x.num_values = group.num_rows = file.num_rows = rows;
    });
    assert.throws(() => decodeTable(endless), /its number of rows is 1099511627776/);
  });

  it("is refused if a column is not in the schema, and leaves nothing unhandled", async () => {
    const path = [0x18, 7, ..."mean_mw".split("").map((letter) => letter.charCodeAt(0))];
    const table = Buffer.from(foreignTable("UNCOMPRESSED"));
    // The name in the schema comes first.
    table[table.indexOf(Buffer.from(path), footerStart(table)) + 2] = 0x6e;
    await assertRefused(table, /other columns than the schema/);
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("is refused if its footer declares more than it can hold", async () => {
    // Version 1, then a schema of 2^30 structs, then nothing but empty structs.
    const thrift = [0x15, 2, 0x19, 0xfc, 0x80, 0x80, 0x80, 0x80, 4, ...new Array(400).fill(0)];
    const footer = Buffer.from([...thrift, 0, 0, 0, 0, ...Buffer.from("PAR1")]);
    footer.writeUInt32LE(thrift.length, thrift.length);
    await assertRefused(Buffer.concat([Buffer.from("PAR1"), footer]), /it declares 1073741824/);
  });

  for (const codec of ["UNCOMPRESSED", "SNAPPY"] as const) {
    it(`gives the same values or is refused, whatever byte of its footer is damaged (${codec})`, async () => {
      const table = foreignTable(codec);
      const { columns } = await read(table);
      assert.ok(columns !== undefined);
      for (let at = footerStart(table); at < table.length; at++) {
        for (const bits of [0x01, 0x02, 0x04, 0x80, 0xff]) {
          const damaged = Uint8Array.from(table);
          damaged[at] = (damaged[at] as number) ^ bits;
          const found = await read(damaged);
          if (found.columns !== undefined)
            assert.deepEqual(found.columns, columns, `byte ${at}, bits ${bits}`);
          else assert.doesNotMatch(found.errors.join("\n"), /undefined|is not a function/);
        }
      }
    });
  }
});

describe("a damaged table of results", () => {
  const rows = Array.from({ length: 40 }, (_, i) => i);

  function write(): { path: string; bytes: Uint8Array } {
    const path = join(directory, "results.parquet");
    writeTable(path, [
      { name: "iteration", type: "INT32", data: rows },
      { name: "lower_bound", type: "DOUBLE", data: rows.map((i) => 1000 * Math.sqrt(i)) },
      { name: "gap", type: "DOUBLE", isNullable: true, data: rows.map((i) => (i % 3 ? i : null)) },
      { name: "phase", type: "STRING", data: rows.map((i) => `phase ${i % 2}`) },
      { name: "is_last", type: "BOOLEAN", data: rows.map((i) => (i === 39 ? 1 : 0)) },
    ]);
    return { path, bytes: readFileSync(path) };
  }

  it("is refused whatever byte is damaged, unless it has no effect", async () => {
    const { path, bytes } = write();
    const result = await readOutputTable(path);
    assert.equal(result.length, 40);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
      writeFileSync(path, damaged);
      try {
        assert.deepEqual(await readOutputTable(path), result, `byte ${at}`);
      } catch (error) {
        assert.ok(error instanceof OutputError && error.kind === "InvalidOutput", `byte ${at}`);
      }
    }
  });

  it("is refused by the checksums of its pages, too", async () => {
    const { path, bytes } = write();
    const [key, other] = ["cobre.sha256", "other.sha256"].map((text) => [...Buffer.from(text)]);
    const unsealed = replaced(bytes, key as number[], other as number[]);
    writeFileSync(path, unsealed);
    assert.equal((await readOutputTable(path)).length, 40);
    // The last byte before the footer is the last byte of a page.
    const at = footerStart(unsealed) - 1;
    unsealed[at] = (unsealed[at] as number) ^ 1;
    writeFileSync(path, unsealed);
    await assert.rejects(readOutputTable(path), /the checksum of a page is wrong/);
  });
});
