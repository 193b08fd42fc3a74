/** A run needs nobody who reads its log: it goes on when standard output is closed or cannot be written. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inScope, runsQuick } from "@cobre/testing/scope";
import { COBRE, CobreProcess } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

let folder = "";
let source = "";
let whole = "";

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-stdout-"));
  source = copyExample("one-reservoir", join(folder, "case"), { iterations: 4, scenarios: 3 });
  whole = join(folder, "whole");
  const { code, stderr } = await CobreProcess.start(["run", source, "-o", whole]).finished;
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

/** A pipe that nobody reads any more, or a device that is always full. */
const SINKS = { "a closed pipe": "pipe", "a full disk": "/dev/full" } as const;
type Sink = (typeof SINKS)[keyof typeof SINKS];

async function cobreInto(sink: Sink, ...args: string[]) {
  const stdout = sink === "pipe" ? "pipe" : openSync(sink, "w");
  const child = spawn(process.execPath, [COBRE, ...args], { stdio: ["ignore", stdout, "pipe"] });
  child.stdout?.destroy(); // before the child has even started to write
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  if (typeof stdout === "number") closeSync(stdout);
  const [code] = await once(child, "close");
  return { code, stderr };
}

const RANKS = inScope<string[]>({ quick: [[]], rest: [["-n", "2"]] });

describe("a run without standard output", { timeout: 300_000 }, () => {
  for (const [name, sink] of Object.entries(SINKS)) {
    for (const ranks of RANKS) {
      it(`goes on to its end: ${name}, ${ranks.join(" ") || "one process"}`, async () => {
        const output = join(folder, `${name.replaceAll(" ", "-")}${ranks.length}`);
        const { code, stderr } = await cobreInto(sink, "run", source, "-o", output, ...ranks);
        assert.equal(code, 0, stderr);
        assert.match(stderr, /^cobre: standard output cannot be written \(E\w+\): .*\n$/);
        assert.ok(existsSync(join(output, "simulation/_SUCCESS")));
        const compared = await CobreProcess.start(["compare", whole, output]).finished;
        assert.equal(compared.stdout, "the same bits\n");
      });
    }
  }

  for (const ranks of RANKS) {
    it(`prints nothing with --quiet, but errors: ${ranks.join(" ") || "one process"}`, async () => {
      const output = join(folder, `quiet${ranks.length}`);
      const args = ["run", source, "-o", output, "--quiet", ...ranks];
      const first = await CobreProcess.start(args).finished;
      assert.deepEqual([first.code, first.stdout, first.stderr], [0, "", ""]);
      const again = await CobreProcess.start(args).finished;
      assert.deepEqual([again.code, again.stdout], [4, ""]);
      assert.match(again.stderr, /is not empty/);
    });
  }
});

describe("commands that only print", () => {
  if (!runsQuick) return;
  for (const args of [["report"], ["validate", "--json"], ["compare", "whole"]]) {
    const [command = "", ...rest] = args;
    const place = () => (command === "validate" ? source : whole);
    const others = () => rest.map((word) => (word === "whole" ? whole : word));

    it(`${command} ends in silence when nobody reads it`, async () => {
      const { code, stderr } = await cobreInto("pipe", command, place(), ...others());
      assert.deepEqual([code, stderr], [0, ""]);
    });

    it(`${command} fails when its output cannot be written`, async () => {
      const { code, stderr } = await cobreInto("/dev/full", command, place(), ...others());
      assert.equal(code, 4);
      assert.match(stderr, /^cobre: standard output cannot be written: .*no space left.*\n$/);
    });
  }
});
