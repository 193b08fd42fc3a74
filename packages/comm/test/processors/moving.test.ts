/** When a waiting rank moves to another processor: a table, because no scheduler can be told what to do. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decide } from "#internal";

const runs = (processor: number) => ({ processor, isRunnable: true });
const sleeps = (processor: number) => ({ processor, isRunnable: false });

interface Line {
  readonly what: string;
  readonly allowed?: number[];
  readonly awaited: { processor: number; isRunnable: boolean }[];
  readonly taken?: number[];
  readonly hasJustMoved?: boolean;
  readonly decision: "look" | "let go" | number[];
}

/** This rank is on processor 0. */
const TABLE: readonly Line[] = [
  { what: "the awaited rank runs elsewhere", awaited: [runs(1)], decision: "look" },
  { what: "it sleeps, on this processor", awaited: [sleeps(0)], decision: "look" },
  { what: "nobody can be seen", awaited: [], decision: "look" },
  { what: "it needs this processor", awaited: [runs(0)], decision: [1] },
  { what: "one of several needs it", awaited: [runs(1), runs(0)], decision: [1] },
  { what: "this rank may use no other", allowed: [0], awaited: [runs(0)], decision: "let go" },
  {
    what: "there are free ones and taken ones",
    allowed: [0, 1, 2, 3],
    awaited: [runs(0)],
    taken: [0, 2],
    decision: [1, 3],
  },
  {
    what: "all others are taken",
    allowed: [0, 1, 2],
    awaited: [runs(0)],
    taken: [0, 1, 2],
    decision: [1, 2],
  },
  { what: "it has just moved", awaited: [runs(0)], hasJustMoved: true, decision: "let go" },
  {
    what: "it has just moved and is in nobody's way",
    awaited: [runs(1)],
    hasJustMoved: true,
    decision: "look",
  },
];

describe("a rank that waits on processor 0", () => {
  for (const { what, allowed = [0, 1], awaited, taken = [0], hasJustMoved, decision } of TABLE) {
    const does = Array.isArray(decision)
      ? `moves to ${decision.join(" or ")}`
      : `does: ${decision}`;
    it(`${does}, if ${what}`, () => {
      const situation = { own: 0, allowed, awaited, taken: () => taken };
      const made = decide({ ...situation, hasJustMoved: hasJustMoved ?? false });
      assert.deepEqual(made, decision);
    });
  }
});
