/** Corners that files of a case or of a run rarely reach. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import { decodeContainer, OutputDirectory, readOutputTable, writeStochastic } from "@cobre/io";
import { loadCase, validateCase } from "@cobre/sddp";
import { parquetWriteBuffer } from "hyparquet-writer";
import { decodeData, decodeTable, unzstd } from "#internal";
import { columns, type FileContent, goodCase, stage, withCase } from "./case-folder.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-corners-"));
after(() => rmSync(folder, { recursive: true }));

async function issuesOf(files: Readonly<Record<string, FileContent>>): Promise<string[]> {
  let found: string[] = [];
  await withCase(files, async (directory) => {
    const { issues } = await validateCase(directory);
    found = issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
  });
  return found;
}

describe("stages that are numbered from another number than 0", () => {
  const file = "scenarios/inflow_seasonal_stats.parquet";
  const load = "scenarios/load_seasonal_stats.parquet";
  const stages = [5, 6, 7];
  const numbered = (inflowIds: readonly number[], loadIds: readonly number[]) => ({
    "stages.json": {
      ...(goodCase()["stages.json"] as object),
      stages: stages.map((id, i) => ({ ...stage(i), id })),
    },
    [file]: columns({
      hydro_id: [...stages.map(() => 2), ...stages.map(() => 4), ...inflowIds.map(() => 2)],
      stage_id: [...stages, ...stages, ...inflowIds],
      mean_m3s: new Array(6 + inflowIds.length).fill(10),
      std_m3s: new Array(6 + inflowIds.length).fill(1),
    }),
    [load]: columns({
      bus_id: [1, 1, 1, ...loadIds.map(() => 1)],
      stage_id: [...stages, ...loadIds],
      mean_mw: new Array(3 + loadIds.length).fill(10),
      std_mw: new Array(3 + loadIds.length).fill(0),
    }),
  });

  it("may have statistics of inflows before them, and of nothing else", async () => {
    assert.deepEqual(await issuesOf(numbered([-1, 0, 4], [-1])), []);
    assert.deepEqual(await issuesOf(numbered([8], [0, 4])), [
      `warning ${file}: stage_id: stage 8 does not exist; these rows have no effect`,
      `warning ${load}: stage_id: stage 0, 4 does not exist; these rows have no effect`,
    ]);
  });
});

describe("a model with an annual component", () => {
  it("is written as it was read", async () => {
    const files = {
      "scenarios/inflow_seasonal_stats.parquet": columns({
        hydro_id: [2, 4].flatMap((id) => new Array(15).fill(id)),
        stage_id: [2, 4].flatMap(() => Array.from({ length: 15 }, (_, i) => i - 12)),
        mean_m3s: new Array(30).fill(10),
        std_m3s: new Array(30).fill(1),
      }),
      "scenarios/inflow_ar_coefficients.parquet": columns({
        hydro_id: [2],
        stage_id: [1],
        lag: [1],
        coefficient: [0.5],
        residual_std_ratio: [0.8],
      }),
      "scenarios/inflow_annual_component.parquet": columns({
        hydro_id: [2],
        stage_id: [1],
        annual_coefficient: [0.25],
        annual_mean_m3s: [9.5],
        annual_std_m3s: [0.75],
      }),
      "initial_conditions.json": {
        ...(goodCase()["initial_conditions.json"] as object),
        past_inflows: [{ hydro_id: 2, values_m3s: new Array(12).fill(10) }],
      },
    };
    await withCase(files, async (directory) => {
      writeStochastic(new OutputDirectory(folder), await loadCase(directory));
    });
    const path = join(folder, "stochastic/inflow_annual_component.parquet");
    assert.deepEqual(
      (await readOutputTable(path)).map((row) => Object.values(row)),
      [[2, 1, 0.25, 9.5, 0.75]],
    );
  });
});

describe("a folder that is replaced", () => {
  it("is gone at once, also from where it was put aside", () => {
    const output = new OutputDirectory(join(folder, "replaced"));
    output.writeText("policy/states/old", "");
    output.retire("policy/states");
    assert.deepEqual(readdirSync(output.staged.path), []);
    output.discardStaged();
    assert.deepEqual(readdirSync(output.path), ["policy"]);
  });
});

describe("a table of another program", () => {
  type Options = Partial<Parameters<typeof parquetWriteBuffer>[0]>;
  const written = (data: unknown[], type: "DOUBLE" | "INT32" | "INT64", options: Options = {}) =>
    new Uint8Array(
      parquetWriteBuffer({
        codec: "UNCOMPRESSED",
        columnData: [{ name: "x", data: data as number[], type }],
        ...options,
      }),
    );
  const cells = (file: Uint8Array) => decodeTable(file).columns.get("x");

  it("has the least and the greatest value that it says, numbers of 64 bits as well", () => {
    for (const [data, type, from, to] of [
      [[2, 3, 5], "INT32", [5, 0, 0, 0], [6, 0, 0, 0]],
      [[2n, 3n, 5n], "INT64", [5, 0, 0, 0, 0, 0, 0, 0], [6, 0, 0, 0, 0, 0, 0, 0]],
      [[2n, 3n, 5n], "INT64", [2, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]],
      [[2n, 3n, 5n], "INT64", [2, 0, 0, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0, 0, 0]],
    ] as const) {
      const file = written([...data], type, { statistics: true });
      assert.deepEqual(cells(file)?.map(Number), data.map(Number));
      // The statistics are behind the values.
      const damaged = Buffer.from(file);
      const place = damaged.lastIndexOf(Buffer.from(from));
      assert.ok(place > damaged.indexOf(Buffer.from(from)), "in the values and in the footer");
      damaged.set(to, place);
      assert.throws(() => decodeTable(damaged), /values of column x contradict its statistics/);
    }
  });

  it("may note zero with either sign, and nothing about NaN", () => {
    assert.deepEqual(cells(written([-0, 0, 1], "DOUBLE", { statistics: true })), [-0, 0, 1]);
    const data = [1, Number.NaN, 2];
    assert.deepEqual(cells(written(data, "DOUBLE", { statistics: true })), data);
  });

  it("has only the columns that are wanted, and as many rows as without", () => {
    const file = new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: "x", data: [1, 2], type: "INT32" },
          { name: "y", data: [3, 4], type: "INT32" },
        ],
      }),
    );
    const { rows, columns: found } = decodeTable(file, ["y"]);
    assert.deepEqual([rows, found.get("x"), found.get("y")], [2, [], [3, 4]]);
  });

  it("is refused if it is too short, or is none", () => {
    for (const length of [0, 8, 11])
      assert.throws(() => decodeTable(new Uint8Array(length)), /it is too short/);
    const shortest = Buffer.from("PAR1\0\0\0\0PAR1");
    assert.throws(() => decodeTable(shortest), /it ends too early/);
    for (const [at, letter] of [
      [0, "X"],
      [11, "2"],
    ] as const) {
      const other = Buffer.from(shortest);
      other.write(letter, at);
      assert.throws(() => decodeTable(other), /does not start and end with PAR1/);
    }
    const long = Buffer.from(shortest);
    long.writeUInt32LE(1, 4);
    assert.throws(() => decodeTable(long), /its footer cannot have 1 bytes/);
  });

  it("may be part of a longer buffer", () => {
    const file = written([1, 2], "INT32");
    const around = Buffer.concat([Buffer.alloc(5, 1), file, Buffer.alloc(5, 1)]);
    assert.deepEqual(cells(around.subarray(5, -5)), [1, 2]);
  });
});

describe("a case", () => {
  const config = (fields: object) => ({
    "config.json": { ...(goodCase()["config.json"] as object), ...fields },
  });

  it("asks for no upper bound if it only has the section", async () => {
    assert.deepEqual(await issuesOf(config({ upper_bound_evaluation: {} })), []);
  });

  it("of Cobre 0.5 is only told of rows of blocks if there are some", async () => {
    const bounds = columns({ thermal_id: [0], stage_id: [1], max_generation_mw: [900] });
    const files = {
      ...config({ compat: "cobre-0.5" }),
      "constraints/thermal_bounds.parquet": bounds,
    };
    assert.deepEqual(await issuesOf(files), []);
  });

  it("has whole numbers for ids and lags", async () => {
    const table = (id: number, lag: number) => {
      const rows = [
        `hydro_id,stage_id,lag,coefficient,residual_std_ratio`,
        `${id},1,${lag},0.5,0.8`,
      ];
      return issuesOf({ "scenarios/inflow_ar_coefficients.csv": rows.join("\n") });
    };
    assert.match((await table(2.5, 1)).join(), /row 1: hydro_id: is 2\.5; must be a whole number/);
    assert.match((await table(2, 1.5)).join(), /row 1: lag: is 1\.5; must be a whole number/);
  });

  it("has a correlation of which every row is a list of numbers", async () => {
    const matrix = (rows: unknown) => ({
      "scenarios/correlation.json": {
        method: "spectral",
        profiles: {
          default: {
            correlation_groups: [
              {
                name: "g",
                entities: [
                  { type: "inflow", id: 2 },
                  { type: "inflow", id: 4 },
                ],
                matrix: rows,
              },
            ],
          },
        },
      },
    });
    assert.deepEqual(
      await issuesOf(
        matrix([
          [1, 0],
          [0, 1],
        ]),
      ),
      [],
    );
    for (const rows of [
      [[1, 0], 7],
      [
        [1, 0],
        [0, "1"],
      ],
      7,
    ])
      assert.match((await issuesOf(matrix(rows)))[0] ?? "", /matrix: is not a matrix/);
  });

  it("may have lags of a whole year of days", async () => {
    const past = Array.from({ length: 366 }, (_, i) => -1 - i);
    const ids = [...past, 0, 1, 2];
    const files = {
      "scenarios/inflow_seasonal_stats.parquet": columns({
        hydro_id: [...ids.map(() => 2), 4, 4, 4],
        stage_id: [...ids, 0, 1, 2],
        mean_m3s: new Array(ids.length + 3).fill(10),
        std_m3s: new Array(ids.length + 3).fill(1),
      }),
      "scenarios/inflow_ar_coefficients.parquet": columns({
        hydro_id: [2],
        stage_id: [0],
        lag: [366],
        coefficient: [0.5],
        residual_std_ratio: [1],
      }),
      "initial_conditions.json": {
        ...(goodCase()["initial_conditions.json"] as object),
        past_inflows: [{ hydro_id: 2, values_m3s: past.map(() => 10) }],
      },
    };
    await withCase(files, async (directory) => {
      const { uncertainty, warnings } = await loadCase(directory);
      assert.deepEqual([uncertainty.inflow.lags, warnings], [366, []]);
    });
  });
});

describe("an output directory", () => {
  it("does not take a file for a folder without files", () => {
    const output = new OutputDirectory(join(folder, "with-a-file"));
    output.writeText(".cobre-run", "");
    output.writeText("training", "");
    assert.throws(() => output.check("overwrite"), /ENOTDIR/);
  });
});

describe("bytes", () => {
  it("of levels are as many as their runs need", () => {
    const body = Uint8Array.of(4);
    const page = {
      kind: "data-v2",
      codec: "UNCOMPRESSED",
      encoding: "PLAIN",
      values: 2,
      nulls: 0,
      levelBytes: 1,
      isCompressed: false,
      size: 1,
      body,
      start: 0,
      end: 1,
    } as const;
    const element = { name: "c", type: "DOUBLE", repetition_type: "OPTIONAL" } as const;
    assert.throws(
      () => decodeData(page, element, undefined),
      /a run of values is longer than its page/,
    );
    const fixed = {
      name: "c",
      type: "FIXED_LEN_BYTE_ARRAY",
      type_length: 1,
      repetition_type: "REQUIRED",
    } as const;
    const plain = { ...page, levelBytes: 0, size: 2, body: Uint8Array.of(1, 2) };
    assert.equal(decodeData(plain, fixed, undefined).length, 2);
  });

  it("of a Zstandard frame may have a checksum and no size", () => {
    const frame = [
      0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x00, 0x19, 0, 0, 97, 98, 99, 0x4f, 0x97, 0xd5, 0x78,
    ];
    assert.equal(Buffer.from(unzstd(Uint8Array.from(frame), 3)).toString(), "abc");
  });

  it("of a container are text in its header", () => {
    const json = Buffer.concat([
      Buffer.from('{"header":"'),
      Buffer.of(0xff),
      Buffer.from('","arrays":[]}'),
    ]);
    const preamble = Buffer.alloc(16);
    preamble.write("COBREPOL");
    preamble.writeUInt32LE(1, 8);
    preamble.writeUInt32LE(json.length, 12);
    const body = Buffer.concat([preamble, json]);
    const whole = Buffer.concat([body, createHash("sha256").update(body).digest()]);
    assert.throws(() => decodeContainer(whole), /its header is not JSON/);
  });
});
