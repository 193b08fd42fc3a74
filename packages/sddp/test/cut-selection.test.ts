/** Which cuts stay in the programs, and that training with fewer of them is still the same training. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case, CutSelection } from "@cobre/io";
import {
  CutPool,
  decodePolicy,
  encodePolicy,
  hashPolicy,
  type SddpEvent,
  simulate,
  train,
} from "@cobre/sddp";
import { cutSelectionOf, StateArchive, selectCuts } from "#internal";
import { caseNamed, changed } from "./cases.js";

const LML1: CutSelection = { method: "lml1", checkFrequency: 1, tolerance: 1e-10 };
const LEVEL1: CutSelection = { ...LML1, method: "level1" };

/** 10 - x, 6, x, and one below them all; the first three are highest at 0, 5 and 9. */
function pool(): CutPool {
  const cuts = new CutPool(1);
  cuts.add(1, 0, 10, Float64Array.of(-1));
  cuts.add(1, 1, 6, Float64Array.of(0));
  cuts.add(2, 0, 0, Float64Array.of(1));
  cuts.add(2, 1, 2, Float64Array.of(0));
  return cuts;
}

function archiveOf(cuts: CutPool, ...states: number[]): StateArchive {
  const archive = new StateArchive(1);
  archive.add(
    cuts,
    Float64Array.from(states),
    states.map((_, i) => i),
  );
  return archive;
}

const select = (selection: CutSelection, cuts: CutPool, archive: StateArchive, iteration = 9) => [
  ...selectCuts(
    selection,
    selection.method === undefined ? undefined : cutSelectionOf(selection.method, {}),
    cuts,
    archive,
    iteration,
  ),
];

describe("the cuts that stay", () => {
  it("are the highest at a visited state", () => {
    const cuts = pool();
    assert.deepEqual(select(LML1, cuts, archiveOf(cuts, 0, 5, 9)), [1, 1, 1, 0]);
    assert.deepEqual(select(LML1, cuts, archiveOf(cuts, 9, 10)), [0, 0, 1, 0]);
    assert.deepEqual(select(LEVEL1, cuts, archiveOf(cuts, 0, 9)), [1, 0, 1, 0]);
  });

  it("are the oldest of those equally high with lml1, and all of them with level1", () => {
    const cuts = pool(); // at 4, the first and the second have a height of 6
    assert.deepEqual(select(LML1, cuts, archiveOf(cuts, 4)), [1, 0, 0, 0]);
    assert.deepEqual(select(LEVEL1, cuts, archiveOf(cuts, 4)), [1, 1, 0, 0]);
  });

  it("may be somewhat lower with domination, by a tolerance relative to the height", () => {
    const cuts = pool();
    const wide: CutSelection = { ...LEVEL1, method: "domination", tolerance: 0.4 };
    assert.deepEqual(select(wide, cuts, archiveOf(cuts, 0)), [1, 1, 0, 0]); // 10 and 6
    const narrow = { ...wide, tolerance: 0.39 };
    assert.deepEqual(select(narrow, cuts, archiveOf(cuts, 0)), [1, 0, 0, 0]);
    const low = new CutPool(1);
    for (const height of [0.5, 0.1, 0.09]) low.add(1, 0, height, Float64Array.of(0));
    assert.deepEqual(select(wide, low, archiveOf(low, 0)), [1, 1, 0], "a small height counts as 1");
  });

  it("include those of the iteration, and those that training started with", () => {
    const cuts = pool();
    assert.deepEqual(select(LML1, cuts, archiveOf(cuts, 0), 2), [1, 0, 1, 1]);
    const warm = new CutPool(1);
    warm.add(0, 0, 0, Float64Array.of(0));
    warm.add(1, 0, 5, Float64Array.of(0));
    assert.deepEqual(select(LML1, warm, archiveOf(warm, 1)), [1, 1]);
  });

  it("are the useful and the new ones, and the new ones alone if there is room for one", () => {
    // Of iteration 1, 2 and 5: highest at a visited state, nowhere, and new.
    const cuts = new CutPool(1);
    cuts.add(1, 0, 10, Float64Array.of(0));
    cuts.add(2, 0, 4, Float64Array.of(0));
    cuts.add(5, 0, 0, Float64Array.of(0));
    const archive = archiveOf(cuts, 0);
    assert.deepEqual(select(LEVEL1, cuts, archive, 5), [1, 0, 1]);
    const budget: CutSelection = { checkFrequency: 5, tolerance: 0, maxActivePerStage: 1 };
    assert.deepEqual(select(budget, cuts, archive, 5), [0, 0, 1]);
  });

  it("are those that are highest at most states if there is a budget, then the newest", () => {
    const cuts = pool();
    const archive = archiveOf(cuts, 0, 5, 5, 9);
    assert.deepEqual(
      select({ ...LML1, maxActivePerStage: 1 }, cuts, archive),
      [0, 1, 0, 0],
      "at two states",
    );
    assert.deepEqual(select({ ...LML1, maxActivePerStage: 2 }, cuts, archive), [0, 1, 1, 0]);
    const budget: CutSelection = { checkFrequency: 1, tolerance: 0, maxActivePerStage: 3 };
    assert.deepEqual(select(budget, cuts, archive), [1, 1, 1, 0]);
    assert.deepEqual(
      select({ ...budget, maxActivePerStage: 1 }, cuts, archive, 2),
      [0, 0, 1, 1],
      "more than the budget, if they are new",
    );
  });
});

describe("the archive of states", () => {
  it("has the highest cut at each state, however cuts and states came about", () => {
    const cuts = pool();
    const archive = archiveOf(cuts, 0, 9);
    cuts.add(3, 0, 100, Float64Array.of(-20));
    cuts.add(3, 1, 100, Float64Array.of(-20));
    archive.add(cuts, Float64Array.of(4, 30), [1]);
    const best = (one: StateArchive) => [0, 1, 2].map((state) => one.bestSlot(state));
    assert.deepEqual(best(archive), [4, 2, 2]);
    assert.equal(archive.bestHeight(0), 100);
    const again = StateArchive.from(1, archive.packedValues(), cuts);
    assert.deepEqual(best(again), best(archive));
    assert.deepEqual([...again.packedValues()], [0, 9, 30]);
  });

  it("takes a state of several components from where it is", () => {
    // Highest at (9, 0, 0), (0, 9, 0) and (0, 0, 9); a lag that is mistaken for another changes the order.
    const cuts = new CutPool(3);
    cuts.add(1, 0, 0, Float64Array.of(3, 1, 2));
    cuts.add(1, 1, 0, Float64Array.of(2, 3, 1));
    cuts.add(1, 2, 0, Float64Array.of(1, 2, 3));
    const values = Float64Array.of(7, 9, 0, 0, 0, 9, 0, 0, 0, 9, 7);
    const archive = new StateArchive(3);
    archive.add(cuts, values, [1, 4, 7]);
    const found = (one: StateArchive) =>
      [0, 1, 2].map((state) => [one.bestSlot(state), one.bestHeight(state)]);
    const expected = [
      [0, 27],
      [1, 27],
      [2, 27],
    ];
    assert.deepEqual(found(archive), expected);
    assert.deepEqual([...archive.packedValues()], [9, 0, 0, 0, 9, 0, 0, 0, 9]);
    const again = StateArchive.from(3, archive.packedValues(), cuts);
    assert.equal(again.count, 3);
    assert.deepEqual(found(again), expected);
    const heights = new Float64Array(3);
    archive.heights(cuts, 1, heights);
    assert.deepEqual([...heights], [9, 27, 18]);
  });

  it("compares a state with the first cut, though it came before any", () => {
    const cuts = new CutPool(1);
    const archive = archiveOf(cuts, 2);
    cuts.add(1, 0, 5, Float64Array.of(1));
    cuts.add(1, 1, 6, Float64Array.of(0));
    archive.add(cuts, Float64Array.of(1), [0]);
    assert.deepEqual([archive.bestSlot(0), archive.bestHeight(0)], [0, 7]);
    assert.deepEqual([archive.bestSlot(1), archive.bestHeight(1)], [0, 6]);
  });

  it("has room for any number of states of several components, be all heights negative", () => {
    const cuts = new CutPool(2);
    cuts.add(1, 0, -1000, Float64Array.of(1, 0));
    cuts.add(1, 1, -1000, Float64Array.of(0, 1));
    const values = Float64Array.from({ length: 400 }, (_, i) => (i % 4 < 2 ? i % 2 : 1 - (i % 2)));
    const archive = new StateArchive(2);
    archive.add(
      cuts,
      values,
      Array.from({ length: 200 }, (_, state) => 2 * state),
    );
    assert.deepEqual(archive.packedValues(), values);
    for (let state = 0; state < 200; state++) {
      const expected = [values[2 * state] === 1 ? 0 : 1, -999];
      assert.deepEqual([archive.bestSlot(state), archive.bestHeight(state)], expected);
    }
    assert.equal(StateArchive.from(0, new Float64Array(0), new CutPool(0)).count, 0);
  });

  it("has room for any number of states", () => {
    const cuts = pool();
    const states = Float64Array.from({ length: 500 }, (_, i) => i / 50);
    const archive = archiveOf(cuts, ...states);
    assert.deepEqual(archive.packedValues(), states);
    const winners = new Set(Array.from(states.keys(), (state) => archive.bestSlot(state)));
    assert.deepEqual([...winners].sort(), [0, 1, 2]);
  });
});

/** The case with a selection of cuts, and an iteration limit. */
async function selecting(selection: CutSelection | undefined, iterations: number): Promise<Case> {
  const source = changed(await caseNamed("one-reservoir"), { iterations });
  const training = { ...source.config.training, cutSelection: selection };
  return { ...source, config: { ...source.config, training } };
}

describe("a training that selects cuts", () => {
  it("has fewer cuts in its programs, a bound that never falls, and the optimum of one that keeps all", async () => {
    using comm = new LocalCommunicator();
    const whole = await train(comm, await selecting(undefined, 12));
    for (const selection of [LML1, { ...LEVEL1, checkFrequency: 4 }]) {
      const events: SddpEvent[] = [];
      const onEvent = (event: SddpEvent) => events.push(event);
      const { policy, lowerBound } = await train(comm, await selecting(selection, 12), { onEvent });
      const last = policy.history.at(-1);
      assert.ok((last?.cutsActive ?? 0) < 0.8 * (whole.policy.history.at(-1)?.cutsActive ?? 0));
      assert.equal(
        last?.cutsActive,
        policy.pools.reduce((sum, { active }) => sum + active, 0),
      );
      policy.history.slice(1).forEach(({ lowerBound: bound }, i) => {
        const before = policy.history[i]?.lowerBound ?? 0;
        assert.ok(bound >= before * (1 - 1e-9), `${bound} after ${before}`);
      });
      assert.ok(Math.abs(lowerBound / whole.lowerBound - 1) < 0.01, String(lowerBound));
      const told = events.flatMap((event) => (event.type === "cuts_selected" ? [event] : []));
      assert.equal(told.length, 12 / selection.checkFrequency);
      for (const { stages } of told) {
        for (const { activeBefore, removed, returned, activeAfter } of stages)
          assert.equal(activeAfter, activeBefore - removed + returned);
      }
      const [first, ...others] = policy.pools.slice(0, -1);
      assert.equal(first?.active, first?.count, "the first stage keeps all");
      assert.ok(others.some(({ active, count }) => active < count));
    }
  });

  it("is resumed with the same bits, also between two selections, and simulated from its file", async () => {
    using comm = new LocalCommunicator();
    const selection = { ...LML1, checkFrequency: 3 };
    const whole = await train(comm, await selecting(selection, 10));
    const part = await train(comm, await selecting(selection, 7));
    const read = decodePolicy(encodePolicy(part.policy), "policy");
    const source = await selecting(selection, 10);
    const resumed = await train(comm, source, { resume: read });
    assert.deepEqual(hashPolicy(resumed.policy), hashPolicy(whole.policy));
    assert.deepEqual(resumed.policy.archives, whole.policy.archives);
    const stored = decodePolicy(encodePolicy(whole.policy), "policy");
    assert.deepEqual(hashPolicy(stored), hashPolicy(whole.policy));
    const here = await simulate(comm, source, whole.policy, { scenarios: 5 });
    const there = await simulate(comm, source, stored, { scenarios: 5 });
    assert.equal(there.hash, here.hash);
  });

  it("is not resumed with another selection", async () => {
    using comm = new LocalCommunicator();
    const { policy } = await train(comm, await selecting(LML1, 2));
    const other = train(comm, await selecting(undefined, 3), { resume: policy });
    await assert.rejects(other, /trained on other data/);
  });
});
