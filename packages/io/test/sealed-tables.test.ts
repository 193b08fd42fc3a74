/** What other programs read of our tables, and what we refuse of theirs. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import { OPERATIVE_STATE, readOutputTable, writeTable } from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { parquetMetadata } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { checkRuns, decodeTable } from "#internal";
import { columns, type FileContent, goodCase, stage, withCase } from "./case-folder.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-sealed-"));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, "t.parquet");

describe("a table of ours", () => {
  writeTable(path, [
    { name: "a", type: "INT32", data: [1, 2, 3] },
    { name: "b", type: "STRING", data: ["x", "x", "x"] },
  ]);
  const bytes = new Uint8Array(readFileSync(path));

  it("says where its columns are and how long they are", () => {
    const { row_groups: groups } = parquetMetadata(bytes.buffer);
    let end = 4;
    for (const group of groups) {
      const start = end;
      for (const { file_offset, meta_data: metadata } of group.columns) {
        assert.equal(Number(file_offset), end);
        end += Number(metadata?.total_compressed_size);
      }
      assert.equal(Number(group.total_byte_size), end - start);
    }
  });

  it("has a checksum of the whole file", () => {
    const damaged = Buffer.from(bytes);
    const at = damaged.lastIndexOf("hyparquet");
    assert.ok(at > 0, "who wrote it is in the footer");
    damaged.write("h", at + 1);
    assert.throws(() => decodeTable(damaged), { message: "its checksum is wrong" });
  });

  it("that is damaged is told with the reason", async () => {
    const short = join(folder, "short.parquet");
    writeFileSync(short, "PAR1");
    await assert.rejects(readOutputTable(short), {
      message: `${short} is not a table that can be read: it is too short; run the case again`,
    });
  });

  it("has the codes of the dictionary", () => {
    const codes = { deactivated: 0, maintenance: 1, operating: 2, saturated: 3 };
    assert.deepEqual(OPERATIVE_STATE, codes);
  });
});

describe("a table of others", () => {
  it("is refused if two of its columns have one name", () => {
    const column = { name: "x", data: [1], type: "INT32" as const };
    const file = new Uint8Array(parquetWriteBuffer({ columnData: [column, column] }));
    assert.throws(() => decodeTable(file), /two of its columns have the same name/);
  });

  it("is refused if its last run has more values than are left", () => {
    // Four values of no bits, then two groups of eight where six are left.
    assert.throws(() => checkRuns(Uint8Array.of(8, 5), 0, 2, 0, 10), /too long/);
    assert.equal(checkRuns(Uint8Array.of(8, 3), 0, 2, 0, 10), 2);
  });
});

describe("files of a case", () => {
  async function issuesOf(files: Readonly<Record<string, FileContent>>): Promise<string[]> {
    let found: string[] = [];
    await withCase(files, async (directory) => {
      const { issues } = await validateCase(directory);
      found = issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
    });
    return found;
  }

  it("may begin with a mark of their byte order", async () => {
    const text = `\uFEFF${JSON.stringify(goodCase()["config.json"])}`;
    assert.deepEqual(await issuesOf({ "config.json": text }), []);
  });

  it("are told if they are folders", async () => {
    const [issue = ""] = await issuesOf({ "config.json": undefined, "config.json/x": "" });
    assert.match(
      issue,
      /^error config\.json: cannot be read: EISDIR.*; it must be a readable file$/,
    );
  });

  it("have statistics of stages before the first one, and not of gaps", async () => {
    const ids = [5, 7, 9];
    const inflow = "scenarios/inflow_seasonal_stats.parquet";
    const issues = await issuesOf({
      "stages.json": {
        ...(goodCase()["stages.json"] as object),
        stages: ids.map((id, i) => ({ ...stage(i), id })),
      },
      [inflow]: columns({
        hydro_id: [2, 2, 2, 4, 4, 4, 2, 2],
        stage_id: [...ids, ...ids, 3, 6],
        mean_m3s: new Array(8).fill(10),
        std_m3s: new Array(8).fill(1),
      }),
      "scenarios/load_seasonal_stats.parquet": columns({
        bus_id: [1, 1, 1],
        stage_id: ids,
        mean_mw: [1, 1, 1],
        std_mw: [0, 0, 0],
      }),
    });
    assert.deepEqual(issues, [
      `warning ${inflow}: stage_id: stage 6 does not exist; these rows have no effect`,
    ]);
  });
});
