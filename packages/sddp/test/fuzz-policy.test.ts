/** Damaged policies and checkpoints are refused; cases that the validation accepts are trained, or refused with a typed error. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { decodeContainer, encodeContainer, openingTreeLength } from "@cobre/io";
import {
  decodePolicy,
  encodePolicy,
  hashPolicy,
  SddpError,
  train,
  validateCase,
} from "@cobre/sddp";
import { SolverError } from "@cobre/solver";
import { Dice, damagedBytes, damagedJson } from "@cobre/testing/fuzz";
import { inScope } from "@cobre/testing/scope";
import { caseNamed, changed, directoryOf } from "./cases.js";

const RUNS = inScope({ quick: [{ first: 1, count: 40 }], rest: [{ first: 1000, count: 1000 }] });
const CASES = inScope({ quick: [{ first: 1, count: 15 }], rest: [{ first: 1000, count: 300 }] });

type Seeds = (typeof RUNS)[number];

/** Runs the test for every seed. The error of a failure names its seed. */
async function forSeeds(
  { first, count }: Seeds,
  test: (dice: Dice) => void | Promise<void>,
): Promise<void> {
  for (let seed = first; seed < first + count; seed++) {
    try {
      await test(new Dice(seed));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : cause;
      throw new Error(`seed ${seed}: ${reason}`, { cause });
    }
  }
}

/** A finished policy, and a checkpoint of an interrupted training. */
const policies: Record<string, Uint8Array> = {};
let directory: string;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), "cobre-fuzz-"));
  using comm = new LocalCommunicator();
  const source = changed(await caseNamed("one-reservoir"), { iterations: 2, forwardPasses: 2 });
  const { policy } = await train(comm, source, {
    checkpoint: {
      every: 1,
      write: (current) => {
        policies.checkpoint ??= encodePolicy(current);
      },
    },
  });
  policies.policy = encodePolicy(policy);
});
after(() => rmSync(directory, { recursive: true }));

/** The policy has the same content, or is refused. */
function assertSameOrRefused(bytes: Uint8Array, original: Uint8Array): void {
  let found: ReturnType<typeof decodePolicy>;
  try {
    found = decodePolicy(bytes, "policy.bin");
  } catch (error) {
    assert.ok(error instanceof SddpError && error.kind === "InvalidPolicy", String(error));
    return;
  }
  assert.deepEqual(hashPolicy(found), hashPolicy(decodePolicy(original, "policy.bin")));
}

for (const run of RUNS) {
  describe(`${run.count} damaged policies, from seed ${run.first}`, { timeout: 600_000 }, () => {
    for (const name of ["policy", "checkpoint"]) {
      it(`a ${name} is refused`, () =>
        forSeeds(run, (dice) => {
          const original = policies[name] as Uint8Array;
          assertSameOrRefused(damagedBytes(original, dice), original);
        }));

      it(`a ${name} with a right checksum and a wrong structure is refused`, () =>
        forSeeds(run, (dice) => {
          const { header, arrays } = decodeContainer(policies[name] as Uint8Array);
          const odd: unknown = JSON.parse(damagedJson(header, dice));
          const entries = Object.entries(arrays);
          if (dice.below(2) === 0) entries.splice(dice.below(entries.length), 1);
          const bytes = encodeContainer({ header: odd, arrays: Object.fromEntries(entries) });
          try {
            decodePolicy(bytes, "policy.bin");
          } catch (error) {
            assert.ok(error instanceof SddpError && error.kind === "InvalidPolicy", String(error));
          }
        }));
    }
  });
}

/** Sizes that take a moment. What is larger is accepted, but not trained here. */
function isSmall({ case: found }: Awaited<ReturnType<typeof validateCase>>): boolean {
  return (
    found !== undefined &&
    openingTreeLength(found) < 2000 &&
    found.config.training.forwardPasses <= 5 &&
    found.config.policy.boundary === undefined
  );
}

for (const run of CASES) {
  describe(`${run.count} damaged cases, from seed ${run.first}`, { timeout: 600_000 }, () => {
    it("a case that is accepted is trained to a finite bound, or refused with a typed error", async () => {
      const source = directoryOf("one-reservoir");
      const files = readdirSync(source, { recursive: true })
        .map(String)
        .filter((file) => file.endsWith(".json"));
      using comm = new LocalCommunicator();
      await forSeeds(run, async (dice) => {
        const file = dice.pick(files);
        const copy = join(directory, "case");
        cpSync(source, copy, { recursive: true });
        const content: unknown = JSON.parse(readFileSync(join(source, file), "utf8"));
        writeFileSync(join(copy, file), damagedJson(content, dice));
        const validation = await validateCase(copy);
        rmSync(copy, { recursive: true });
        if (validation.case === undefined || !isSmall(validation)) return;
        try {
          const { lowerBound } = await train(comm, changed(validation.case, { iterations: 1 }), {
            failureDirectory: directory,
          });
          assert.ok(Number.isFinite(lowerBound));
        } catch (error) {
          assert.ok(error instanceof SddpError || error instanceof SolverError, String(error));
        }
      });
    });
  });
}
