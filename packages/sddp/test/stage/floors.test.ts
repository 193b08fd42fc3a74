/** What a cost cannot fall below, node by node and round a cycle; and the inflows of all cycles. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NodeGraph } from "@cobre/core";
import type { Config } from "@cobre/io";
import { CutPool } from "@cobre/sddp";
import { InflowModel, OpeningTree } from "@cobre/stochastic";
import { NodeFloors, reachableInflows } from "#internal";

/** A model whose nodes have these own costs; what lies behind them is discounted. */
function modelOf(graph: NodeGraph, costs: readonly number[], discount: readonly number[]) {
  return {
    graph,
    stages: graph.stages,
    study: { time: { discount } },
    buildStage: (node: number, floor: number) => ({ lp: { node, floor } }),
    lowestCost: (node: number, { floor }: { floor: number }) =>
      costs[node] + discount[graph.nodes[node].stage] * floor,
    lowestTerminalValue: ({ count }: CutPool) => -100 * count,
  } as unknown as ConstructorParameters<typeof NodeFloors>[0];
}

/** The floors behind all nodes, from the last to the first, in the order of the nodes. */
function floorsOf(model: ReturnType<typeof modelOf>, cutsBehind: number) {
  const pools = model.graph.nodes.map(({ children }) => {
    const count = children.length === 0 ? cutsBehind : 0;
    return CutPool.from(0, new Float64Array(count), new Int32Array(2 * count));
  });
  const floors = new NodeFloors(model, pools);
  const found: (number | undefined)[] = [];
  for (let node = model.graph.nodes.length - 1; node >= 0; node--) {
    const floor = floors.behind(node);
    found[node] = floor;
    floors.add(node, { node, floor: floor ?? 0 } as unknown as Parameters<typeof floors.add>[1]);
  }
  return found;
}

describe("the floor of what follows a node", () => {
  const tree = new NodeGraph(
    [
      { id: 1, stage: 0, children: [1, 2].map((node) => ({ node, probability: 0.5 })) },
      { id: 2, stage: 1, children: [{ node: 3, probability: 1 }] },
      { id: 3, stage: 1, children: [{ node: 3, probability: 1 }] },
      { id: 4, stage: 2, children: [] },
    ],
    [{ node: 0, probability: 1 }],
  );
  const costs = [1, -20, -30, -4];

  it("is that of the cheapest node that may follow; nothing follows the last", () => {
    const model = modelOf(tree, costs, [1, 0.5, 1]);
    assert.deepEqual(floorsOf(model, 0), [-30 - 2, -4, -4, undefined]);
  });

  it("begins with the boundary cuts, if there are some", () => {
    const model = modelOf(tree, costs, [1, 0.5, 1]);
    assert.deepEqual(floorsOf(model, 1), [-30 - 52, -104, -104, -100]);
  });

  it("is that of all cycles behind the last stage of a cycle", () => {
    const cycle = NodeGraph.chain([7, 8, 9], true);
    // A cycle costs 2 + 0.5 (3 + 0.5 (-8 + 0.8 f)) = 1.5 + 0.2 f at least, so f is 1.875.
    const model = modelOf(cycle, [2, 3, -8], [0.5, 0.5, 0.8]);
    const floors = floorsOf(model, 0);
    const expected = [3 + 0.5 * (-8 + 0.8 * 1.875), -8 + 0.8 * 1.875, 1.875];
    floors.forEach((floor, stage) => {
      assert.ok(Math.abs((floor ?? Number.NaN) - expected[stage]) < 1e-12, `${stage}: ${floor}`);
    });
  });
});

describe("the inflows of a cycle", () => {
  const config = (method: "none" | "truncation") => ({ inflowNonNegativity: { method } }) as Config;
  const tree = new OpeningTree(
    [0, 1].map((id) => ({ id, openings: 2, startYear: 2000 })),
    2,
    Float64Array.of(-1, 1, 1, -1, -1, -1, 1, 1),
  );
  /** Two stages and two plants; the past inflows of the first lag, then of the others. */
  const reach = (
    lags: number,
    psi: readonly number[],
    past: readonly number[],
    isCyclic: boolean,
  ) => {
    const inflow = new InflowModel(2, 2, lags);
    inflow.base.fill(10);
    inflow.sigma.set([1, 2, 3, 4]);
    inflow.psi.set(psi);
    const initial = Float64Array.of(500, 600, ...past);
    return reachableInflows(inflow, tree, initial, config("none"), isCyclic);
  };
  const near = (found: Float64Array, expected: readonly number[]) =>
    found.forEach((value, i) => {
      assert.ok(Math.abs(value - expected[i]) < 1e-9, `${i}: ${value}, not ${expected[i]}`);
    });

  it("are those of one way through it if nothing goes round", () => {
    assert.deepEqual(reach(0, [], [], true), reach(0, [], [], false));
    const once = reach(1, [0.5, 0.5, 0.5, 0.5], [20, 20], false);
    near(once.lowest, [10 + 10 - 1, 10 + 10 - 2, 10 + 9.5 - 3, 10 + 9 - 4]);
  });

  it("hold in every cycle: the range with which a cycle ends is one with which it may begin", () => {
    const psi = [0.5, 0.5, 0.5, 0.5];
    for (const past of [
      [20, 20],
      [0, 90],
    ]) {
      const found = reach(1, psi, past, true);
      // l1 = 0.5 l2 + 10 - s1 and l2 = 0.5 l1 + 10 - s2, unless the past was lower still.
      const fixed = (first: number, second: number) => (0.5 * (10 + second) + 10 + first) / 0.75;
      const end = (first: number, second: number) => 0.5 * fixed(first, second) + 10 + second;
      const before = (worst: (a: number, b: number) => number, plant: 0 | 1, sign: 1 | -1) =>
        worst(past[plant], end(sign * (1 + plant), sign * (3 + plant)));
      const lows = ([0, 1] as const).map((plant) => 0.5 * before(Math.min, plant, -1));
      const highs = ([0, 1] as const).map((plant) => 0.5 * before(Math.max, plant, 1));
      near(found.lowestLagTerm.subarray(0, 2), lows);
      near(found.highestLagTerm.subarray(0, 2), highs);
      near(found.lowest.subarray(0, 2), [lows[0] + 9, lows[1] + 8]);
      near(found.highest.subarray(0, 2), [highs[0] + 11, highs[1] + 12]);
    }
  });

  it("reach further back than one cycle", () => {
    // The inflow three stages ago is that of the other stage of the cycle before.
    const psi = [0, 0, 0.5, 0, 0, 0.5, 0, 0, 0, 0, 0, 0];
    const found = reach(3, psi, [20, 20, 20, 20, 20, 20], true);
    // Stage 1 has 10 - 3 and 10 + 3 at most whatever was before; stage 0 has half of it, or of the 20 before the study.
    near(found.lowestLagTerm, [3.5, 3, 0, 0]);
    near(found.highestLagTerm, [10, 10, 0, 0]);
  });

  it("are refused if they grow without end", () => {
    assert.throws(() => reach(1, [1.5, 0.5, 1.5, 0.5], [20, 20], true), {
      kind: "InvalidSettings",
      message: /can grow without end, from cycle to cycle; give autoregressive coefficients/,
    });
  });
});
