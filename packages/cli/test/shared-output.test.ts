/** Two runs never write to one output directory at a time, and no run removes what is not its own. */
import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inScope, runsQuick } from "@cobre/testing/scope";
import { CobreProcess, eventually, type Finished } from "./cobre-process.js";
import { copyExample } from "./example-case.js";
import { filesOf, withoutRanges } from "./results.js";

const SEEDS = [1, 2, 3];
const FLAGS = ["--overwrite", "--resume"];

let folder = "";
/** A case for each seed, and what an undisturbed run of the first one leaves. */
let sources: string[] = [];
let whole = "";

const cobre = (...args: string[]): Promise<Finished> => CobreProcess.start(args).finished;

function writeCase(name: string, seed: number, iterations: number): string {
  const size = { iterations, scenarios: 4 };
  return copyExample("one-reservoir", join(folder, name), size, (config) => {
    config.training.tree_seed = seed;
    config.policy = { checkpointing: { enabled: true, interval_iterations: 1 } };
    config.exports = { states: true, stochastic: true };
  });
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-shared-"));
  sources = SEEDS.map((seed) => writeCase(`case-${seed}`, seed, 3));
  whole = join(folder, "whole");
  const { code, stderr } = await cobre("run", sources[0] ?? "", "-o", whole);
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

describe("two runs with one output directory", { timeout: 300_000 }, () => {
  if (runsQuick)
    it("one runs and the others are refused, if they start together", async () => {
      const output = join(folder, "together");
      const ended = await Promise.all(sources.map((source) => cobre("run", source, "-o", output)));
      assert.deepEqual(ended.map(({ code }) => code).sort(), [0, 4, 4], JSON.stringify(ended));
      const alone = join(folder, "alone");
      const winner = ended.findIndex(({ code }) => code === 0);
      assert.equal((await cobre("run", sources[winner] ?? "", "-o", alone)).code, 0);
      assert.equal((await cobre("compare", alone, output)).stdout, "the same bits\n");
      assert.deepEqual(filesOf(output), filesOf(alone));
    });

  for (const ranks of inScope({ quick: [[]], rest: [["-n", "2"]] })) {
    const name = ranks.join(" ") || "one process";
    it(`a run is not disturbed by others, and one that is killed stands in nobody's way (${name})`, async () => {
      const output = join(folder, `killed${ranks.length}`);
      const endless = writeCase(`endless${ranks.length}`, 1, 100_000_000);
      const running = CobreProcess.start(["run", endless, "-o", output, ...ranks]);
      try {
        await eventually("a checkpoint", () => existsSync(join(output, "policy/policy.bin")));
        for (const flag of FLAGS) {
          const other = await cobre("run", sources[0] ?? "", "-o", output, flag, ...ranks);
          assert.equal(other.code, 4, other.stderr);
          assert.match(
            other.stderr,
            /is in use by another run \(process \d+ on \S+, since \S+\); /,
          );
          assert.equal(other.stderr.match(/in use/g)?.length, 1, other.stderr);
        }
      } finally {
        for (const [pid] of running.marked()) process.kill(pid, "SIGKILL");
      }
      await running.finished;
      await eventually("the end of all ranks", () => running.marked().length === 0);
      const next = await cobre("run", sources[0] ?? "", "-o", output, "--overwrite", ...ranks);
      assert.equal(next.code, 0, next.stderr);
      assert.equal((await cobre("compare", whole, output)).stdout, "the same bits\n");
      assert.deepEqual(withoutRanges(filesOf(output)), withoutRanges(filesOf(whole)));
    });
  }
});

/** Writes files of a user, and gives their paths. */
function writeFiles(output: string, names: readonly string[]): string[] {
  for (const name of names) {
    mkdirSync(dirname(join(output, name)), { recursive: true });
    writeFileSync(join(output, name), "mine");
  }
  return names.map((name) => join(output, name));
}

describe("what is not of a run", { timeout: 300_000 }, () => {
  const MINE = ["notes.txt", "download.partial", "training/a.csv", "simulation/b.csv", "policy/c"];

  for (const flag of FLAGS) {
    for (const ranks of inScope({ quick: [[]], rest: [["-n", "2"]] })) {
      it(`${flag} refuses a directory of somebody else (${ranks.join(" ") || "one process"})`, async () => {
        const output = join(folder, `theirs${flag}${ranks.length}`);
        writeFiles(output, MINE);
        const { code, stderr } = await cobre("run", sources[0] ?? "", "-o", output, flag, ...ranks);
        assert.equal(code, 4, stderr);
        assert.match(stderr, /is not empty, and what is in it was not written by a run; /);
        const left = readdirSync(output, { recursive: true, encoding: "utf8" });
        assert.deepEqual(left.sort(), [...MINE, "policy", "simulation", "training"].sort());
      });
    }
  }

  for (const flag of inScope({ quick: ["--overwrite"], rest: ["--resume"] })) {
    it(`${flag} keeps the files beside the results`, async () => {
      const output = join(folder, `beside${flag}`);
      cpSync(whole, output, { recursive: true });
      const kept = writeFiles(output, [
        "notes.txt",
        "download.partial",
        "mine/a.1.partial",
        "failures/b.partial",
        "policy/c.partial",
      ]);
      const ours = ["policy/policy.bin.123.partial", "staged.partial/training/x"];
      const unfinished = writeFiles(output, [...ours, "staged.7-0123abcd.partial/simulation/y"]);
      const { code, stderr } = await cobre("run", sources[0] ?? "", "-o", output, flag);
      assert.equal(code, 0, stderr);
      for (const file of kept) assert.equal(readFileSync(file, "utf8"), "mine");
      for (const file of unfinished) assert.ok(!existsSync(file), file);
    });

    it(`${flag} refuses to remove a file among the results`, async () => {
      for (const name of ["training/notes.txt", "simulation/plots/a.png", "policy/states/b"]) {
        const output = join(folder, `among${flag}`);
        cpSync(whole, output, { recursive: true });
        writeFiles(output, [name]);
        const before = filesOf(output);
        const { code, stderr } = await cobre("run", sources[0] ?? "", "-o", output, flag);
        assert.equal(code, 4, stderr);
        assert.ok(stderr.includes(`${join(output, name)} was not written by a run`), stderr);
        assert.deepEqual(filesOf(output), before);
        rmSync(output, { recursive: true });
      }
    });
  }

  if (!runsQuick) return;

  it("a run of a version that left no mark is one", async () => {
    for (const lost of [["policy"], ["training", "simulation"]]) {
      const output = join(folder, `old-${lost.join("")}`);
      cpSync(whole, output, { recursive: true });
      for (const name of [".cobre-run", ...lost]) rmSync(join(output, name), { recursive: true });
      const { code, stderr } = await cobre("run", sources[0] ?? "", "-o", output, "--overwrite");
      assert.equal(code, 0, stderr);
    }
  });
});
