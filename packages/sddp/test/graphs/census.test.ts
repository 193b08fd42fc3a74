/** Simulations along every path of a tree: the mean by probability is the cost of the policy. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { ValidationError } from "@cobre/core";
import {
  decodePolicy,
  defineModel,
  encodePolicy,
  loadCase,
  type ScenarioTables,
  simulate,
  train,
  validateCase,
} from "@cobre/sddp";
import { loadSolver } from "@cobre/solver";
import { Exchange, openModel, Workspace } from "#internal";
import {
  CLIMATE,
  CYCLIC,
  EVEN,
  sampled,
  TREE,
  type TutorialGraph,
  transitions,
  tutorial,
} from "./tutorial.js";

const CENSUS = { simulation: { enabled: true, selection: { method: "enumerated" } } };
const SHARES = [0.5, 0.3, 0.2];

/** The tree of the tutorial with branches that are not equally likely. */
const UNEQUAL: TutorialGraph = {
  ...TREE,
  policyGraph: {
    ...TREE.policyGraph,
    transitions: [
      ...transitions(...[1, 2, 3].map((node, i) => [0, node, SHARES[i] as number] as const)),
      ...[1, 2, 3].flatMap((from) =>
        transitions(
          ...[1, 2, 3].map((to, i) => [from, 10 * from + to, SHARES[(i + from) % 3]] as const),
        ),
      ),
    ],
  },
};

const walked = (limit: number) => ({
  selection: { method: "enumerated" },
  stopping_rules: [{ type: "iteration_limit", limit }],
});

const near = (value: number, exact: number) =>
  assert.ok(Math.abs(value / exact - 1) < 1e-9, `${value}, ${exact}`);

describe("a simulation along every path", () => {
  it("costs what the forward passes of the next iteration cost along every path", async () => {
    using comm = new LocalCommunicator();
    for (const limit of [1, 2, 4]) {
      const of = (training: object) => loadCase(tutorial({ ...UNEQUAL, training }), CENSUS);
      const source = await of(walked(limit));
      assert.equal(source.config.simulation.scenarios, 9);
      const { policy } = await train(comm, source);
      const { statistics, costs, probabilities } = await simulate(comm, source, policy);
      const next = await train(comm, await of(walked(limit + 1)));
      near(statistics.mean, next.policy.history.at(-1)?.upperBoundMean as number);
      assert.equal(statistics.ci95, undefined);
      assert.equal(costs.length, 9);
      // By the numbers themselves.
      const expected = SHARES.flatMap((first, i) =>
        SHARES.map((_, j) => first * (SHARES[(j + i + 1) % 3] as number)),
      );
      assert.deepEqual(
        Array.from(probabilities ?? [], (one) => one.toFixed(12)),
        expected.map((one) => one.toFixed(12)),
      );
      near(
        statistics.mean,
        costs.reduce((sum, cost, path) => sum + (expected[path] as number) * cost, 0),
      );
      const squares = costs.reduce(
        (sum, cost, path) => sum + (expected[path] as number) * (cost - statistics.mean) ** 2,
        0,
      );
      assert.ok(Math.abs(statistics.std - Math.sqrt(squares)) <= 1e-9 * statistics.mean);
    }
  });

  it("has the same results in a node on every path through it, after drawn passes too", async () => {
    using comm = new LocalCommunicator();
    const source = await loadCase(tutorial({ ...UNEQUAL, training: sampled(3, 4) }), CENSUS);
    const { policy } = await train(comm, source);
    const byNode = new Map<number, string>();
    const paths: number[][] = [];
    const onScenario = (_: number, tables: ScenarioTables) => {
      const nodes = [...(tables.paths?.find(({ name }) => name === "node_id")?.data ?? [])];
      paths.push(nodes);
      const rows = tables.costs ?? [];
      nodes.forEach((node, stage) => {
        const values = JSON.stringify(rows.map(({ name, data }) => [name, data[stage]]));
        assert.equal(values, byNode.get(node) ?? values, `node ${node}`);
        byNode.set(node, values);
      });
    };
    const { hash } = await simulate(comm, source, policy, { onScenario });
    assert.deepEqual(
      paths,
      [1, 2, 3].flatMap((first) => [1, 2, 3].map((last) => [0, first, 10 * first + last])),
    );
    assert.equal(byNode.size, 13);
    const read = decodePolicy(encodePolicy(policy), "policy");
    assert.equal((await simulate(comm, source, read)).hash, hash);
  });

  it("is replaced by drawn paths where a number of scenarios is asked for", async () => {
    using comm = new LocalCommunicator();
    const source = await loadCase(tutorial(UNEQUAL), CENSUS);
    const { policy } = await train(comm, source);
    const drawn = await simulate(comm, source, policy, { scenarios: 20 });
    assert.equal(drawn.costs.length, 20);
    assert.equal(drawn.probabilities, undefined);
    assert.ok(drawn.statistics.ci95 !== undefined);
    // A setting that gives a number, too, whatever the case says.
    const counted = await loadCase(tutorial({ ...UNEQUAL }), { simulation: { num_scenarios: 5 } });
    assert.equal(counted.config.simulation.scenarios, 5);
    assert.equal(counted.config.simulation.isEnumerated, undefined);
  });

  it("tells what of a cost lies behind the last stage", async () => {
    using comm = new LocalCommunicator();
    const long = await loadCase(tutorial({ ...UNEQUAL, training: walked(12) }), CENSUS);
    const { policy } = await train(comm, long);
    const whole = await simulate(comm, long, policy);
    assert.deepEqual(whole.costsOfStages, whole.costs);
    // The same study, with its own first stage as the future behind the last one.
    const boundary = { policy, sourceStage: 0 };
    const worth = await train(comm, long, { boundary });
    const { costs, costsOfStages } = await simulate(comm, long, worth.policy);
    assert.ok(costs.every((cost, path) => cost - (costsOfStages[path] as number) > 1));
  });

  it("is refused where there is no tree of single openings", async () => {
    const told = async (graph: TutorialGraph) =>
      (await validateCase(tutorial(graph), CENSUS)).issues.map(
        ({ file, problem, remedy }) => `${file}: ${problem}; ${remedy}`,
      );
    const chain = { training: sampled(3), policyGraph: {}, inflows: [EVEN, EVEN, EVEN] };
    assert.match(
      (await told(chain)).join(),
      /^config\.simulation\.selection: asks for every path once, but stage 0 has 3 openings; .*"num_scenarios": …/,
    );
    assert.match((await told(CLIMATE)).join(), /config\.simulation\.selection: .*node 10 has 3/);
    const single = { ...CLIMATE, inflows: [[50], [0, 100], [0, 100]] };
    assert.match((await told(single)).join(), /simulation\.selection: .*several paths lead/);
    assert.match((await told(CYCLIC)).join(), /simulation\.selection: .*have no end/);
  });

  it("ends in the same one of several best solutions, from whatever basis passes have left", async () => {
    using comm = new LocalCommunicator();
    const model = defineModel({
      stages: 2,
      transitions: (stage) => (stage === 0 ? [[1]] : [[0.5, 0.5]]),
      openings: (_, node) => [node],
      state: { kept: { initial: 0, upper: 1 } },
      config: {
        training: { forward_passes: 2, stopping_rules: [{ type: "iteration_limit", limit: 2 }] },
        simulation: CENSUS.simulation,
      },
      build(stage) {
        // Both cost the same, and nothing says which one is bought.
        const left = stage.column("left", { objective: 1 });
        const right = stage.column("right", { objective: 1 });
        const bought = [
          [left, 1],
          [right, 1],
        ] as const;
        stage.row("demand", bought, { equals: 3 });
      },
    });
    const { policy } = await train(comm, model);
    // The second pass has left another best basis of the first stage than the first one.
    using opened = openModel(comm, model);
    const solver = await loadSolver("highs");
    using workspace = new Workspace(opened, solver, new Exchange(comm), ".", policy.pools);
    const names = workspace.problems[0].lp.names.columns;
    const { points } = policy;
    const { columns, rows } = points.basis(1, 0);
    const [left, right] = ["left", "right"].map((name) => names.indexOf(name)) as [number, number];
    const other = Uint8Array.from(columns);
    [other[left], other[right]] = [columns[right] as number, columns[left] as number];
    assert.notDeepEqual(other, columns);
    points.setBasis(1, 0, { columns: other, rows });
    const boughtIn = async (scenarios?: number) => {
      const found: number[] = [];
      const onScenario = (_: number, { stages }: ScenarioTables) =>
        found.push((stages?.find(({ name }) => name === "left")?.data[0] as number) ?? 0);
      await simulate(comm, model, policy, { scenarios, onScenario });
      return new Set(found).size;
    };
    assert.equal(await boughtIn(2), 2); // drawn scenarios begin where passes ended
    assert.equal(await boughtIn(), 1);
  });

  it("works for a model of a program's own, and is refused there, too", async () => {
    using comm = new LocalCommunicator();
    const reservoir = (demands: readonly number[], config: object) =>
      defineModel({
        stages: 2,
        transitions: (stage) => (stage === 0 ? [[1]] : [[0.25, 0.75]]),
        openings: (stage, node) => (stage === 0 ? demands : [node === 0 ? 4 : 8]),
        state: { water: { initial: 6, upper: 6 } },
        config,
        build(stage) {
          const { water } = stage.state;
          const bought = stage.column("bought", { objective: stage.index === 0 ? 1 : 2 });
          const used = [
            [water.in, 1],
            [water.out, -1],
            [bought, 1],
          ] as const;
          stage.row("demand", used, { equals: (demand) => demand });
        },
      });
    const rules = { stopping_rules: [{ type: "iteration_limit", limit: 5 }] };
    const model = reservoir([2], { training: rules, simulation: CENSUS.simulation });
    const { policy } = await train(comm, model);
    const { objective, probabilities } = await simulate(comm, model, policy);
    // 2 are used, or bought at 1 to save 2 later: then 6 are left, and 8 need 2 more at 2 each.
    assert.deepEqual([...(probabilities ?? [])], [0.25, 0.75]);
    near(objective, 0.75 * 2 * 2 + 2 * 1);
    assert.throws(
      () => reservoir([2, 3], { training: rules, simulation: CENSUS.simulation }),
      (error) => {
        assert.ok(error instanceof ValidationError);
        assert.match(error.message, /config\.simulation\.selection: asks for every path once/);
        return true;
      },
    );
  });
});
