/**
 * A file is written, flushed to the disk and closed before it gets its name, and nobody else writes to it meanwhile. The command line's
 * tests trace whole runs.
 */
import assert from "node:assert/strict";
import crypto from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { OutputDirectory, OutputError, ScenarioWriter, writeAtomically } from "@cobre/io";

/** What was called, in order. */
let calls: string[] = [];

/** Notes every call of a function of `node:fs`, which does its work as before. */
function noteCalls(name: "writeSync" | "fsyncSync" | "closeSync" | "renameSync"): void {
  const work = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      calls.push(name);
      return work(...args);
    },
  });
}

let folder = "";
before(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "cobre-order-"));
  for (const name of ["writeSync", "fsyncSync", "closeSync", "renameSync"] as const) {
    noteCalls(name);
  }
  syncBuiltinESMExports();
});
after(() => fs.rmSync(folder, { recursive: true }));

describe("the order of calls when a file is written", () => {
  for (const [what, content, writes] of [
    ["text", "abc", ["writeSync"]],
    ["bytes", Uint8Array.of(1, 2, 3), ["writeSync"]],
    ["an empty marker", "", []],
  ] as const) {
    it(what, () => {
      calls = [];
      const path = join(folder, "file");
      writeAtomically(path, content, () => calls.push("beforeRenaming"));
      const end = ["fsyncSync", "closeSync", "beforeRenaming", "renameSync"];
      assert.deepEqual(calls, [...writes, ...end]);
      assert.deepEqual([...fs.readFileSync(path)], [...Buffer.from(content)]);
    });
  }
});

describe("the order of calls when results are published", () => {
  const flush = ["fsyncSync", "closeSync"];
  /** Folders cannot be flushed on Windows. */
  const folders = (count: number) =>
    process.platform === "win32" ? [] : new Array<string[]>(count).fill(flush).flat();

  it("the folders are flushed, the inner ones first, then the name, then the folder that has it", () => {
    const output = new OutputDirectory(join(folder, "results"));
    output.staged.writeText("training/metadata.json", "{}");
    output.staged.writeText("training/timing/a", "");
    calls = [];
    output.publish("training");
    assert.deepEqual(calls, [...folders(2), "renameSync", ...folders(1)]);
  });

  it("a file of scenarios is flushed and closed before it gets its name", () => {
    const output = new OutputDirectory(join(folder, "scenarios"));
    using writer = new ScenarioWriter(output, 1);
    const column = { name: "x", type: "DOUBLE", data: [1, 2] } as const;
    writer.writeScenario(0, { t: [column] });
    calls = [];
    writer.finish();
    assert.deepEqual(calls, ["writeSync", "writeSync", ...flush, "renameSync"]);
    writer.finish();
    assert.equal(calls.length, 5, "there is nothing more to write");
    writer.writeScenario(0, { t: [column], u: [column] });
    calls = [];
    writer[Symbol.dispose]();
    assert.deepEqual(calls, ["closeSync", "closeSync"], "what is not finished is closed");
  });
});

describe("the unfinished file", () => {
  it("has the process in its name, and another one for each write", () => {
    const directory = join(folder, "two");
    const path = join(directory, "file");
    const seen: string[] = [];
    const look = () => seen.push(...fs.readdirSync(directory));
    writeAtomically(path, "first", () => {
      look();
      writeAtomically(path, "second", look);
    });
    assert.equal(fs.readFileSync(path, "utf8"), "first");
    assert.deepEqual(fs.readdirSync(directory), ["file"]);
    assert.equal(new Set(seen).size, 2);
    for (const name of seen) {
      assert.match(name, new RegExp(`^file\\.${process.pid}-[0-9a-f]{8}\\.partial$`));
    }
  });

  it("is never one that somebody else has made", (t) => {
    t.mock.method(crypto, "randomBytes", (size: number) => Buffer.alloc(size));
    syncBuiltinESMExports();
    const path = join(folder, "same");
    const theirs = `${path}.${process.pid}-00000000.partial`;
    fs.writeFileSync(theirs, "theirs");
    try {
      const isTold = (error: unknown) =>
        error instanceof OutputError && /EEXIST/.test(error.message);
      assert.throws(() => writeAtomically(path, "ours"), isTold);
    } finally {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
    assert.equal(fs.readFileSync(theirs, "utf8"), "theirs");
    assert.ok(!fs.existsSync(path));
  });
});
