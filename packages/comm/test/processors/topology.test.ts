/** What machines tell of their processors, also those that tell little, and who gets which of them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { areEqual, decide, divide, hasProcessorEach, readTopology } from "#internal";

/** The cores of each memory node. */
const coresOf = (allowed: readonly number[], files: Readonly<Record<string, string>>) =>
  readTopology(allowed, (path) => files[path]).nodes.map(({ cores }) => cores);

describe("the topology of a machine", () => {
  it("has its nodes in the order of their numbers", () => {
    const files = {
      "node/online": "0-1",
      "node/node0/cpulist": "2-3",
      "node/node1/cpulist": "0-1",
    };
    assert.deepEqual(coresOf([0, 1, 2, 3], files), [
      [[2], [3]],
      [[0], [1]],
    ]);
  });

  it("has processors that no node names in the first node", () => {
    const files = { "node/online": "0", "node/node0/cpulist": "0-1" };
    assert.deepEqual(coresOf([0, 1, 2], files), [[[0], [1], [2]]]);
  });

  it("does without the list of a node", () => {
    assert.deepEqual(coresOf([0, 1], { "node/online": "0-1" }), [[[0], [1]]]);
  });

  it("takes the newer name of the file with the hyper-threads of a core", () => {
    const files = {
      "cpu/cpu0/topology/core_cpus_list": "0-1",
      "cpu/cpu1/topology/core_cpus_list": "0-1",
      "cpu/cpu0/topology/thread_siblings_list": "0",
      "cpu/cpu1/topology/thread_siblings_list": "1",
    };
    assert.deepEqual(coresOf([0, 1], files), [[[0, 1]]]);
  });
});

describe("processors are divided", () => {
  const alone = (...processors: number[]) => ({ cores: processors.map((one) => [one]) });

  it("by room: a node with one core gets no rank while another has more for it", () => {
    const nodes = [alone(0, 1, 2, 3, 4, 5, 6, 7), alone(8)];
    assert.deepEqual(divide({ nodes }, 2), [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ]);
  });

  it("by cores as long as there is one for each rank", () => {
    const cores = [
      [0, 1],
      [2, 3],
      [4, 5],
    ];
    assert.deepEqual(divide({ nodes: [{ cores }, alone(6)] }, 4), [...cores, [6]]);
  });
});

describe("sets of processors", () => {
  it("are equal if they have the same processors", () => {
    assert.equal(areEqual([], []), true);
    assert.equal(areEqual([1, 2], [1, 2]), true);
    assert.equal(areEqual([1, 2], [1, 3]), false);
    assert.equal(areEqual([1, 2], [1, 2, 3]), false);
  });

  it("are enough if ranks that share one have others", () => {
    assert.equal(
      hasProcessorEach([
        [0, 1],
        [0, 2],
        [0, 3],
      ]),
      true,
    );
    assert.equal(
      hasProcessorEach([
        [0, 1],
        [0, 1],
        [0, 1],
      ]),
      false,
    );
  });
});

describe("a rank in the way of another", () => {
  it("moves to the only processor that is free", () => {
    const decision = decide({
      own: 0,
      allowed: [0, 1, 2],
      awaited: [{ processor: 0, isRunnable: true }],
      taken: () => [0, 2],
      hasJustMoved: false,
    });
    assert.deepEqual(decision, [1]);
  });
});
