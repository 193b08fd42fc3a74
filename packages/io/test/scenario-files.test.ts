/** Files with the tables of many scenarios: what is written is what is read, bit by bit. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import {
  type NumberColumn,
  OutputDirectory,
  OutputError,
  readOutputTable,
  ScenarioReader,
  ScenarioWriter,
  scenarioFolder,
  scenarioPart,
} from "@cobre/io";
import { parquetMetadata } from "hyparquet";
import { crc32, portableCrc32 } from "#internal";

const folder = mkdtempSync(join(tmpdir(), "cobre-scenarios-"));
after(() => rmSync(folder, { recursive: true }));
const output = new OutputDirectory(folder);
beforeEach(() => rmSync(join(folder, "simulation"), { recursive: true, force: true }));

const names = () => readdirSync(join(folder, scenarioFolder("t"))).sort();

function write(scenarios: readonly (readonly NumberColumn[])[], first = 0, maxBytes?: number) {
  using writer = new ScenarioWriter(output, first + scenarios.length, maxBytes);
  scenarios.forEach((columns, i) => {
    writer.writeScenario(first + i, { t: columns });
  });
  writer.finish();
}

async function open(name: string): Promise<ScenarioReader> {
  const part = scenarioPart(name) ?? assert.fail(name);
  return ScenarioReader.open(join(folder, scenarioFolder("t"), name), part);
}

const double = (name: string, values: Iterable<number>, isNullable = false): NumberColumn => ({
  name,
  type: "DOUBLE",
  data: Float64Array.from(values),
  isNullable,
});

/** Every value has the same bits. */
function assertBits(actual: Float64Array, expected: Iterable<number>, what: string): void {
  const wanted = Float64Array.from(expected);
  assert.deepEqual(
    new BigUint64Array(actual.slice().buffer),
    new BigUint64Array(wanted.buffer),
    what,
  );
}

const count = (length: number, value: (i: number) => number) =>
  Float64Array.from({ length }, (_, i) => value(i));

describe("a file of scenarios", () => {
  const ROWS = 300;
  const SHAPES: Readonly<Record<string, Float64Array>> = {
    constant: count(ROWS, () => 0.1),
    "negative zeros": count(ROWS, () => -0),
    "zeros of both signs": count(ROWS, (i) => (i % 3 === 0 ? -0 : 0)),
    "two values": count(ROWS, (i) => (i & 1 ? 1e300 : -5e-324)),
    "256 values": count(ROWS, (i) => (i % 256) / 3),
    "257 values": count(ROWS, (i) => (i % 257) / 3),
    "each its own": count(ROWS, (i) => Math.sin(i)),
    infinite: count(ROWS, (i) => (i === 7 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)),
    "now and then missing": count(ROWS, (i) => (i % 5 === 0 ? Number.NaN : i)),
    "all missing": count(ROWS, () => Number.NaN),
    "the first missing": count(ROWS, (i) => (i === 0 ? Number.NaN : 4)),
  };

  it("holds columns that are the same array in many scenarios, in several row groups", async () => {
    const rows = 4000; // two scenarios to a row group, and the last one alone
    const repeat = (values: Float64Array) => count(rows, (i) => values[i % ROWS] as number);
    const same = Object.entries(SHAPES).map(([name, values]) => double(name, repeat(values), true));
    const scenarios = [0, 1, 2, 3, 4].map((s) => [
      ...same,
      // Another array, with other values, in one scenario alone.
      s === 3
        ? double(
            "other",
            count(rows, () => 9),
          )
        : double(
            "other",
            count(rows, () => 8),
          ),
      double(
        "own",
        count(rows, (i) => s + (i % 7)),
      ),
    ]);
    const shared = scenarios[0]?.at(-2) ?? assert.fail();
    for (const s of [1, 2, 4]) (scenarios[s] as NumberColumn[])[same.length] = shared;
    write(scenarios);
    const [name = ""] = names();
    const reader = await open(name);
    for (const [s, columns] of scenarios.entries()) {
      const wanted = columns.map((column) => column.name);
      const { columns: read } = reader.read(s, wanted) as unknown as {
        readonly columns: Readonly<Record<string, Float64Array>>;
      };
      for (const { name: column, data } of columns) {
        assertBits(read[column] as Float64Array, data as Float64Array, `${column} of ${s}`);
      }
    }
  });

  it("holds columns of every shape", async () => {
    const columns = Object.entries(SHAPES).flatMap(([name, values]) => {
      const hasGaps = values.some(Number.isNaN);
      return [double(`${name}?`, values, true), ...(hasGaps ? [] : [double(name, values)])];
    });
    write([columns, columns]);
    assert.deepEqual(names(), ["scenarios_0000-0001.parquet"]);
    const reader = await open("scenarios_0000-0001.parquet");
    for (const scenario of [1, 0]) {
      const read = reader.read(
        scenario,
        columns.map(({ name }) => name),
      ) as unknown as {
        readonly rows: number;
        readonly columns: Readonly<Record<string, Float64Array>>;
      };
      assert.equal(read.rows, ROWS);
      for (const { name, data } of columns) {
        assertBits(read.columns[name] ?? assert.fail(name), data as Float64Array, name);
      }
    }
  });

  it("holds columns of every type, given as arrays of either kind", async () => {
    const columns: NumberColumn[] = [
      { name: "i8", type: "INT8", data: [-128, 127, 0] },
      { name: "i32", type: "INT32", data: [-(2 ** 31), 2 ** 31 - 1, 5], isNullable: true },
      { name: "u32", type: "UINT32", data: [2 ** 32 - 1, 0, 3] },
      { name: "i64", type: "INT64", data: [-(2 ** 53), 2 ** 53, 0] },
      { name: "bool", type: "BOOLEAN", data: [1, 0, 1] },
      { name: "maybe", type: "BOOLEAN", data: [null, 0, 1], isNullable: true },
      { name: "gap", type: "INT32", data: [7, null, 9], isNullable: true },
    ];
    write([columns], 12);
    const rows = await readOutputTable(join(folder, "simulation/t/scenarios_0012-0012.parquet"));
    assert.deepEqual(
      rows,
      [0, 1, 2].map((row) => ({
        scenario_id: 12,
        ...Object.fromEntries(columns.map(({ name, data }) => [name, data[row]])),
      })),
    );
  });

  it("is cut into row groups of whole scenarios", async () => {
    const scenarios = Array.from({ length: 7 }, (_, s) => [
      double(
        "x",
        count(s === 5 ? 12_000 : 4_000, (i) => s + i / 7),
      ),
    ]);
    write(scenarios);
    const bytes = new Uint8Array(readFileSync(join(folder, "simulation/t", names()[0] ?? "")));
    const { row_groups: groups } = parquetMetadata(bytes.buffer);
    assert.deepEqual(
      groups.map(({ num_rows: rows }) => Number(rows)),
      [8000, 8000, 4000, 12_000, 4000],
    );
    assert.deepEqual(
      groups.map(({ columns }) => columns[0]?.meta_data?.statistics?.max_value),
      [1, 3, 4, 5, 6],
    );
    const reader = await open("scenarios_0000-0006.parquet");
    for (const scenario of [6, 0, 1, 5, 2]) {
      const { columns } = reader.read(scenario, ["x"]);
      const expected = scenarios[scenario]?.[0]?.data as Float64Array;
      assertBits(columns.x as Float64Array, expected, `scenario ${scenario}`);
    }
  });

  it("has ten thousand rows in a group, and may be cut after every scenario", () => {
    const rows = (count: number) => [double("x", new Float64Array(count))];
    write([rows(5000), rows(5000), rows(1)]);
    const bytes = new Uint8Array(readFileSync(join(folder, "simulation/t", names()[0] ?? "")));
    assert.deepEqual(
      parquetMetadata(bytes.buffer).row_groups.map(({ num_rows: count }) => Number(count)),
      [10_000, 1],
    );
    rmSync(join(folder, "simulation"), { recursive: true });
    write([rows(1), rows(1)], 7, 0);
    assert.deepEqual(names(), ["scenarios_0007-0007.parquet", "scenarios_0008-0008.parquet"]);
  });

  it("is cut where it reaches its size, and named with as many digits as the last", () => {
    const columns = [double("x", count(6_000, Math.sin))];
    write([columns, columns, columns, columns, columns], 9_998, 40_000);
    assert.deepEqual(names(), [
      "scenarios_09998-09999.parquet",
      "scenarios_10000-10001.parquet",
      "scenarios_10002-10002.parquet",
    ]);
  });

  it("may have no row of any scenario", async () => {
    write([[], []]);
    assert.deepEqual(await readOutputTable(join(folder, "simulation/t", names()[0] ?? "")), []);
  });

  it("that is not finished has no name", () => {
    {
      using writer = new ScenarioWriter(output, 1);
      writer.writeScenario(0, { t: [double("x", [1])] });
    }
    assert.match(names().join(), /^scenarios\.\d+-[0-9a-f]{8}\.partial$/);
  });

  it("that cannot be written is an error", () => {
    writeFileSync(join(folder, "simulation"), "");
    using writer = new ScenarioWriter(output, 1);
    assert.throws(
      () => writer.writeScenario(0, { t: [] }),
      (error) => error instanceof OutputError && error.kind === "CannotWrite",
    );
  });

  const isDamaged = (said: RegExp) => (error: unknown) =>
    error instanceof OutputError && error.kind === "InvalidOutput" && said.test(error.message);

  it("has checksums: no change of a byte goes unnoticed", async () => {
    write([
      [
        double("x", count(40, Math.sin)),
        double(
          "y",
          count(40, () => 1),
        ),
      ],
    ]);
    const [name = ""] = names();
    const path = join(folder, "simulation/t", name);
    const good = readFileSync(path);
    for (let at = 0; at < good.length; at += 13) {
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(path, bytes);
      await assert.rejects(open(name), isDamaged(/is not a table that can be read/), `byte ${at}`);
    }
  });

  it("must have the scenarios of its name, the rows of each together", async () => {
    const name = "scenarios_0000-0002.parquet";
    const path = join(folder, "simulation/t", name);
    const column = [double("x", [1, 2])];
    write([column, column]);
    renameSync(join(folder, "simulation/t", names()[0] ?? ""), path);
    await assert.rejects(open(name), isDamaged(/does not have the scenarios that its name says/));
    rmSync(path);
    {
      using writer = new ScenarioWriter(output, 3);
      for (const scenario of [0, 1, 0]) writer.writeScenario(scenario, { t: column });
      writer.finish();
    }
    await assert.rejects(
      open("scenarios_0000-0000.parquet"),
      isDamaged(/scenario 0 are not together/),
    );
  });

  it("may begin with any scenario, and must have those that follow it", async () => {
    write([[double("x", [1, 2])], [double("x", [3])]], 12);
    const name = "scenarios_0012-0013.parquet";
    const reader = await open(name);
    assert.deepEqual(reader.read(13, ["x"]), { rows: 1, columns: { x: Float64Array.of(3) } });
    assert.deepEqual(reader.read(12, ["x"]), { rows: 2, columns: { x: Float64Array.of(1, 2) } });
    for (const other of ["scenarios_0011-0012.parquet", "scenarios_0012-0012.parquet"]) {
      renameSync(
        join(folder, "simulation/t", names()[0] ?? ""),
        join(folder, "simulation/t", other),
      );
      await assert.rejects(
        open(other),
        isDamaged(/does not have the scenarios that its name says/),
      );
    }
    {
      using writer = new ScenarioWriter(output, 9);
      for (const scenario of [5, 7]) writer.writeScenario(scenario, { t: [double("x", [1])] });
      writer.finish();
    }
    for (const gap of ["scenarios_0005-0007.parquet", "scenarios_0005-0006.parquet"]) {
      const found = names().find((one) => one.startsWith("scenarios_0005")) ?? "";
      renameSync(join(folder, "simulation/t", found), join(folder, "simulation/t", gap));
      await assert.rejects(open(gap), isDamaged(/does not have the scenarios that its name says/));
    }
  });

  it("tells by its name what it holds", () => {
    const part = (name: string, first: number, last: number, isPartition: boolean) => ({
      name,
      first,
      last,
      isPartition,
    });
    const range = "scenarios_0003-0012.parquet";
    assert.deepEqual(scenarioPart(range), part(range, 3, 12, false));
    const partition = part("scenario_id=0007/data.parquet", 7, 7, true);
    assert.deepEqual(scenarioPart("scenario_id=0007"), partition);
    for (const other of ["scenarios_1.parquet", "scenario_id=x", "notes.txt", `x${range}`])
      assert.equal(scenarioPart(other), undefined, other);
  });

  it("tells which column or scenario it lacks", async () => {
    write([[double("x", [1])]]);
    const reader = await open("scenarios_0000-0000.parquet");
    assert.throws(() => reader.read(0, ["y"]), isDamaged(/it has no column y/));
    assert.throws(() => reader.read(1, ["x"]), isDamaged(/it has no scenario 1/));
  });
});

describe("the checksum of a page", () => {
  it("is the same whether Node.js computes it or we", () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i * i);
    for (const length of [0, 1, 7, 1000]) {
      const part = bytes.subarray(0, length);
      assert.equal(crc32(part), portableCrc32(part));
    }
    assert.equal(portableCrc32(new TextEncoder().encode("123456789")), 0xcbf43926 | 0);
  });
});
