/** Problems over graphs of nodes: optima that are found another way, the same bits on other ranks, policies that are kept. */
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
  loadCase,
  type Policy,
  type PolicyOrigin,
  type RiskMeasurePlugin,
  SddpError,
  simulate,
  train,
} from "@cobre/sddp";
import { type LpSolver, loadSolver } from "@cobre/solver";
import { inScope } from "@cobre/testing/scope";
import { climate, demands, GRAPH_PROBLEMS, NO_GAP, SHORT_PROBLEMS } from "./problems.js";
import { transitions, tutorial } from "./tutorial.js";

const RANK = fileURLToPath(new URL("graphs-rank.js", import.meta.url));
let solver: LpSolver;
before(async () => {
  solver = await loadSolver("highs");
});

type Name = keyof typeof GRAPH_PROBLEMS;
const NAMES = Object.keys(GRAPH_PROBLEMS) as Name[];

const near = (value: number, exact: number, tolerance = 1e-6) =>
  assert.ok(
    Math.abs(value - exact) < tolerance * Math.max(1, Math.abs(exact)),
    `${value}, ${exact}`,
  );

/** Of cyclic problems the bound never stops rising. */
const TOLERANCE: Partial<Record<Name, number>> = {
  weeks: 1e-4,
  seasons: 1e-4,
  "seasons with income": 1e-4,
};

for (const name of inScope<Name>({ quick: NAMES, rest: [] })) {
  describe(name, () => {
    it("training comes to the optimum from below, and simulations agree with it", async () => {
      using comm = new LocalCommunicator();
      const { model, optimum } = GRAPH_PROBLEMS[name];
      const exact = optimum(solver);
      const { lowerBound, policy } = await train(comm, model, { solver });
      near(lowerBound, exact, TOLERANCE[name]);
      const size = 1e-9 * Math.max(1, Math.abs(exact));
      const bounds = [policy.initialBound, ...policy.history.map((one) => one.lowerBound)];
      bounds.forEach((bound, i) => {
        assert.ok(bound <= exact + size, `${bound} after iteration ${i}`);
        assert.ok(i === 0 || bound >= bounds[i - 1] - size, `${bound} after iteration ${i}`);
      });
      if (!policy.origin.isRiskNeutral) return;
      const { statistics } = await simulate(comm, model, policy, { solver, scenarios: 120 });
      const allowed = 4 * ((statistics.ci95 ?? 0) / 1.96) + 1e-4 * Math.abs(exact);
      assert.ok(Math.abs(statistics.mean - exact) < allowed, `${statistics.mean}, ${exact}`);
    });
  });
}

describe("published bounds", () => {
  for (const [name, bound] of inScope<readonly [Name, number]>({
    quick: [["weeks", 119.167]],
    rest: [],
  })) {
    it(`${name}: ${bound}`, () => {
      assert.equal(GRAPH_PROBLEMS[name].optimum(solver).toFixed(3), String(bound));
    });
  }
});

describe("passes along every path", () => {
  for (const risk of inScope<{ alpha: number; lambda: number } | undefined>({
    quick: [undefined, { alpha: 0.4, lambda: 0.7 }],
    rest: [],
  })) {
    it(`know the cost of the policy, ${risk ? "with risk" : "without risk"}`, async () => {
      using comm = new LocalCommunicator();
      const name = risk ? "demands with risk, every path" : "demands, every path";
      const exact = GRAPH_PROBLEMS[name].optimum(solver);
      const { policy, termination, hasConverged } = await train(
        comm,
        demands(
          { training: { selection: { method: "enumerated" }, stopping_rules: NO_GAP } },
          risk,
        ),
        { solver },
      );
      assert.equal(termination, "gap");
      assert.ok(hasConverged);
      assert.equal(policy.origin.forwardPasses, 5);
      for (const {
        upperBoundMean,
        upperBoundStd,
        lowerBound,
        cutsAdded,
        lpSolves,
      } of policy.history) {
        assert.ok(upperBoundMean >= exact - 1e-9, `${upperBoundMean}, ${exact}`);
        assert.ok(lowerBound <= exact + 1e-9);
        assert.equal(upperBoundStd, 0);
        // Three nodes are followed by others. Each node is solved once forward, once backward, and the first for the bound.
        assert.deepEqual([cutsAdded, lpSolves], [3, 8 + 7 + 1]);
      }
      const costs = policy.history.map(({ upperBoundMean }) => upperBoundMean);
      assert.ok(costs[0] > exact + 1, `${costs[0]}: the first policy knows nothing`);
      near(costs.at(-1) as number, exact, 1e-9);
    });
  }

  it("end earlier with a tolerance in the unit of the objective, or in percent", async () => {
    using comm = new LocalCommunicator();
    const ended = async (gap: object) => {
      const stopping_rules = [NO_GAP[0], { type: "gap", ...gap }];
      const config = { training: { selection: { method: "enumerated" }, stopping_rules } };
      const { policy } = await train(comm, demands(config), { solver });
      const { lowerBound, upperBoundMean } = policy.history.at(-1) as Policy["history"][number];
      return [policy.iteration, upperBoundMean - lowerBound] as const;
    };
    const [exactly] = await ended({ tolerance: 0 });
    const [wide, gap] = await ended({ tolerance: 1000 });
    assert.equal(wide, 1);
    assert.ok(gap > 0 && gap < 1000);
    const [byPercent] = await ended({ relative_tolerance: 1e6 });
    assert.equal(byPercent, 1);
    assert.ok(exactly > 1);
  });

  it("are refused where they make no sense", () => {
    const refused = (change: object, message: RegExp) =>
      assert.throws(
        () =>
          defineModel({
            stages: 2,
            state: { stock: 0 },
            build: () => {},
            config: { training: { selection: { method: "enumerated" } } },
            ...change,
          }),
        message,
      );
    refused(
      { openings: () => [1, 2] },
      /selection: asks for every path once, but stage 0 has 2 openings/,
    );
    refused({ isCyclic: true, discount: 0.5 }, /in a cyclic horizon paths have no end/);
    const joins = (stage: number) => [[[1]], [[0.5, 0.5]], [[1], [1]]][stage] as number[][];
    refused({ stages: 3, transitions: joins }, /several paths lead to the same node/);
    refused(
      { config: { training: { selection: { method: "enumerated" }, forward_passes: 3 } } },
      /forward_passes: stands beside the enumerated selection/,
    );
    const sampled = { training: { stopping_rules: NO_GAP } };
    const using_ = defineModel({ stages: 1, state: {}, build: () => {}, config: sampled });
    using comm = new LocalCommunicator();
    return assert.rejects(
      train(comm, using_, { solver }),
      /gap compares the lower bound with the cost/,
    );
  });
});

describe("what graphs share with chains", () => {
  type Short = keyof typeof SHORT_PROBLEMS;
  const names = Object.keys(SHORT_PROBLEMS) as Short[];
  const run = async (ranks: number, backend: "local" | "shm" | "tcp") => {
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
  let alone: Promise<string> | undefined;
  for (const [backend, ranks] of inScope<readonly ["shm" | "tcp", number]>({
    quick: [["tcp", 3]],
    rest: [
      ["shm", 2],
      ["shm", 4],
      ["tcp", 2],
    ],
  })) {
    it(`the same bits on ${backend} with ${ranks} ranks`, async () => {
      alone ??= run(1, "local");
      assert.equal((await alone).trim().split("\n").length, names.length);
      assert.equal(await run(ranks, backend), await alone);
    });
  }

  for (const name of inScope<Short>({ quick: names, rest: [] })) {
    it(`a policy is kept as a file, and training is resumed with the same bits: ${name}`, async () => {
      using comm = new LocalCommunicator();
      const model = SHORT_PROBLEMS[name];
      const whole = await train(comm, model, { solver });
      let early: Uint8Array | undefined;
      const write = (policy: Policy) => {
        early ??= encodePolicy(policy);
      };
      await train(comm, model, { solver, checkpoint: { every: 1, write } });
      const resume = decodePolicy(early as Uint8Array, "early");
      assert.equal(resume.iteration, 1);
      const resumed = await train(comm, model, { solver, resume });
      assert.deepEqual(hashPolicy(resumed.policy), hashPolicy(whole.policy));
      // A warm start has all cuts at once, and they are valid: nothing of the problem has changed.
      const warm = await train(comm, model, { solver, warmStart: whole.policy });
      assert.deepEqual(warm.policy.boundCaveats, []);
      assert.ok(warm.policy.initialBound >= whole.lowerBound - 1e-9 * Math.abs(whole.lowerBound));
      const other = SHORT_PROBLEMS[name === "climate" ? "seasons" : "climate"];
      await assert.rejects(
        simulate(comm, other, resume, { solver }),
        (error) => error instanceof SddpError && error.kind === "IncompatiblePolicy",
      );
    });
  }

  for (const method of inScope({ quick: ["lml1"], rest: ["level1", "domination"] })) {
    it(`with cut selection by ${method} the bound comes to the same`, async () => {
      using comm = new LocalCommunicator();
      const training = {
        forward_passes: 3,
        stopping_rules: [{ type: "iteration_limit", limit: 20 }],
        cut_selection: { enabled: true, method, check_frequency: 2 },
      };
      const { policy, lowerBound } = await train(comm, climate({ training }), { solver });
      near(lowerBound, GRAPH_PROBLEMS.climate.optimum(solver));
      const [first, ...others] = policy.pools;
      assert.equal(first?.active, first?.count);
      // Here every cut is among the highest somewhere; only lml1 lets go of those that are not alone.
      if (method === "lml1") assert.ok(others.some(({ active, count }) => active < count));
    });
  }

  for (const stages of inScope({ quick: [3], rest: [] })) {
    it("a graph with one node in each stage is the chain, to the last bit", async () => {
      using comm = new LocalCommunicator();
      const model = (transitions?: () => readonly (readonly number[])[]) =>
        defineModel({
          stages,
          transitions,
          openings: () => [1, 4],
          state: { stock: { initial: 2, upper: 6 } },
          config: { training: { stopping_rules: [{ type: "iteration_limit", limit: 9 }] } },
          build(stage) {
            const { stock } = stage.state;
            const bought = stage.column("bought", { objective: stage.index + 1 });
            const terms = [
              [stock.out, 1],
              [stock.in, -1],
              [bought, -1],
            ] as const;
            stage.row("balance", terms, { equals: (demand) => -demand });
          },
        });
      const [chain, graph] = [model(), model(() => [[1]])];
      const trained = [await train(comm, chain, { solver }), await train(comm, graph, { solver })];
      const [one, other] = trained.map(({ policy }) => policy) as [Policy, Policy];
      assert.deepEqual(hashPolicy(one), hashPolicy(other));
      assert.equal(one.origin.caseFingerprint, other.origin.caseFingerprint);
    });
  }
});

describe("policies of graphs", () => {
  for (const [what, change, message] of inScope<
    readonly [string, (origin: PolicyOrigin) => PolicyOrigin, RegExp]
  >({
    quick: [
      [
        "a node of no stage",
        ({ nodes = [], ...origin }) => ({
          ...origin,
          nodes: [...nodes.slice(1), { id: 0, stage: 9 }],
        }),
        /origin\.nodes\[4\]\.stage is not a stage/,
      ],
      [
        "paths through nodes of other stages",
        ({ nodes = [], ...origin }) => ({ ...origin, nodes: [...nodes].reverse() }),
        /trial_nodes names a node that is not of the stage/,
      ],
      ["no nodes", ({ nodes: _, ...origin }) => origin, /floors does not have one for each stage/],
    ],
    rest: [],
  })) {
    it(`are refused with ${what}`, async () => {
      using comm = new LocalCommunicator();
      const { policy } = await train(comm, SHORT_PROBLEMS.climate, { solver });
      const bytes = encodePolicy({ ...policy, origin: change(policy.origin) });
      assert.throws(() => decodePolicy(bytes, "damaged"), message);
    });
  }

  for (const kind of inScope({ quick: ["half_worst"], rest: [] })) {
    it("are not trained with a risk measure that knows no probabilities", async () => {
      using comm = new LocalCommunicator();
      const halfWorst: RiskMeasurePlugin = {
        kind,
        example: `"${kind}"`,
        create: () => (costs, weights) => {
          weights.fill(0.5 / costs.length);
          weights[costs.indexOf(Math.max(...costs))] += 0.5;
        },
        isNeutral: () => false,
        describe: () => kind,
      };
      const plugins = { riskMeasures: [halfWorst] };
      const source = await loadCase(
        tutorial({
          training: {
            selection: { method: "sampled", forward_passes: 1 },
            stopping_rules: [{ type: "iteration_limit", limit: 1 }],
          },
          policyGraph: {
            nodes: [0, 1, 2, 3].map((id) => ({ id, stage_id: [0, 1, 1, 2][id] })),
            transitions: transitions([0, 1, 0.3], [0, 2, 0.7], [1, 3, 1], [2, 3, 1]),
          },
          inflows: [[0], [0, 50], [0]],
          nodes: [1, 2, 1],
          risk: kind,
        }),
        undefined,
        plugins,
      );
      await assert.rejects(
        train(comm, source, { solver, plugins }),
        /half_worst.*knowsProbabilities/,
      );
    });
  }
});

describe("graphs that cannot be", () => {
  const model = (change: object) => () =>
    defineModel({ stages: 3, state: { stock: 0 }, build: () => {}, ...change });
  const matrices = (...all: readonly (readonly (readonly number[])[])[]) => ({
    transitions: (stage: number) => all[stage],
  });
  for (const [what, change, message] of inScope<readonly [string, object, RegExp]>({
    quick: [
      [
        "sums that are not 1",
        matrices([[1]], [[0.5, 0.4]], [[1], [1]]),
        /transitions\(1\): row 0 is \[0.5, 0.4\]/,
      ],
      [
        "a row too few",
        matrices([[1]], [[0.5, 0.5]], [[1]]),
        /transitions\(2\): has 1 rows; give a row for each of the 2/,
      ],
      [
        "rows before the first stage",
        matrices([[1], [1]], [[1]], [[1]]),
        /transitions\(0\): has 2 rows; give one row/,
      ],
      ["a node without a way", matrices([[1]], [[1, 0]], [[1], [1]]), /nothing leads to node 1/],
      ["no node", matrices([[1]], [[]], [[1]]), /transitions\(1\): row 0 is \[\]/],
      [
        "nodes in a cycle",
        { ...matrices([[1]], [[1]], [[1]]), isCyclic: true, discount: 0.5 },
        /stand beside isCyclic/,
      ],
      ["a cycle without discount", { isCyclic: true }, /discount: is 1; must be below 1/],
    ],
    rest: [],
  })) {
    it(what, () => assert.throws(model(change), message));
  }
});

describe("probabilities with six digits", () => {
  it("are taken for what they are meant to be", () => {
    const third = 0.333333;
    const rows = (last: number) => [[[1]], [[third, third, last]], [[1], [1], [1]]];
    const model = (last: number) => () =>
      defineModel({
        stages: 3,
        state: { stock: 0 },
        build: () => {},
        transitions: (stage: number) => rows(last)[stage],
      });
    assert.doesNotThrow(model(third));
    assert.throws(model(third - 5e-6), /transitions\(1\): row 0 is/);
  });
});
