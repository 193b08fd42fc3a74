/** A disk that is full: a clear error, and what was there before is still there. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { canMount } from "@cobre/testing/needs";
import { inScope } from "@cobre/testing/scope";
import { COBRE } from "./cobre-process.js";
import { copyExample } from "./example-case.js";
import { assertNothingHalf, filesOf } from "./results.js";

let folder = "";
let source = "";
/** The results of a run with room enough, and those of another case that were there before. */
let whole = "";
let previous = "";
/** What a run leaves that is killed before its first checkpoint. */
let begun = "";

/** Runs a shell script in which file systems can be mounted that nobody else sees. */
function inNamespace(script: string, args: readonly string[]) {
  const options = ["--map-root-user", "--mount", "sh", "-c", script, "sh", ...args];
  return spawnSync("unshare", options, { encoding: "utf8" });
}

/** Keeps so many bytes free on a small file system, runs the case on it, and copies what is left to where it can be looked at. */
const SCRIPT = `
set -e
out=$1 copy=$2 previous=$3 freeKiB=$4; shift 4
mount -t tmpfs -o size=8m tmpfs "$out"
cp -r "$previous/." "$out/"
availableKiB=$(df -k --output=avail "$out" | tail -1)
dd if=/dev/zero of="$out/filler" bs=1024 count=$((availableKiB - freeKiB)) status=none
code=0
"$@" || code=$?
rm "$out/filler"
cp -r "$out/." "$copy/"
exit $code`;

function writeCase(name: string, seed: number): string {
  const size = { iterations: 4, scenarios: 300 };
  return copyExample("one-reservoir", join(folder, name), size, (config) => {
    config.training.tree_seed = seed;
  });
}

function cobre(...args: string[]) {
  return spawnSync(process.execPath, [COBRE, ...args], { encoding: "utf8" });
}

interface FullDisk {
  readonly code: number | null;
  readonly stderr: string;
  /** What is left. */
  readonly left: string;
  readonly output: string;
}

let runs = 0;
function runWith(freeKiB: number, before: string, ...args: string[]): FullDisk {
  const output = join(folder, `disk-${++runs}`);
  const left = join(folder, `left-${runs}`);
  for (const directory of [output, left]) mkdirSync(directory);
  const command = [process.execPath, COBRE, "run", source, "-o", output, "--overwrite", ...args];
  const { status, stderr } = inNamespace(SCRIPT, [
    output,
    left,
    before,
    String(freeKiB),
    ...command,
  ]);
  return { code: status, stderr, left, output };
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-full-disk-"));
  source = writeCase("case", 2);
  whole = join(folder, "whole");
  previous = join(folder, "previous");
  begun = join(folder, "begun");
  mkdirSync(begun);
  writeFileSync(join(begun, ".cobre-run"), "");
  for (const [directory, output] of [
    [source, whole],
    [writeCase("previous-case", 1), previous],
  ] as const) {
    const { status, stderr } = cobre("run", directory, "-o", output);
    assert.equal(status, 0, stderr);
  }
});
after(() => rmSync(folder, { recursive: true }));

function assertTold({ code, stderr, output }: FullDisk): void {
  assert.equal(code, 4, stderr);
  assert.match(stderr, /no space left on device.*make room on the disk/);
  assert.ok(stderr.includes(`cobre: ${output}/`), `the path is not named: ${stderr}`);
  assert.equal(stderr.match(/no space left/g)?.length, 1, stderr);
  assert.doesNotMatch(stderr, / {4}at /);
}

function assertNothingStaged(directory: string): void {
  const staged = readdirSync(directory).filter((name) => name.startsWith("staged"));
  assert.deepEqual(staged, []);
}

describe("a full disk", { timeout: 300_000 }, () => {
  for (const ranks of inScope({
    quick: [[]],
    rest: [
      ["-n", "2"],
      ["-n", "2", "-b", "tcp"],
    ],
  })) {
    const name = ranks.join(" ") || "one process";
    it(`under the results of training leaves the previous ones (${name})`, async (t) => {
      if (!canMount(t)) return;
      const full = runWith(40, previous, ...ranks);
      assertTold(full);
      await assertNothingHalf(full.left, whole);
      // The policy that was trained is small enough to be kept.
      assert.deepEqual(filesOf(full.left), [...filesOf(previous), "policy/kept.bin"].sort());
      assert.equal(cobre("compare", previous, full.left).stdout, "the same bits\n");
      assertNothingStaged(full.left);
    });

    it(`under the scenarios of a simulation leaves those of training (${name})`, async (t) => {
      if (!canMount(t)) return;
      const full = runWith(300, begun, ...ranks);
      assertTold(full);
      assert.match(full.stderr, /simulation.*scenarios.*\.partial/);
      await assertNothingHalf(full.left, whole);
      assert.ok(existsSync(join(full.left, "training/_SUCCESS")));
      assert.deepEqual(
        filesOf(full.left).filter((file) => file.startsWith("simulation")),
        [],
      );
      assertNothingStaged(full.left);
    });
  }
});
