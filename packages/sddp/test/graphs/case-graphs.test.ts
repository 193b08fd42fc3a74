/** Cases with graphs: nodes, every path of a tree, a horizon without end. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { ValidationError } from "@cobre/core";
import {
  decodePolicy,
  encodePolicy,
  hashPolicy,
  loadCase,
  type ScenarioTables,
  simulate,
  train,
  validateCase,
} from "@cobre/sddp";
import {
  CLIMATE,
  CYCLIC,
  ENUMERATED,
  EVEN,
  sampled,
  TREE,
  type TutorialGraph,
  transitions,
  tutorial,
} from "./tutorial.js";

const near = (value: number, exact: number, tolerance = 1e-6) =>
  assert.ok(Math.abs(value / exact - 1) < tolerance, `${value}, ${exact}`);

describe("a case with nodes", () => {
  it("has the optimum of its graph, and goes through a file to the same bits", async () => {
    using comm = new LocalCommunicator();
    const source = await loadCase(tutorial(CLIMATE));
    const { policy, lowerBound } = await train(comm, source);
    near(lowerBound, 7_526_041.6667, 1e-7);
    assert.deepEqual(
      policy.origin.nodes?.map(({ id, stage }) => [id, stage]),
      [
        [10, 0],
        [20, 1],
        [21, 1],
        [30, 2],
        [31, 2],
      ],
    );
    assert.equal(policy.origin.nodes?.[1]?.label, "wet");
    // Nothing follows the last nodes.
    assert.deepEqual(
      policy.pools.map(({ count }) => count > 0),
      [true, true, true, false, false],
    );
    const read = decodePolicy(encodePolicy(policy), "policy");
    assert.deepEqual(hashPolicy(read), hashPolicy(policy));
    const nodes: number[][] = [];
    const onScenario = (_: number, { paths }: ScenarioTables) =>
      nodes.push([...(paths?.find(({ name }) => name === "node_id")?.data ?? [])]);
    const before = await simulate(comm, source, policy, { scenarios: 60, onScenario });
    const after = await simulate(comm, source, read, { scenarios: 60 });
    assert.equal(after.hash, before.hash);
    assert.ok(Math.abs(before.statistics.mean / lowerBound - 1) < 0.25);
    // Wet stages are likelier at first, and both kinds persist.
    const count = (isMeant: (path: readonly number[]) => boolean) => nodes.filter(isMeant).length;
    assert.equal(
      count(([first]) => first === 10),
      60,
    );
    const wet = count(([, second]) => second === 20);
    assert.ok(wet > 30 && wet < 58, `${wet} wet`);
    assert.ok(count(([, second, third]) => third === (second ?? 0) + 10) > 30);
  });

  it("has more than one way to the same optimum: nodes that are alike are one node", async () => {
    using comm = new LocalCommunicator();
    const alike = { ...CLIMATE, inflows: [EVEN, [...EVEN, ...EVEN], [...EVEN, ...EVEN]] };
    const { lowerBound } = await train(comm, await loadCase(tutorial(alike)));
    near(lowerBound, 8_333_333.3333, 1e-7);
  });
});

describe("every path of a case", () => {
  for (const [name, risk] of [
    ["expectation", undefined],
    ["CVaR", { cvar: { alpha: 0.5, lambda: 0.5 } }],
  ] as const) {
    it(`costs what the chain of the same openings costs: ${name}`, async () => {
      using comm = new LocalCommunicator();
      const of = (graph: TutorialGraph) => loadCase(tutorial({ ...graph, ...(risk && { risk }) }));
      const inflows = [[50], EVEN, EVEN];
      const chain = await of({ training: sampled(40, 3), policyGraph: {}, inflows });
      const { lowerBound } = await train(comm, chain);
      const source = await of(TREE);
      assert.equal(source.config.training.forwardPasses, 9);
      const whole = await train(comm, source);
      assert.equal(whole.termination, "gap");
      near(whole.lowerBound, lowerBound);
      near(whole.policy.history.at(-1)?.upperBoundMean as number, lowerBound);
      const read = decodePolicy(encodePolicy(whole.policy), "policy");
      assert.deepEqual(read.history, whole.policy.history);
      assert.ok(read.origin.isEnumerated && read.history.every(({ isExact }) => isExact));
    });
  }

  it("is refused where it makes no sense, with everything else that is wrong", async () => {
    const chain = { training: ENUMERATED, policyGraph: {}, inflows: [EVEN, EVEN, EVEN] };
    const drawn = { ...sampled(3), stopping_rules: ENUMERATED.stopping_rules };
    const told = async (graph: TutorialGraph) =>
      (await validateCase(tutorial(graph))).issues.map(
        ({ file, problem }) => `${file}: ${problem}`,
      );
    assert.deepEqual(await told(chain), [
      "config.training.selection: asks for every path once, but stage 0 has 3 openings",
    ]);
    assert.deepEqual(await told({ ...chain, training: drawn }), [
      "config.training.stopping_rules[1]: compares the lower bound with the cost of the policy, which drawn paths only estimate",
    ]);
    const cyclic = { type: "cyclic", annual_discount_rate: 1 };
    assert.match((await told({ ...chain, policyGraph: cyclic })).join(), /have no end/);
  });
});

/**
 * The fixed point of the tutorial without end, in thousands of $: in units of 3.6 hm³, all numbers are multiples of 50, so corners of the value
 * functions and best decisions are, too.
 */
function tutorialFixedPoint(discounts: readonly number[]): number {
  const levels = [0, 50, 100, 150, 200];
  const fuel = [50, 100, 150];
  let first = levels.map(() => 0);
  for (let round = 0; round < 500; round++) {
    let next = first;
    for (let stage = 2; stage >= 0; stage--) {
      const behind = next;
      next = levels.map((from) => {
        let sum = 0;
        for (const inflow of EVEN) {
          const costs = levels.flatMap((to, i) => {
            const used = from + inflow - to;
            if (used < 0) return [];
            return [(150 - Math.min(used, 150)) * fuel[stage] + discounts[stage] * behind[i]];
          });
          sum += Math.min(...costs) / EVEN.length;
        }
        return sum;
      });
    }
    first = next;
  }
  return first[4];
}

describe("a cyclic case", () => {
  it("comes to the fixed point of its value functions, and is resumed with the same bits", async () => {
    using comm = new LocalCommunicator();
    const source = await loadCase(tutorial(CYCLIC));
    const exact = tutorialFixedPoint([31, 28, 31].map((days) => 9 ** (-days / 365.25))) * 1000;
    const { policy, lowerBound } = await train(comm, source);
    assert.ok(lowerBound <= exact * (1 + 1e-6), `${lowerBound}, ${exact}`);
    near(lowerBound, exact, 1e-5);
    assert.ok(policy.origin.isCyclic);
    assert.ok(policy.pools.every(({ count }) => count > 0));
    const half = await train(comm, await loadCase(tutorial({ ...CYCLIC, training: sampled(7) })));
    const resume = decodePolicy(encodePolicy(half.policy), "policy");
    const resumed = await train(comm, source, { resume });
    assert.deepEqual(hashPolicy(resumed.policy), hashPolicy(policy));
    const { statistics } = await simulate(comm, source, policy, { scenarios: 100 });
    assert.ok(Math.abs(statistics.mean / exact - 1) < 0.1, `${statistics.mean}, ${exact}`);
  });

  it("may say that the first stage follows the last", async () => {
    const edges = transitions([0, 1, 1], [1, 2, 1], [2, 0, 1]);
    const policyGraph = { ...CYCLIC.policyGraph, transitions: edges };
    const { study } = await loadCase(tutorial({ ...CYCLIC, policyGraph }));
    assert.ok(study.time.graph.isCyclic && study.time.graph.isChain);
  });

  it("needs a discount, and has no terminal value", async () => {
    const policyGraph = { type: "cyclic", annual_discount_rate: 0 };
    await assert.rejects(loadCase(tutorial({ ...CYCLIC, policyGraph })), (error) => {
      assert.ok(error instanceof ValidationError);
      assert.match(error.message, /annual_discount_rate: does not discount a cyclic horizon/);
      return true;
    });
    const policy = { boundary: { path: "elsewhere" } };
    await assert.rejects(loadCase(tutorial(CYCLIC), { policy }), /policy\.boundary: gives a value/);
    const statistical = { type: "statistical", replications: 10, period: 2 };
    const training = { ...sampled(3), stopping_rules: [...sampled(3).stopping_rules, statistical] };
    await assert.rejects(
      loadCase(tutorial({ ...CYCLIC, training })),
      /which have no end in a cyclic/,
    );
  });
});
