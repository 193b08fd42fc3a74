/** Metadata of a run that are damaged or incomplete: an error that names the file and the field. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openRun, RunError, summaryOfRun } from "@cobre/study";
import { runExample, sized } from "./example-run.js";

let folder = "";
let whole = "";
let damaged = "";

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-run-metadata-"));
  whole = join(folder, "whole");
  damaged = join(folder, "damaged");
  await runExample("one-reservoir", sized(1, 2), { output: whole });
  cpSync(whole, damaged, { recursive: true });
});
after(() => rmSync(folder, { recursive: true }));

/** The metadata file with a field, given by its path, set to a value; `undefined` removes it. */
function damage(file: string, field: string, value: unknown): void {
  const metadata = JSON.parse(readFileSync(join(whole, file), "utf8"));
  const keys = field.split(".");
  const last = keys.pop() as string;
  const holder = keys.reduce((node, key) => node[key], metadata);
  assert.ok(last in holder, `${field} is not in ${file}`);
  holder[last] = value;
  writeFileSync(join(damaged, file), JSON.stringify(metadata));
}

const FIELDS: readonly (readonly [file: string, ...fields: string[]])[] = [
  [
    "training/metadata.json",
    "status",
    "solver",
    "started_at",
    "convergence",
    "convergence.lower_bound",
    "convergence.upper_bound",
    "convergence.termination_reason",
    "iterations",
    "iterations.completed",
    "hashes",
    "distribution",
    "distribution.world_size",
    "distribution.backend",
    "configuration.seed",
    "configuration.forward_passes",
  ],
  ["simulation/metadata.json", "mean", "std", "ci95", "scenarios", "hash"],
];

async function assertDamaged(file: string, said: string): Promise<void> {
  await assert.rejects(
    openRun(damaged),
    (error) =>
      error instanceof RunError &&
      error.kind === "Damaged" &&
      error.message.includes(join(damaged, file)) &&
      error.message.includes(said),
    said,
  );
}

describe("a run with incomplete metadata", () => {
  it("is as ever if they are complete", async () => {
    const [a, b] = await Promise.all([openRun(damaged), openRun(whole)]);
    assert.deepEqual(summaryOfRun(a), summaryOfRun(b));
  });

  for (const [file, ...fields] of FIELDS) {
    for (const field of fields) {
      it(`names ${field} of ${file} if it is missing or of another type`, async () => {
        for (const value of [undefined, []]) {
          damage(file, field, value);
          await assertDamaged(file, `incomplete: ${field}`);
        }
        cpSync(join(whole, file), join(damaged, file));
      });
    }
  }

  it("is told whatever else the file holds", async () => {
    const file = "training/metadata.json";
    for (const content of ["[]", "null", "7", "{}"]) {
      writeFileSync(join(damaged, file), content);
      await assertDamaged(file, "is incomplete: status is missing; run the case again");
    }
    writeFileSync(join(damaged, file), "{");
    await assertDamaged(file, "is not JSON");
  });
});
