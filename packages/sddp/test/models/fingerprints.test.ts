/** Everything that affects training is in the fingerprints of a defined model: a policy of another model must not be taken for its own. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { RiskMeasure } from "@cobre/core";
import { defineModel, train } from "@cobre/sddp";

/** What differs between openings stands in no program but for the first opening; so the second one is changed. */
const BASE = {
  price: 2,
  demand: 5,
  share: 0.5,
  initial: 1,
  discount: 0.9,
  passes: 1,
  sense: "min" as "min" | "max",
  risk: { kind: "expectation" } as RiskMeasure,
};

/** The numbers of `changed` hold in the second opening of stage 1, or in the whole model. */
async function originOf(changed: Partial<typeof BASE>) {
  using comm = new LocalCommunicator();
  const all = { ...BASE, ...changed };
  const model = defineModel({
    stages: 3,
    sense: all.sense,
    state: { stock: { initial: all.initial, upper: 9 } },
    openings: (stage) => [BASE, stage === 1 ? all : BASE],
    discount: all.discount,
    risk: (stage) => (stage === 0 ? all.risk : BASE.risk),
    config: {
      training: {
        forward_passes: all.passes,
        stopping_rules: [{ type: "iteration_limit", limit: 1 }],
      },
    },
    build(stage) {
      const { stock } = stage.state;
      const bought = stage.column("bought", { objective: ({ price }) => price, upper: 9 });
      const kept = [stock.in, ({ share }: typeof BASE) => share] as const;
      const terms = [[stock.out, -1], [bought, 1], kept] as const;
      stage.row("balance", terms, { equals: 0 });
      stage.row("demand", [[stock.out, 1]], { atMost: ({ demand }) => demand });
    },
  });
  return (await train(comm, model)).policy.origin;
}

describe("fingerprints of a defined model", () => {
  const changes = {
    "the objective of an opening": [{ price: 3 }, [0]],
    "the limit of an opening": [{ demand: 6 }, [0]],
    "the coefficient of an opening": [{ share: 0.25 }, [0]],
    "the risk measure": [{ risk: { kind: "cvar", alpha: 0.5, lambda: 0.5 } }, [0]],
    // That of the last stage counts if something lies behind it.
    "the discount": [{ discount: 0.8 }, [0, 1]],
    "the sense": [{ sense: "max" }, [0, 1]],
    "the initial state": [{ initial: 2 }, []],
    "the forward passes": [{ passes: 2 }, []],
  } as const satisfies Record<string, readonly [Partial<typeof BASE>, readonly number[]]>;

  for (const [what, [change, stages]] of Object.entries(changes)) {
    it(`${what} is another model, with other futures of stages [${stages}]`, async () => {
      const [before, after] = [await originOf({}), await originOf(change)];
      assert.notEqual(after.caseFingerprint, before.caseFingerprint);
      const differing = (before.futureFingerprints ?? []).flatMap((future, stage) =>
        future === after.futureFingerprints?.[stage] ? [] : [stage],
      );
      assert.deepEqual(differing, stages);
    });
  }

  it("the same definition is the same model", async () => {
    assert.deepEqual(await originOf({}), await originOf({}));
  });
});
