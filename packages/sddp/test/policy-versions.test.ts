/** What a policy file says about its states: family, entity and date. Files of earlier versions, which say less, are read. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { CASE_FILES } from "@cobre/core";
import { type Container, decodeContainer, encodeContainer, type StoppingRule } from "@cobre/io";
import { decodePolicy, encodePolicy, hashPolicy, type Policy, train } from "@cobre/sddp";
import { caseNamed, changed, directoryOf } from "./cases.js";

type Json = Record<string, unknown>;
type Parts = { header: Json & { origin: Json }; arrays: Record<string, Float64Array> };

const RULE: StoppingRule = {
  type: "simulation",
  replications: 2,
  period: 1,
  boundWindow: 1,
  boundTolerance: 1e9,
  distanceTolerance: 0,
};

const withRule = async (name: string, iterations: number) =>
  changed(await caseNamed(name), {
    forwardPasses: 1,
    rules: [{ type: "iteration_limit", limit: iterations }, RULE],
  });

function partsOf(policy: Policy): Parts {
  return structuredClone(decodeContainer(encodePolicy(policy))) as unknown as Parts;
}

const read = (parts: Parts) => decodePolicy(encodeContainer(parts as Container), "policy.bin");

/** The same policy as the version before wrote it. */
function asBefore(policy: Policy, namesRules: boolean): Policy {
  const { header, arrays } = partsOf(policy);
  const { rule_states: states, origin, ...rest } = header;
  const { components: _, pricedAt: __, ...states1 } = origin;
  const { rule_states: numbers, ...others } = arrays;
  const rules = (states as { rule: StoppingRule }[]).map(({ rule }) => rule);
  return read({
    header: { ...rest, origin: states1, ...(namesRules ? { simulation_rules: rules } : {}) },
    arrays: { ...others, last_simulation: numbers },
  });
}

describe("the states of a policy", () => {
  let policy: Policy;

  before(async () => {
    using comm = new LocalCommunicator();
    ({ policy } = await train(comm, changed(await caseNamed("four-regions"), { iterations: 1 })));
  });

  it("have a family, an entity and a lag, in the order of the coefficients", () => {
    const { origin, points } = decodePolicy(encodePolicy(policy), "policy.bin");
    const hydros = JSON.parse(
      readFileSync(join(directoryOf("four-regions"), CASE_FILES.hydros), "utf8"),
    ).hydros.map(({ id }: { id: number }) => id);
    assert.equal(hydros.length, 4);
    assert.deepEqual(
      origin.components?.map(({ family, entityId, lag, unit }) => [family, entityId, lag, unit]),
      [
        ...hydros.map((id: number) => ["storage", id, undefined, "hm3"]),
        ...hydros.map((id: number) => ["inflow_lag", id, 1, "m3/s"]),
      ],
    );
    assert.equal(origin.components?.length, points.dimension);
  });

  it("are priced at the end of each stage", () => {
    const { origin } = decodePolicy(encodePolicy(policy), "policy.bin");
    const { stages } = JSON.parse(
      readFileSync(join(directoryOf("four-regions"), CASE_FILES.stages), "utf8"),
    );
    assert.deepEqual(
      origin.pricedAt,
      stages.map(({ end_date: end }: { end_date: string }) => end),
    );
  });

  it("are refused if they contradict themselves", () => {
    const faults: [change: (origin: Json) => void, RegExp][] = [
      [(origin) => (origin.components as Json[]).pop(), /origin\.components are not one for each/],
      [
        (origin) => {
          (origin.components as Json[])[1].entityId = 77;
        },
        /origin\.components\[1\]\.entityId is not /,
      ],
      [
        (origin) => {
          (origin.components as Json[])[4].lag = 2;
        },
        /origin\.components\[4\]\.lag is not 1/,
      ],
      [
        (origin) => {
          (origin.components as Json[])[0].family = "snow";
        },
        /origin\.components\[0\]\.family is not storage/,
      ],
      [(origin) => (origin.pricedAt as string[]).pop(), /origin\.pricedAt does not have one/],
      [
        (origin) => {
          (origin.pricedAt as unknown[])[2] = "2025";
        },
        /origin\.pricedAt\[2\] is not a date, as in 2025-02-01/,
      ],
    ];
    for (const [change, message] of faults) {
      const parts = partsOf(policy);
      change(parts.header.origin);
      assert.throws(() => read(parts), { kind: "InvalidPolicy", message });
    }
  });
});

describe("a policy file of an earlier version", () => {
  it("is read, and resumed to the same bits", async () => {
    using comm = new LocalCommunicator();
    const { policy } = await train(comm, await withRule("sddp-tutorial", 3));
    assert.equal(policy.ruleStates.length, 1);
    const longer = await withRule("sddp-tutorial", 5);
    const expected = await train(comm, longer, { resume: policy });
    for (const namesRules of [true, false]) {
      const old = asBefore(policy, namesRules);
      assert.equal(old.origin.components, undefined);
      assert.equal(old.origin.pricedAt, undefined);
      assert.deepEqual(old.ruleStates, [
        { rule: namesRules ? RULE : undefined, values: policy.ruleStates[0].values },
      ]);
      const resumed = await train(comm, longer, { resume: old });
      assert.deepEqual(hashPolicy(resumed.policy), hashPolicy(expected.policy));
      assert.deepEqual(resumed.policy.ruleStates, expected.policy.ruleStates);
      assert.deepEqual(resumed.policy.origin, expected.policy.origin, "it says more from now on");
    }
  });
});
