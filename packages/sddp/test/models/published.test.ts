/** Models of a program's own: published optima, the same bits on other ranks, policies that are kept. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { LocalCommunicator } from "@cobre/comm";
import { launch } from "@cobre/comm/launch";
import {
  decodePolicy,
  defineModel,
  encodePolicy,
  hashPolicy,
  SddpError,
  simulate,
  train,
} from "@cobre/sddp";
import { type LpSolver, loadSolver } from "@cobre/solver";
import { inScope } from "@cobre/testing/scope";
import { PUBLISHED } from "./published.js";

const RANK = fileURLToPath(new URL("models-rank.js", import.meta.url));
let solver: LpSolver;
before(async () => {
  solver = await loadSolver("highs");
});

for (const [name, { model, optimum, digits, derived }] of inScope({
  quick: Object.entries(PUBLISHED),
  rest: [],
})) {
  describe(name, () => {
    it("the whole tree has the published optimum", () => {
      assert.ok(Math.abs(derived(solver) - optimum) < 10 ** -digits, String(derived(solver)));
    });

    it("training reaches it, and simulations agree with it", async () => {
      using comm = new LocalCommunicator();
      const { bound, lowerBound, policy } = await train(comm, model, { solver });
      const exact = derived(solver);
      assert.ok(Math.abs(bound - exact) < 1e-6 * Math.max(1, Math.abs(exact)), `${bound}`);
      assert.equal(Math.abs(bound), Math.abs(lowerBound));
      const { objective, statistics } = await simulate(comm, model, policy, {
        solver,
        scenarios: 200,
      });
      assert.equal(Math.abs(objective), Math.abs(statistics.mean));
      if (policy.origin.isRiskNeutral) {
        const allowed = 3 * (statistics.ci95 ?? 0) + 1e-6;
        assert.ok(Math.abs(objective - exact) < allowed, `${objective} ± ${statistics.ci95}`);
      }
    });
  });
}

/** The first stages of a year in which a stock is sold at prices that fall and rise. */
function sales(stages: number, initial: number, futureBound?: number) {
  return defineModel({
    stages,
    state: { stock: { initial, upper: 4 } },
    openings: () => [0, 1, 2],
    futureBound,
    config: { training: { stopping_rules: [{ type: "iteration_limit", limit: 20 }] } },
    build(stage) {
      const { stock } = stage.state;
      const sold = stage.column("sold", { objective: [-3, -2, -4][stage.index], upper: 2 });
      const lost = stage.column("lost", { objective: 1, upper: 9 });
      const terms = [
        [stock.out, 1],
        [stock.in, -1],
        [sold, 1],
        [lost, 1],
      ] as const;
      stage.row("balance", terms, { equals: (supply) => supply });
    },
  });
}

describe("what a defined model shares with cases", () => {
  const runs = async (
    ranks: number,
    backend: "local" | "shm" | "tcp",
    names: readonly string[],
  ) => {
    await using job = await launch({
      ranks,
      backend,
      command: [process.execPath, RANK, ...names],
      output: "capture",
    });
    const { code, ranks: ended } = await job.done;
    assert.equal(code, 0, ended.map(({ stderr }) => stderr).join("\n"));
    return ended[0]?.stdout ?? "";
  };

  const all = Object.keys(PUBLISHED);
  for (const [backend, ranks, names] of inScope<
    readonly ["shm" | "tcp", number, readonly string[]]
  >({
    quick: [["shm", 3, ["production management", "asset management with risk"]]],
    rest: [
      ["shm", 2, all],
      ["tcp", 2, all],
      ["tcp", 3, all],
    ],
  })) {
    it(`the same bits on ${backend} with ${ranks} ranks`, async () => {
      const alone = await runs(1, "local", names);
      assert.equal(alone.trim().split("\n").length, names.length);
      assert.equal(await runs(ranks, backend, names), alone);
    });
  }

  for (const backend of inScope<"shm" | "tcp">({ quick: ["shm"], rest: ["tcp"] })) {
    it(`ranks on ${backend} that define other models are told so`, async () => {
      await using job = await launch({
        ranks: 2,
        backend,
        command: [process.execPath, RANK, "differ"],
        output: "capture",
      });
      const { ranks } = await job.done;
      const told = ranks.map(({ stdout }) => stdout).join("");
      assert.match(told, /ModelsDiffer: .*those of ranks 0 and 1 differ/);
    });
  }

  for (const futureBound of inScope({ quick: [undefined, -50], rest: [] })) {
    it(`terminal values and a warm start from another policy, future bound ${futureBound}`, async () => {
      using comm = new LocalCommunicator();
      const whole = await train(comm, sales(3, 2, futureBound), { solver });
      const boundary = { policy: whole.policy, sourceStage: 1 };
      const first = sales(2, 2, futureBound);
      const { bound } = await train(comm, first, { solver, boundary });
      assert.ok(Math.abs(bound - whole.bound) < 1e-9, `${bound}, ${whole.bound}`);
      assert.ok((await train(comm, first, { solver })).bound > whole.bound + 1);
      // Where a model starts does not matter to its cuts.
      const warm = await train(comm, sales(3, 1, futureBound), { solver, warmStart: whole.policy });
      assert.deepEqual(warm.policy.boundCaveats, []);
      const cold = await train(comm, sales(3, 1, futureBound), { solver });
      assert.ok(Math.abs(warm.bound - cold.bound) < 1e-9);
      const other = PUBLISHED["asset management"].model;
      await assert.rejects(train(comm, other, { solver, boundary }), /its states are stock/);
    });
  }

  for (const name of inScope({ quick: ["asset management with risk"] as const, rest: [] })) {
    it("a policy is kept as a file, and training is resumed with the same bits", async () => {
      using comm = new LocalCommunicator();
      const { model } = PUBLISHED[name];
      const whole = await train(comm, model, { solver });
      let half: Uint8Array | undefined;
      const write = (policy: Parameters<typeof encodePolicy>[0]) => {
        half ??= encodePolicy(policy);
      };
      await train(comm, model, { solver, checkpoint: { every: 7, write } });
      assert.ok(half);
      const resume = decodePolicy(half, "half");
      assert.equal(resume.iteration, 7);
      const resumed = await train(comm, model, { solver, resume });
      assert.deepEqual(hashPolicy(resumed.policy), hashPolicy(whole.policy));
      const other = PUBLISHED["asset management"].model;
      await assert.rejects(
        train(comm, other, { solver, resume }),
        (error) => error instanceof SddpError && error.kind === "IncompatiblePolicy",
      );
      const stock = PUBLISHED["the stock problem"].model;
      await assert.rejects(simulate(comm, stock, resume, { solver }), /states stocks, bonds/);
    });
  }
});
