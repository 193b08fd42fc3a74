/** What an output directory keeps, removes and refuses. Nothing that a run did not write is ever removed. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  type ExistingOutput,
  isRunDirectory,
  OutputDirectory,
  OutputError,
  TableBuilder,
  tableOf,
  writeTable,
} from "@cobre/io";

let folder = "";
let output: OutputDirectory;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-directory-"));
  output = new OutputDirectory(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** All files, as paths in the directory. */
const files = () =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
const put = (...names: string[]) => {
  for (const name of names) output.writeText(name, "");
};
const METADATA = "training/metadata.json";
/** Makes it the directory of a run. */
const putRun = () => output.writeText(METADATA, '{"cobre_version": "0.1.0"}');
const refusal = (existing: ExistingOutput): string => {
  try {
    output.check(existing);
  } catch (error) {
    assert.ok(error instanceof OutputError && error.kind === "OutputExists");
    assert.equal(error.path, folder);
    return error.message.replace(folder, "DIRECTORY");
  }
  return "";
};

describe("a directory is that of a run", () => {
  it("if it has our mark, a policy of ours, or metadata of ours", () => {
    const made: [name: string, content: string, isOurs: boolean][] = [
      [".cobre-run", "", true],
      ["policy/policy.bin", "COBREPOL and more", true],
      ["policy/policy.bin", "COBREPO", false],
      ["policy/policy.bin", "xCOBREPOL", false],
      ["simulation/metadata.json", '{"cobre_version": "1"}', true],
      [METADATA, '{"cobre_version": "1"}', true],
      [METADATA, '{"cobre_version": 1}', false],
      [METADATA, "{", false],
      ["training/_SUCCESS", "", false],
    ];
    for (const [name, content, isOurs] of made) {
      output.writeText(name, content);
      assert.equal(isRunDirectory(folder), isOurs, `${name}: ${content}`);
      rmSync(join(folder, name));
    }
    assert.equal(isRunDirectory(join(folder, "nowhere")), false);
  });
});

describe("an output directory is refused", () => {
  const ALL: readonly ExistingOutput[] = ["refuse", "overwrite", "resume"];

  it("never if it does not exist, is empty, or has only our mark", () => {
    for (const existing of ALL) {
      new OutputDirectory(join(folder, "nowhere")).check(existing);
      assert.equal(refusal(existing), "");
    }
    put(".cobre-run");
    for (const existing of ALL) assert.equal(refusal(existing), "");
  });

  it("if what is in it is not of a run, whatever is wanted", () => {
    put("notes.txt");
    for (const existing of ALL)
      assert.match(refusal(existing), /^DIRECTORY is not empty, and what is in it was not written/);
  });

  it("if it has results, unless they are to be replaced or continued", () => {
    putRun();
    assert.match(refusal("refuse"), /^DIRECTORY is not empty; continue the run in it \(--resume\)/);
    assert.equal(refusal("resume") + refusal("overwrite"), "");
  });

  it("if a file of somebody else would be removed with the results", () => {
    putRun();
    put("notes.txt", "report/mine.html"); // beside the results
    assert.equal(refusal("overwrite"), "");
    for (const name of [
      "training/notes.txt",
      "training/deep/down/notes.txt",
      "simulation/hydros/scenario_id=0001/mine.parquet",
      "simulation/hydros/scenario_id=x/data.parquet",
      "simulation/hydros/scenarios_0000.parquet",
      "simulation/hydros/scenarios_0000-0099.csv",
      "policy/states/stage_1.csv",
      "stochastic/mine.json",
      "training/metadata.json.partial",
      "training/metadata.json.12-xyz.partial",
    ]) {
      put(name);
      assert.match(refusal("overwrite"), /was not written by a run, and would be removed/, name);
      assert.ok(refusal("resume").startsWith(`DIRECTORY/${name} `), name);
      rmSync(join(folder, name));
    }
  });

  it("not for files that runs write, finished or not", () => {
    putRun();
    put(
      "training/convergence.parquet",
      "training/metadata.json.12.partial",
      "training/metadata.json.12-0123abcd.partial",
      "simulation/inflow_lags/scenario_id=12345/data.parquet",
      "simulation/inflow_lags/scenarios_00000-12345.parquet",
      "simulation/costs/scenario_id=0001/data.parquet.7.partial",
      "policy/states/stage_012.parquet",
      "stochastic/noise_openings.parquet",
      "stochastic/correlation.json",
    );
    assert.equal(refusal("overwrite"), "");
  });

  it("if it is a file", () => {
    put("file");
    const error = (() => {
      try {
        return new OutputDirectory(join(folder, "file")).check("refuse");
      } catch (thrown) {
        return thrown;
      }
    })();
    assert.ok(error instanceof OutputError && error.kind === "CannotWrite");
    assert.match(error.message, /file cannot be written: ENOTDIR.*choose another path$/);
  });
});

describe("a directory that is prepared", () => {
  it("loses what killed runs left, everywhere, and nothing else", () => {
    putRun();
    const kept = [
      METADATA,
      "policy/policy.bin",
      "mine/training/metadata.json.12.partial",
      "notes.txt.12.partial",
      "simulation/costs/scenario_id=0001/data.parquet",
      "staged.partial.txt",
    ];
    put(...kept.slice(1));
    put(
      ".writable.5.partial",
      "policy/policy.bin.12-0123abcd.partial",
      "policy/states/stage_001.parquet.3.partial",
      "simulation/costs/scenario_id=0002/data.parquet.3.partial",
      "stochastic/correlation.json.3.partial",
      "staged.partial/training/a",
      "staged.12-0123abcd.partial/b",
    );
    assert.equal(output.prepare("overwrite", undefined), false);
    output.close();
    assert.deepEqual(files(), [".cobre-run", ...kept].sort());
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith("staged.")),
      ["staged.partial.txt"],
    );
  });

  it("is refused at once if nothing can be written to it", () => {
    putRun();
    put(".writable/by/nobody");
    assert.throws(() => output.prepare("overwrite", undefined), {
      name: "OutputError",
      kind: "CannotWrite",
    });
    output.close();
  });

  it("lets others in once it is closed, and can be closed twice", () => {
    const held = new Set<number>();
    const locks = {
      tryLock(file: number) {
        held.add(file);
        return "held" as const;
      },
    };
    assert.equal(output.prepare("refuse", locks), true);
    const [file = -1] = held;
    output.close();
    output.close();
    assert.throws(() => readFileSync(file), /EBADF/);
  });

  it("tells who holds it, in one line, when it was prepared again", () => {
    output.prepare("refuse", undefined);
    output[Symbol.dispose]();
    output.prepare("refuse", undefined);
    output.close();
    const lines = readFileSync(join(folder, ".cobre-run"), "utf8").split("\n");
    assert.equal(lines.length, 2);
    assert.equal(JSON.parse(lines[0] ?? "").pid, process.pid);
  });

  it("is not left open if another run holds it", () => {
    let file = -1;
    const locks = {
      tryLock(opened: number) {
        file = opened;
        return "taken" as const;
      },
    };
    assert.throws(() => output.prepare("refuse", locks), { kind: "OutputInUse" });
    assert.throws(() => readFileSync(file), /EBADF/);
  });
});

describe("results are replaced", () => {
  it("folder by folder, and nothing stays of the staging area", () => {
    put("policy/states/old");
    output.staged.writeText("policy/states/new", "");
    output.publish("policy/states");
    assert.deepEqual(
      files().filter((name) => !name.includes("partial")),
      ["policy/states/new"],
    );
    output.discardStaged();
    assert.deepEqual(files(), ["policy/states/new"]);
    output.discardStaged();
    output.retire("training"); // there is none
    assert.deepEqual(readdirSync(folder), ["policy"]);
  });

  it("not at all if nothing was staged", () => {
    put("training/old");
    assert.throws(() => output.publish("simulation"), {
      name: "OutputError",
      kind: "CannotWrite",
      path: join(folder, "simulation"),
    });
    assert.ok(existsSync(join(folder, "training/old")));
  });

  it("by a policy, also the one that was kept beside", () => {
    put("training/a", "policy/kept.bin");
    assert.equal(output.keepPolicy(Uint8Array.of(1)), join(folder, "policy/kept.bin"));
    assert.deepEqual(files(), ["policy/kept.bin", "training/a"]);
    output.writePolicy(Uint8Array.of(2));
    output.discardStaged();
    assert.deepEqual(files(), ["policy/policy.bin"]);
    assert.equal(output.keepPolicy(Uint8Array.of(3)), join(folder, "policy/policy.bin"));
    assert.deepEqual([...readFileSync(join(folder, "policy/policy.bin"))], [3]);
  });

  it("or nothing is, if a policy can be kept nowhere", () => {
    put("policy");
    assert.equal(output.keepPolicy(Uint8Array.of(1)), undefined);
    assert.deepEqual(files(), ["policy"]);
  });

  it("scenario by scenario, with four digits or more", () => {
    const table = [{ name: "a", type: "INT32" as const, data: [1] }];
    output.writeScenario(7, { costs: table, buses: table });
    output.writeScenario(12345, { costs: table });
    assert.deepEqual(files(), [
      "simulation/buses/scenario_id=0007/data.parquet",
      "simulation/costs/scenario_id=0007/data.parquet",
      "simulation/costs/scenario_id=12345/data.parquet",
    ]);
  });
});

describe("JSON of a run", () => {
  it("is written with two spaces and a line end, and read again", () => {
    output.writeJson("a/b.json", { x: [1] });
    assert.equal(readFileSync(join(folder, "a/b.json"), "utf8"), '{\n  "x": [\n    1\n  ]\n}\n');
    assert.deepEqual(output.readJson("a/b.json"), { x: [1] });
  });
});

describe("an error of the system", () => {
  const told = (cause: unknown) => OutputError.of("out/f", cause);

  it("is told with its cause and what to do", () => {
    for (const [code, remedy] of [
      ["ENOSPC", "make room on the disk; previous results are unchanged"],
      ["EDQUOT", "make room in the quota; previous results are unchanged"],
      ["EACCES", "choose a directory in which you may write"],
      ["EROFS", "choose a directory in which you may write"],
      ["EIO", "choose another directory"],
    ] as const) {
      const cause = Object.assign(new Error("why"), { code });
      const { message, path, cause: kept } = told(cause);
      assert.equal(message, `out/f cannot be written: why; ${remedy}`);
      assert.deepEqual([path, kept], ["out/f", cause]);
    }
    for (const cause of [new Error("why"), "why"])
      assert.equal(told(cause).message, "out/f cannot be written: why; choose another directory");
    assert.equal("cause" in new OutputError("OutputExists", "p", "m"), false);
  });
});

describe("tables", () => {
  const spec = {
    id: { type: "INT32", unit: "", about: "", isNullable: false },
    gap: { type: "DOUBLE", unit: "%", about: "", isNullable: true },
  } as const;

  it("are built row by row, or from rows", () => {
    const builder = new TableBuilder(spec);
    assert.deepEqual(
      builder.columns().map(({ data }) => data),
      [[], []],
    );
    const rows = [
      { id: 1, gap: null },
      { gap: 2.5, id: 2 },
    ];
    for (const row of rows) builder.add(row);
    const expected = [
      { name: "id", type: "INT32", isNullable: false, data: [1, 2] },
      { name: "gap", type: "DOUBLE", isNullable: true, data: [null, 2.5] },
    ];
    assert.deepEqual(builder.columns(), expected);
    assert.deepEqual(tableOf(spec, rows), expected);
  });

  it("have columns that only hold nulls if they may", () => {
    const path = join(folder, "t.parquet");
    const data = [1, null];
    writeTable(path, [{ name: "a", type: "DOUBLE", data, isNullable: true }]);
    assert.throws(() => writeTable(path, [{ name: "a", type: "DOUBLE", data }]));
    assert.deepEqual(readdirSync(folder), ["t.parquet"]);
  });
});
