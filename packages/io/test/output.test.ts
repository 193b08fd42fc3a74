import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  ContainerError,
  decodeContainer,
  encodeContainer,
  OUTPUT_FILES,
  OutputDirectory,
  OutputError,
  readOutputColumns,
  readOutputTable,
  SOLVER_ITERATIONS,
  writeAtomically,
  writeTable,
} from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { columns, withCase } from "./case-folder.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-output-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("files that are never half written", () => {
  it("nothing but the file is left", () => {
    const path = join(folder, "a/b/file.txt");
    writeAtomically(path, "first");
    writeAtomically(path, "second");
    assert.deepEqual(readdirSync(join(folder, "a/b")), ["file.txt"]);
  });

  it("what cannot be written is told with a remedy, and leaves nothing", () => {
    writeFileSync(join(folder, "file"), "");
    const error = catchError(() => writeAtomically(join(folder, "file/below"), "x"));
    assert.ok(error instanceof OutputError && error.kind === "CannotWrite");
    assert.match(error.message, /cannot be written: .*; /);
    assert.deepEqual(readdirSync(folder), ["file"]);
  });

  it("what cannot get its name leaves nothing either", () => {
    mkdirSync(join(folder, "taken/by/a/folder"), { recursive: true });
    const error = catchError(() => writeAtomically(join(folder, "taken"), "x"));
    assert.ok(error instanceof OutputError && error.kind === "CannotWrite");
    assert.deepEqual(readdirSync(folder), ["taken"]);
  });

  it("a full disk is told as such", () => {
    const cause = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    assert.match(OutputError.of("out/file", cause).message, /no space left.*make room on the disk/);
  });
});

describe("the output directory", () => {
  it("refuses a directory with something in it, unless it is to go on or to be replaced", () => {
    const output = new OutputDirectory(folder);
    output.prepare("refuse", undefined);
    output.mark(OUTPUT_FILES.trainingSuccess);
    const error = catchError(() => output.prepare("refuse", undefined));
    assert.ok(error instanceof OutputError && error.kind === "OutputExists");
    assert.ok(output.has(OUTPUT_FILES.trainingSuccess));
    output.prepare("resume", undefined);
    assert.ok(output.has(OUTPUT_FILES.trainingSuccess), "results stay until there are new ones");
  });

  it("replaces a folder of results in one step", () => {
    const output = new OutputDirectory(folder);
    output.writeText("training/old.json", "{}");
    output.mark(OUTPUT_FILES.trainingSuccess);
    output.staged.writeText("training/new.json", "{}");
    output.writeText(OUTPUT_FILES.report, "what the old ones came to");
    assert.ok(output.has("training/old.json") && !output.has("training/new.json"));
    output.publish("training");
    assert.deepEqual(readdirSync(join(folder, "training")), ["new.json"]);
    output.discardStaged();
    assert.deepEqual(readdirSync(folder), ["training"]);
  });

  it("keeps no results of a policy that is replaced", () => {
    const output = new OutputDirectory(folder);
    for (const name of ["training/a", "simulation/b", "policy/states/c", "stochastic/d"]) {
      output.writeText(name, "");
    }
    output.writeText(OUTPUT_FILES.report, "what they came to");
    output.writePolicy(Uint8Array.of(1));
    output.discardStaged();
    assert.deepEqual(readdirSync(folder).sort(), ["policy", "stochastic"]);
    assert.deepEqual(readdirSync(join(folder, "policy")), ["policy.bin"]);
  });

  it("keeps the results of a policy that cannot be replaced", () => {
    const output = new OutputDirectory(folder);
    output.writeText("training/a", "");
    writeFileSync(join(folder, "policy"), "a file where a folder should be");
    const error = catchError(() => output.writePolicy(Uint8Array.of(1)));
    assert.ok(error instanceof OutputError && error.kind === "CannotWrite");
    assert.ok(output.has("training/a"));
  });

  it("removes what killed runs left half written", () => {
    mkdirSync(join(folder, "training"));
    const partial = join(folder, "training/metadata.json.123.partial");
    writeFileSync(partial, "{");
    const output = new OutputDirectory(folder);
    output.writeText("training/metadata.json", '{"cobre_version": "0.1.0"}');
    output.staged.writeText("simulation/metadata.json", "{}");
    output.prepare("resume", undefined);
    assert.ok(!existsSync(partial));
    assert.deepEqual(readdirSync(folder).sort(), [".cobre-run", "training"]);
  });

  it("is locked by a run, and the refusal says by which", () => {
    let isTaken = false;
    const locks = {
      tryLock() {
        if (isTaken) return "taken" as const;
        isTaken = true;
        return "held" as const;
      },
    };
    assert.equal(new OutputDirectory(folder).prepare("refuse", locks), true);
    const error = catchError(() => new OutputDirectory(folder).prepare("overwrite", locks));
    assert.ok(error instanceof OutputError && error.kind === "OutputInUse");
    assert.equal(error.path, folder);
    assert.ok(error.message.includes(`process ${process.pid} on ${hostname()}, since 2`));
    writeFileSync(join(folder, ".cobre-run"), '{"pid": 1, "ho');
    const unknown = catchError(() => new OutputDirectory(folder).prepare("overwrite", locks));
    assert.match(String(unknown), /in use by another run; wait/);
  });

  it("goes on without a lock where the file system has none, and tells", () => {
    const locks = { tryLock: () => "unsupported" as const };
    assert.equal(new OutputDirectory(folder).prepare("refuse", locks), false);
  });

  it("stages the folders of two runs apart", () => {
    const [one, other] = [new OutputDirectory(folder), new OutputDirectory(folder)];
    one.staged.writeText("training/a", "");
    other.staged.writeText("training/b", "");
    one.publish("training");
    assert.deepEqual(readdirSync(join(folder, "training")), ["a"]);
    other.runName = one.runName; // as another rank of the same run
    assert.equal(other.staged.path, one.staged.path);
  });

  it("says what is not the output of a run", () => {
    const output = new OutputDirectory(folder);
    assert.throws(() => output.readJson("training/metadata.json"), /is not the output of a run/);
    output.writeText("training/metadata.json", "{");
    assert.throws(() => output.readJson("training/metadata.json"), /is not JSON/);
  });
});

describe("tables of results", () => {
  it("come back with every bit, and with their gaps", async () => {
    const path = join(folder, "t.parquet");
    const values = [0.1 + 0.2, -0, 5e-324, 1.7976931348623157e308];
    writeTable(path, [
      { name: "id", type: "INT32", data: [1, 2, 3, 4] },
      { name: "long", type: "INT64", data: [1, 2, 3, 2 ** 40] },
      { name: "value", type: "DOUBLE", data: values },
      { name: "gap", type: "DOUBLE", data: [1, null, 3, null], isNullable: true },
      { name: "nothing", type: "DOUBLE", data: [null, null, null, null], isNullable: true },
      { name: "code", type: "INT8", data: [0, 1, 2, -128] },
      { name: "index", type: "UINT32", data: [0, 1, 2, 2 ** 31 - 1] },
      { name: "flag", type: "BOOLEAN", data: [0, 1, 1, 0] },
      { name: "word", type: "STRING", data: ["a", "", "ζ", "a"] },
    ]);
    const rows = await readOutputTable(path);
    assert.deepEqual(
      rows.map(({ value }) => value),
      values,
    );
    assert.ok(Object.is(rows[1]?.value, -0));
    assert.deepEqual(
      rows.map(({ gap }) => gap),
      [1, null, 3, null],
    );
    const { gap: _gap, ...last } = rows[3] ?? {};
    assert.deepEqual(last, {
      id: 4,
      long: 2 ** 40,
      value: values[3],
      nothing: null,
      code: -128,
      index: 2 ** 31 - 1,
      flag: 0,
      word: "a",
    });
  });

  it("may be given as typed arrays, in which NaN is a gap where there may be one", async () => {
    const path = join(folder, "t.parquet");
    const data = Float64Array.of(1, Number.NaN, 3);
    writeTable(path, [
      { name: "gap", type: "DOUBLE", data, isNullable: true },
      { name: "value", type: "DOUBLE", data },
      { name: "long", type: "INT64", data: Float64Array.of(1.4, 1.6, -2), isNullable: false },
    ]);
    assert.deepEqual(
      (await readOutputTable(path)).map((row) => Object.values(row)),
      [
        [1, 1, 1],
        [null, Number.NaN, 2],
        [3, 3, -2],
      ],
    );
  });

  it("keep the sign of every zero, however often a value occurs", async () => {
    const path = join(folder, "t.parquet");
    for (const data of [
      [0, -0, 0, -0, 1, 1, 1, 1],
      [-0, 0, null, -0],
      [-0, -0, -0],
      [0, 0, 0],
    ]) {
      writeTable(path, [{ name: "value", type: "DOUBLE", isNullable: true, data }]);
      const rows = await readOutputTable(path);
      assert.deepEqual(
        rows.map(({ value }) => value),
        data,
      );
    }
  });

  it("come back by column, with NaN in the gaps, and only those that were asked for", async () => {
    const path = join(folder, "t.parquet");
    writeTable(path, [
      { name: "lp_solves", type: "INT64", data: [1, 2 ** 40] },
      { name: "phase", type: "STRING", data: ["forward", "backward"] },
      { name: "rank", type: "INT32", data: [null, 3], isNullable: true },
      { name: "stage", type: "INT32", data: [0, 1] },
    ]);
    const names = ["phase", "rank", "lp_solves"] as const;
    const { rows, columns } = await readOutputColumns(path, SOLVER_ITERATIONS, names);
    assert.equal(rows, 2);
    assert.deepEqual(columns, {
      phase: ["forward", "backward"],
      rank: Float64Array.of(Number.NaN, 3),
      lp_solves: Float64Array.of(1, 2 ** 40),
    });
    // An earlier version did not write it, and it may be empty.
    const earlier = await readOutputColumns(path, SOLVER_ITERATIONS, ["stage", "basis_offered"]);
    assert.deepEqual(earlier.columns, {
      stage: Float64Array.of(0, 1),
      basis_offered: Float64Array.of(Number.NaN, Number.NaN),
    });
    await assert.rejects(
      readOutputColumns(path, SOLVER_ITERATIONS, ["stage", "iteration"]),
      (error) =>
        error instanceof OutputError &&
        /t\.parquet .*it has no column iteration/.test(error.message),
    );
  });

  it("a file that is none is an error with its name", async () => {
    writeFileSync(join(folder, "t.parquet"), "PAR1");
    await assert.rejects(readOutputTable(join(folder, "t.parquet")), OutputError);
    await assert.rejects(
      readOutputColumns(join(folder, "t.parquet"), SOLVER_ITERATIONS, ["stage"]),
      OutputError,
    );
  });
});

describe("containers", () => {
  const container = {
    header: { a: 1, text: "ζ" },
    arrays: {
      empty: new Float64Array(0),
      bytes: Uint8Array.of(1, 2, 3),
      numbers: Float64Array.of(Math.PI, -0),
      integers: Int32Array.of(-1, 7, 9),
    },
  };

  it("hold what was put in, from bytes anywhere in memory", () => {
    const bytes = encodeContainer(container);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    assert.deepEqual(decodeContainer(shifted.subarray(3)), container);
  });

  it("tell every flipped bit", () => {
    const bytes = encodeContainer(container);
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      assert.throws(() => decodeContainer(damaged), ContainerError);
    }
  });
});

describe("tables of a case as text", () => {
  const stats = "scenarios/inflow_seasonal_stats";
  const rows = [0, 1, 2].flatMap((stage) => [`2,${stage},10,1`, `4,${stage}, 40,4`]);
  const text = (lines: readonly string[]) => lines.join("\n");
  const issuesOf = async (csv: string) => {
    let found: string[] = [];
    await withCase({ [`${stats}.parquet`]: undefined, [`${stats}.csv`]: csv }, async (folder) => {
      found = (await validateCase(folder)).issues.map(
        ({ file, entity, field, problem }) => `${file} ${entity} ${field} ${problem}`,
      );
    });
    return found;
  };

  it("are read where there is no Parquet file", async () => {
    assert.deepEqual(await issuesOf(text(["hydro_id,stage_id,mean_m3s,std_m3s", ...rows, ""])), []);
  });

  it("tell lines that are too short, texts, missing and double columns, and nothing at all", async () => {
    const header = "hydro_id,stage_id,mean_m3s,std_m3s";
    assert.match((await issuesOf(text([header, ...rows, "2,1"])))[0] ?? "", /line 8.*has 2 cells/);
    assert.match((await issuesOf(text([header, "2,0,x,1"])))[0] ?? "", /mean_m3s is the text "x"/);
    assert.match((await issuesOf(text(["hydro_id,stage_id"])))[0] ?? "", /mean_m3s.*missing/);
    assert.match((await issuesOf(text(["a,a"])))[0] ?? "", /two columns/);
    assert.match((await issuesOf(""))[0] ?? "", /is empty/);
  });

  it("stand behind a Parquet file", async () => {
    const other = columns({ hydro_id: [9], stage_id: [0], mean_m3s: [1], std_m3s: [1] });
    await withCase({ [`${stats}.csv`]: "", [`${stats}.parquet`]: other }, async (folder) => {
      const { issues } = await validateCase(folder);
      assert.ok(issues.some(({ problem }) => problem === "hydro 9 does not exist"));
    });
  });
});

function catchError(action: () => void): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
