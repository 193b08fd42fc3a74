import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { IssueCollector } from "@cobre/core";
import { nearest } from "@cobre/io";
import { parquetWriteBuffer } from "hyparquet-writer";
import { readTable } from "#internal";

type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], "columnData">;

const ROWS = 2500;
const ids = Array.from({ length: ROWS }, (_, i) => i - 5);
const numbers = Array.from({ length: ROWS }, (_, i) => (i % 7 === 0 ? null : i / 3));

/** A Zstandard frame that holds its content as it is: magic, header with the length, raw blocks of at most 128 KiB. */
function zstdFrame(input: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [
    Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa0),
    new Uint8Array(Uint32Array.of(input.length).buffer),
  ];
  const limit = 128 * 1024;
  for (let at = 0; at === 0 || at < input.length; at += limit) {
    const block = input.subarray(at, at + limit);
    const header = (block.length << 3) | (at + limit >= input.length ? 1 : 0);
    blocks.push(Uint8Array.of(header & 255, (header >> 8) & 255, header >> 16), block);
  }
  return Buffer.concat(blocks);
}

async function roundTrip(options: Options, idType: "INT32" | "INT64" = "INT32") {
  const directory = mkdtempSync(join(tmpdir(), "cobre-table-"));
  try {
    const bytes = parquetWriteBuffer({
      ...options,
      columnData: [
        { name: "hydro_id", data: idType === "INT64" ? ids.map(BigInt) : ids, type: idType },
        { name: "value", data: numbers, type: "DOUBLE", nullable: true },
      ],
    });
    writeFileSync(join(directory, "t.parquet"), new Uint8Array(bytes));
    const issues = new IssueCollector();
    const rules = {
      hydro_id: { isInteger: true },
      value: { isOptional: true },
      absent: { isOptional: true },
    };
    const table = await readTable(directory, "t.parquet", rules, ["hydro_id"], issues);
    assert.deepEqual(issues.issues, []);
    return table;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe("a Parquet table", () => {
  const files: readonly [string, Options, ("INT32" | "INT64")?][] = [
    ["uncompressed", { codec: "UNCOMPRESSED" }],
    ["with Snappy", { codec: "SNAPPY" }],
    ["with ZSTD", { codec: "ZSTD", compressors: { ZSTD: zstdFrame } }],
    ["with GZIP", { codec: "GZIP", compressors: { GZIP: (input) => gzipSync(input) } }],
    [
      "with Brotli",
      { codec: "BROTLI", compressors: { BROTLI: (input) => brotliCompressSync(input) } },
    ],
    [
      "in several row groups and pages",
      { codec: "UNCOMPRESSED", rowGroupSize: 700, pageSize: 1000 },
    ],
    ["with 64-bit ids", { codec: "UNCOMPRESSED" }, "INT64"],
  ];
  for (const [what, options, idType] of files) {
    it(`is read ${what}`, async () => {
      const table = await roundTrip(options, idType);
      assert.equal(table?.rows, ROWS);
      assert.deepEqual(table?.columns.hydro_id, Float64Array.from(ids));
      assert.deepEqual(
        table?.columns.value,
        Float64Array.from(numbers, (value) => value ?? Number.NaN),
      );
      assert.ok(table?.columns.absent.every((value) => Number.isNaN(value)));
    });
  }
});

describe("the nearest name", () => {
  const names = ["forward_passes", "stopping_rules", "seed"];
  it("is the one with few letters changed", () => {
    assert.equal(nearest("forward_pases", names), "forward_passes");
    assert.equal(nearest("Seed", names), "seed");
    assert.equal(nearest("stoping_rule", names), "stopping_rules");
  });
  it("is none if none is near", () => {
    assert.equal(nearest("colour", names), undefined);
    assert.equal(nearest("x", []), undefined);
  });
});
