/** Cuts of policies that the programs of the Cobre project have written. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import {
  type Boundary,
  decodePolicy,
  encodePolicy,
  isReferencePolicy,
  loadCase,
  type Policy,
  readReferencePolicy,
  SddpError,
  simulate,
  train,
} from "@cobre/sddp";
import { Dice, damagedBytes } from "@cobre/testing/fuzz";
import { caseNamed, changed } from "../cases.js";
import { EVEN, sampled, tutorial } from "../graphs/tutorial.js";
import type { FlatFields } from "./flat-writer.js";
import { type Otherwise, writeEarlier, writeLater } from "./write-policy.js";

const OPTIMUM = 8_333_333.333333;
const WRITERS = { "Cobre 0.5": writeEarlier, "Cobre 0.18": writeLater } as const;

let folder = "";
let source: Case;
let whole: Policy;
/** With past inflows of two plants in the state. */
let lagged: Policy;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-reference-"));
  using comm = new LocalCommunicator();
  source = changed(await caseNamed("sddp-tutorial"), { iterations: 30 });
  whole = (await train(comm, source)).policy;
  lagged = (await train(comm, changed(await caseNamed("four-regions"), { iterations: 1 }))).policy;
});
after(() => rmSync(folder, { recursive: true }));

let written = 0;
const place = () => join(folder, `output-${++written}`);
const near = (value: number, exact: number, tolerance = 1e-9) =>
  assert.ok(Math.abs(value / exact - 1) < tolerance, `${value}, ${exact}`);

describe("a policy of the Cobre project", () => {
  for (const [name, write] of Object.entries(WRITERS)) {
    it(`has its cuts, in thousands of $, and its states by name: ${name}`, () => {
      for (const policy of [whole, lagged]) {
        const directory = write(policy, place());
        assert.ok(isReferencePolicy(directory));
        const read = readReferencePolicy(directory);
        const { hydroIds, lags, components, pricedAt } = read.origin;
        assert.deepEqual([...hydroIds].sort(), [...policy.origin.hydroIds].sort());
        assert.equal(lags, policy.origin.lags);
        assert.equal(components?.length, policy.origin.components?.length);
        assert.deepEqual(pricedAt, name === "Cobre 0.5" ? undefined : policy.origin.pricedAt);
        policy.pools.forEach((pool, stage) => {
          const found = read.pools[stage];
          assert.equal(found.count, pool.count);
          for (let slot = 0; slot < pool.count; slot++) {
            const near12 = (a: number, b: number) =>
              assert.ok(Math.abs(a - b) <= 1e-12 * Math.abs(b), `${a}, ${b}`);
            near12(found.intercept(slot), pool.intercept(slot));
            policy.origin.components?.forEach(({ family, entityId, lag }, i) => {
              const at = components?.findIndex(
                (one) => one.family === family && one.entityId === entityId && one.lag === lag,
              );
              near12(found.coefficient(slot, at ?? -1), pool.coefficient(slot, i));
            });
          }
        });
      }
    });

    it(`gives terminal values: ${name}`, async () => {
      using comm = new LocalCommunicator();
      const policy = readReferencePolicy(write(whole, place()));
      const inflows = [EVEN, EVEN, EVEN];
      const short = await loadCase(tutorial({ training: sampled(20), policyGraph: {}, inflows }));
      const own = await train(comm, short, { boundary: { policy: whole, sourceStage: 1 } });
      const other = await train(comm, short, { boundary: { policy, sourceStage: 1 } });
      near(other.lowerBound, own.lowerBound);
      assert.ok(own.lowerBound > 1.2 * OPTIMUM, `${own.lowerBound}`);
    });

    it(`starts a training, whose bound is then an estimate, and can be simulated: ${name}`, async () => {
      using comm = new LocalCommunicator();
      // As rank 0 sends it to the others.
      const policy = decodePolicy(
        encodePolicy(readReferencePolicy(write(whole, place()))),
        "policy",
      );
      const once = changed(source, { iterations: 1 });
      const warm = await train(comm, once, { warmStart: policy });
      near(warm.lowerBound, OPTIMUM, 1e-6);
      assert.deepEqual(warm.policy.boundCaveats, ["foreign_cuts"]);
      const cold = await train(comm, once);
      assert.ok(cold.lowerBound < 0.9 * OPTIMUM);
      const simulated = await simulate(comm, source, policy, { scenarios: 200 });
      const own = await simulate(comm, source, whole, { scenarios: 200 });
      near(simulated.statistics.mean, own.statistics.mean, 0.02);
    });
  }

  it("is found by its dates if it is of Cobre 0.18, and not if it is of Cobre 0.5", async () => {
    using comm = new LocalCommunicator();
    const boundary = (policy: Policy): Boundary => ({ policy });
    const earlier = boundary(readReferencePolicy(writeEarlier(whole, place())));
    await assert.rejects(train(comm, source, { boundary: earlier }), /source_stage/);
    const later = boundary(readReferencePolicy(writeLater(whole, place())));
    // The study ends when the last stage of the other one ends, which has no cuts.
    await assert.rejects(train(comm, source, { boundary: later }), /no cuts for stage 2, which/);
  });
});

describe("a policy that cannot be read with certainty is refused by name", () => {
  const refused = (directory: string, told: RegExp) =>
    assert.throws(
      () => readReferencePolicy(directory),
      (error) => {
        assert.ok(error instanceof SddpError && error.kind === "InvalidPolicy", String(error));
        assert.match(error.message, told);
        return true;
      },
    );
  const earlier = (otherwise: Otherwise) => writeEarlier(whole, place(), otherwise);
  const later = (otherwise: Otherwise) => writeLater(whole, place(), otherwise);

  it("other versions, whose numbers have other units", () => {
    refused(earlier({ version: "0.9.0" }), /metadata\.json .*of Cobre 0\.9\.0, and not of 0\.5/);
    refused(later({ format: 4, version: "0.19.0" }), /cobre 0\.19\.0 in format 4, and only/);
  });

  it("cuts of Cobre 0.5 without the names of their hydros", () => {
    refused(
      earlier({ withoutDictionary: true }),
      /do not say which hydros.*state_dictionary\.json/,
    );
  });

  it("values of what is not matched by date, unless they are 0", () => {
    const transit: FlatFields = { 0: ["u8", 3], 1: ["i32", 7], 2: ["u32", 1] };
    const withTransit =
      (value: number) =>
      (fields: FlatFields): FlatFields => {
        const [, cuts] = fields[4] as readonly ["tables", readonly FlatFields[]];
        const [, slots] = fields[7] as readonly ["tables", readonly FlatFields[]];
        const longer = cuts.map((cut): FlatFields => {
          const [, slopes] = cut[5] as readonly ["f64s", number[]];
          return { ...cut, 5: ["f64s", [...slopes, value]] };
        });
        return {
          ...fields,
          1: ["u32", 2],
          4: ["tables", longer],
          7: ["tables", [...slots, transit]],
        };
      };
    refused(later({ stage: withTransit(-3) }), /price water on its way \(entity 7\)/);
    const read = readReferencePolicy(later({ stage: withTransit(0) }));
    assert.equal(read.pools[0].count, whole.pools[0].count);
    assert.deepEqual(read.origin.hydroIds, whole.origin.hydroIds);
  });

  it("several nodes in a stage, stages that are missing, counts that differ", () => {
    const all = (field: number, value: FlatFields[number]) => ({
      stage: (fields: FlatFields) => ({ ...fields, [field]: value }),
    });
    refused(later(all(10, ["i32", 0])), /stage 0 has cuts of several nodes/);
    const directory = later({});
    rmSync(join(directory, "cuts/001.bin"));
    refused(directory, /it has cuts of 2 stages, and the policy 3/);
    const ids = readReferencePolicy(later({ stage: (f, i) => ({ ...f, 10: ["i32", 5 + i] }) }));
    assert.equal(ids.pools[1].count, whole.pools[1].count);
    refused(later(all(6, ["u32", 1])), /not have as many cuts as it says/);
    refused(earlier(all(1, ["u32", 5])), /coefficients, not 5/);
  });

  it("damaged files: never a hang, never a crash", () => {
    const directory = later({});
    const file = join(directory, "cuts", readdirSync(join(directory, "cuts"))[0] as string);
    const bytes = readFileSync(file);
    for (let seed = 0; seed < 400; seed++) {
      writeFileSync(file, damagedBytes(bytes, new Dice(seed)));
      try {
        readReferencePolicy(directory);
      } catch (error) {
        assert.ok(error instanceof SddpError && error.kind === "InvalidPolicy", String(error));
      }
    }
  });
});
