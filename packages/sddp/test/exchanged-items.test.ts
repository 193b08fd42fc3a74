/**
 * What ranks give each other: every item of an array once, all of it, and in the order of the items. One rank exchanges nothing, but it says
 * where each item lies as many ranks do.
 */
import assert from "node:assert/strict";
import { afterEach, describe, it, mock } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { NodeGraph } from "@cobre/core";
import type { StoppingRule } from "@cobre/io";
import { simulate, train } from "@cobre/sddp";
import { Exchange, largestOpeningCosts, type Model } from "#internal";
import { caseNamed, changed } from "./cases.js";

interface Exchanged {
  readonly items: number;
  readonly elements: number;
}

/** Items are as long as they are computed to be, and together all of the array. */
function checkItems(all: { length: number }, items: number, starts: (item: number) => number) {
  assert.equal(starts(0), 0);
  for (let item = 0; item < items; item++) {
    assert.ok(Number.isInteger(starts(item)) && starts(item) < starts(item + 1), `item ${item}`);
  }
  assert.equal(starts(items), all.length);
  return { items, elements: all.length };
}

/** Listens to all exchanges. */
function listen(): { gathered: Exchanged[]; shared: Exchanged[] } {
  const heard = { gathered: [] as Exchanged[], shared: [] as Exchanged[] };
  const { gather, share } = Exchange.prototype;
  mock.method(Exchange.prototype, "gather", function (this: unknown, ...args: unknown[]) {
    const [all, deal, starts] = args as Parameters<typeof gather>;
    heard.gathered.push(checkItems(all, deal.end, starts));
    return gather.apply(this as never, args as never);
  });
  mock.method(Exchange.prototype, "share", function (this: unknown, ...args: unknown[]) {
    const [items, all, starts] = args as Parameters<typeof share>;
    heard.shared.push(checkItems(all, items, starts));
    return share.apply(this as never, args as never);
  });
  return heard;
}

afterEach(() => mock.restoreAll());

const RULE: StoppingRule = {
  type: "simulation",
  replications: 5,
  period: 2,
  boundWindow: 1,
  boundTolerance: 1e9,
  distanceTolerance: 0,
};

describe("what ranks give each other", () => {
  it("are trial points with their bases, openings by trial point, and the costs of stages", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await caseNamed("sddp-tutorial"), {
      forwardPasses: 3,
      rules: [{ type: "iteration_limit", limit: 2 }, RULE],
    });
    const heard = listen();
    const { policy } = await train(comm, source);
    const { width, basisWidth } = policy.points;
    const points = { items: 3, elements: 3 * width };
    const bases = { items: 3, elements: 3 * basisWidth };
    // The first iteration added three cuts to each of two stages, and each has a row in the bases of the second.
    const basesBefore = { items: 3, elements: 3 * (basisWidth - 2 * 3) };
    const stageCosts = { items: 5, elements: 5 * 3 };
    assert.deepEqual(heard.gathered, [points, basesBefore, points, bases, stageCosts]);
    // Three openings are one group. The cost and its slope by the storage are given; the bound is that of one state.
    const sweep = { items: 3, elements: 3 * 3 * 2 };
    const bound = { items: 1, elements: 3 * 2 };
    assert.deepEqual(heard.shared, [bound, sweep, sweep, bound, sweep, sweep, bound]);
  });

  it("are the costs and the hashes of scenarios", async () => {
    using comm = new LocalCommunicator();
    const source = changed(await caseNamed("sddp-tutorial"), { iterations: 1 });
    const { policy } = await train(comm, source);
    const heard = listen();
    await simulate(comm, source, policy, { scenarios: 4 });
    assert.deepEqual(heard.gathered, [
      { items: 4, elements: 4 },
      { items: 4, elements: 4 * 32 },
    ]);
  });

  it("has room for the stage with the most openings, also if it is the first or the last", () => {
    for (const counts of [[4, 2, 3], [1, 2, 5], [7], [2, 9, 3]]) {
      const tree = { openings: (stage: number) => counts[stage] as number };
      const graph = NodeGraph.chain([...counts.keys()]);
      const model = { dimension: 6, tree, graph } as unknown as Model;
      assert.equal(largestOpeningCosts(model, 3), 3 * Math.max(...counts) * 7);
    }
  });
});
