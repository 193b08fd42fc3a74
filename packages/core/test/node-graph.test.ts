import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  buildTimeline,
  type GraphInput,
  IssueCollector,
  NodeGraph,
  type NodeInput,
  type TransitionInput,
} from "@cobre/core";

const node = (id: number, stageId: number): NodeInput => ({ id, stageId });
const edge = (sourceId: number, targetId: number, probability: number): TransitionInput => ({
  sourceId,
  targetId,
  probability,
});

/** The graph of three months, and what is wrong with it. */
function months(graph: GraphInput, annualRate = 0) {
  const issues = new IssueCollector();
  const stages = [0, 1, 2].map((id) => ({
    id,
    start: 30 * id,
    end: 30 * id + 30,
    blocks: [{ id: 0, name: "all", hours: 720 }],
    openings: 1,
    riskMeasure: { kind: "expectation" },
  }));
  const time = buildTimeline({ stages, discounting: { annualRate }, graph }, issues);
  return {
    graph: time.graph,
    told: issues.issues.map(({ entity, problem }) => `${entity}: ${problem}`),
  };
}

function built(nodes: readonly NodeInput[], transitions: readonly TransitionInput[]) {
  return months({ isCyclic: false, nodes, transitions });
}

describe("a graph", () => {
  it("is a chain, a cycle, a tree or neither", () => {
    const chain = NodeGraph.chain([3, 5, 8]);
    assert.deepEqual([chain.isChain, chain.isCyclic, chain.isTree], [true, false, true]);
    assert.deepEqual(
      chain.nodes.map(({ id, stage }) => [id, stage]),
      [
        [3, 0],
        [5, 1],
        [8, 2],
      ],
    );
    const cycle = NodeGraph.chain([3, 5], true);
    assert.deepEqual([cycle.isChain, cycle.isCyclic, cycle.isTree], [true, true, false]);
    assert.deepEqual(cycle.nodes[1]?.children, [{ node: 0, probability: 1 }]);
    const single = NodeGraph.chain([7], true);
    assert.deepEqual(single.nodes[0]?.children, [{ node: 0, probability: 1 }]);
  });

  it("says of each node that it leads nowhere, if there are no transitions at all", () => {
    const { told } = months({ isCyclic: false, nodes: [node(1, 0), node(2, 1), node(3, 2)] });
    assert.deepEqual(told, [
      "node 1: leads nowhere",
      "node 2: no path leads there",
      "node 2: leads nowhere",
      "node 3: no path leads there",
    ]);
  });

  it("mends probabilities that were rounded, and no others", () => {
    const { graph, told } = built(
      [node(1, 0), node(2, 1), node(3, 1), node(4, 1), node(5, 2)],
      [...[2, 3, 4].map((id) => edge(1, id, 0.333333)), ...[2, 3, 4].map((id) => edge(id, 5, 1))],
    );
    assert.deepEqual(told, []);
    for (const { probability } of graph.nodes[0]?.children ?? []) {
      assert.ok(Math.abs(probability - 1 / 3) < 1e-15, `${probability}`);
    }
    const nodes = [node(1, 0), node(2, 1), node(3, 2)];
    assert.deepEqual(built(nodes, [edge(1, 2, 0.999998), edge(2, 3, 0.999999)]).told, [
      "node 1: its probabilities add up to 0.999998",
    ]);
  });

  it("orders nodes by stage and id, and makes probabilities add up to 1", () => {
    const nodes = [node(9, 2), node(4, 1), node(1, 0), node(2, 1)];
    const edges = [edge(1, 4, 0.333333), edge(1, 2, 0.666667), edge(2, 9, 1), edge(4, 9, 1)];
    const { graph, told } = built(nodes, edges);
    assert.deepEqual(told, []);
    assert.deepEqual(
      graph.nodes.map(({ id }) => id),
      [1, 2, 4, 9],
    );
    const children = graph.nodes[0]?.children ?? [];
    assert.deepEqual(
      children.map((child) => child.node),
      [1, 2],
    );
    assert.equal((children[0]?.probability ?? 0) + (children[1]?.probability ?? 0), 1);
    assert.deepEqual([graph.isChain, graph.isTree], [false, false]);
    assert.deepEqual(
      [0, 1, 2].map((stage) => graph.nodesOf(stage)),
      [[0], [1, 2], [3]],
    );
  });

  it("lists the paths of a tree, with what they have in common side by side", () => {
    const nodes = [node(0, 0), node(1, 1), node(2, 1), node(3, 2), node(4, 2), node(5, 2)];
    const edges = [
      edge(0, 1, 0.25),
      edge(0, 2, 0.75),
      edge(1, 4, 1),
      edge(2, 3, 0.5),
      edge(2, 5, 0.5),
    ];
    const { graph, told } = built(nodes, edges);
    assert.deepEqual(told, []);
    assert.ok(graph.isTree);
    assert.deepEqual(
      graph.paths().map((path) => [[...path.nodes], path.probability]),
      [
        [[0, 1, 4], 0.25],
        [[0, 2, 3], 0.375],
        [[0, 2, 5], 0.375],
      ],
    );
  });

  it("tells everything that is wrong with it", () => {
    const { told } = built(
      [node(0, 0), node(1, 1), node(1, 2), node(2, 9), node(3, 1), node(4, 0)],
      [edge(0, 1, 0.5), edge(0, 1, 0.5), edge(0, 7, 1), edge(1, 0, 1), edge(3, 1, 1)],
    );
    assert.deepEqual(told, [
      "node 1: is the id of two nodes",
      "node 2: stage 9 does not exist",
      "stage 0: the first stage has 2 nodes",
      "stage 2: has no node",
      "transition from node 0 to 1: is there twice",
      "transition from node 0 to 7: node 7 does not exist",
      "transition from node 1 to 0: does not lead to the next stage",
      "transition from node 3 to 1: does not lead to the next stage",
      "node 0: its probabilities add up to 0.5",
      "node 4: leads nowhere",
      "node 1: leads nowhere",
      "node 3: no path leads there",
      "node 3: leads nowhere",
    ]);
  });

  it("has a discount if it has no end", () => {
    const [without, with_] = [0, 0.01].map((rate) => months({ isCyclic: true }, rate));
    assert.match(without?.told.join() ?? "", /does not discount a cyclic horizon/);
    assert.deepEqual(with_?.told, []);
    assert.ok(with_?.graph.isCyclic);
  });
});
