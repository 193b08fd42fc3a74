/** Damaged files of a case and of results: each is refused with an error that says so, or has the same result. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  fillOpeningTree,
  OutputError,
  openingTreeLength,
  readOutputTable,
  writeTable,
} from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { Dice, damagedBytes, damagedCsv, damagedJson } from "@cobre/testing/fuzz";
import { inScope } from "@cobre/testing/scope";
import { type Columns, type FileContent, goodCase, parquetBytes, withCase } from "./case-folder.js";

/** Seeds are drawn from one number; the rest has others than the quick part. */
const RUNS = inScope({ quick: [{ first: 1, count: 60 }], rest: [{ first: 1000, count: 300 }] });

const good = goodCase();
const JSON_FILES = Object.keys(good).filter((file) => file.endsWith(".json"));
const TABLES = Object.keys(good).filter((file) => file.endsWith(".parquet"));

/** Words of the language and its libraries, which no error for users has. */
const RAW_ERROR =
  /undefined|is not a function|not iterable|Cannot read|Invalid array length|DataView/;

/** Validates a case with these files. If it is accepted, its opening tree can be filled and has finite numbers. */
function assertJudged(changes: Readonly<Record<string, FileContent>>): Promise<void> {
  return withCase(changes, async (directory) => {
    const { case: found, issues } = await validateCase(directory);
    for (const { problem, remedy } of issues) assert.doesNotMatch(problem + remedy, RAW_ERROR);
    if (found === undefined) {
      assert.ok(issues.some(({ severity }) => severity === "error"));
      return;
    }
    if (openingTreeLength(found) > 1_000_000) return;
    const tree = fillOpeningTree(found, new Float64Array(openingTreeLength(found)));
    assert.ok(tree.values.every(Number.isFinite));
  });
}

/** Runs the test for every seed. The error of a failure names its seed. */
async function forSeeds(
  { first, count }: { first: number; count: number },
  test: (dice: Dice) => Promise<void>,
): Promise<void> {
  for (let seed = first; seed < first + count; seed++) {
    await test(new Dice(seed)).catch((cause: unknown) => {
      throw new Error(`seed ${seed}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    });
  }
}

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), "cobre-fuzz-"));
});
after(() => rmSync(directory, { recursive: true }));

for (const run of RUNS) {
  describe(`${run.count} damaged files, from seed ${run.first}`, { timeout: 600_000 }, () => {
    it("JSON with an odd value is judged", () =>
      forSeeds(run, (dice) => {
        const file = dice.pick(JSON_FILES);
        return assertJudged({ [file]: damagedJson(good[file], dice) });
      }));

    it("JSON with damaged bytes is judged", () =>
      forSeeds(run, (dice) => {
        const file = dice.pick(JSON_FILES);
        const bytes = new TextEncoder().encode(JSON.stringify(good[file]));
        return assertJudged({ [file]: damagedBytes(bytes, dice) });
      }));

    it("CSV is judged", () =>
      forSeeds(run, (dice) => {
        const file = dice.pick(TABLES);
        const table = good[file] as Columns;
        return assertJudged({
          [file]: undefined,
          [file.replace(/parquet$/, "csv")]: damagedCsv(csvOf(table), dice),
        });
      }));

    it("Parquet without checksums is judged", () =>
      forSeeds(run, (dice) => {
        const file = dice.pick(TABLES);
        const bytes = parquetBytes(good[file] as Columns);
        return assertJudged({ [file]: damagedBytes(bytes, dice) });
      }));

    it("a table of results has the same values or is refused", async () => {
      const path = join(directory, "results.parquet");
      const rows = Array.from({ length: 300 }, (_, i) => i);
      writeTable(path, [
        { name: "iteration", type: "INT32", data: rows },
        {
          name: "gap",
          type: "DOUBLE",
          isNullable: true,
          data: rows.map((i) => (i % 3 ? i : null)),
        },
        { name: "phase", type: "STRING", data: rows.map((i) => `phase ${i % 2}`) },
      ]);
      const bytes = readFileSync(path);
      const result = await readOutputTable(path);
      await forSeeds(run, async (dice) => {
        writeFileSync(path, damagedBytes(bytes, dice));
        const found = await readOutputTable(path).catch((error: unknown) => {
          assert.ok(error instanceof OutputError, String(error));
          assert.doesNotMatch(error.message, RAW_ERROR);
          return result;
        });
        assert.deepEqual(found, result);
      });
    });
  });
}

function csvOf(table: Columns): string {
  const rows = table.columns[0]?.data.length ?? 0;
  const lines = Array.from({ length: rows }, (_, row) =>
    table.columns.map(({ data }) => data[row] ?? "").join(","),
  );
  return [table.columns.map(({ name }) => name).join(","), ...lines].join("\n");
}
