/** How ranks divide work, give each other what they have, and find out whether they agree: real ranks, with and without shared memory. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import { SnakeDeal } from "#internal";
import { allOf, ROUNDS } from "./uneven-items.js";

const RANK = fileURLToPath(new URL("exchange-rank.js", import.meta.url));
/** Far more than it takes; ranks that wait for each other for ever end here. */
const MOST_SECONDS = 40;

interface Round {
  readonly worked: readonly number[];
  readonly all: readonly number[];
}

interface Printed {
  readonly hasBoard: boolean;
  readonly taken: readonly Round[];
  readonly dealt: readonly Round[];
  readonly gathered: readonly (readonly number[])[];
  readonly bytes: readonly (readonly number[])[];
  readonly most: readonly number[];
  readonly texts: readonly (readonly (readonly [text: string, ranks: readonly number[]])[])[];
  readonly disagreement: { readonly kind: string; readonly message: string };
  readonly agreement: unknown;
  readonly cuts: { readonly isWriter: boolean; readonly values: readonly number[] };
  readonly closed: readonly (readonly boolean[])[];
}

async function printed(backend: "shm" | "tcp", ranks: number): Promise<readonly Printed[]> {
  await using job = await launch({
    ranks,
    backend,
    command: [process.execPath, RANK],
    output: "capture",
    timeoutSecs: MOST_SECONDS,
  });
  const { code, ranks: ended } = await job.done;
  assert.equal(code, 0, ended.map(({ stderr }) => stderr).join("\n"));
  return ended.map(({ stdout }) => JSON.parse(stdout ?? ""));
}

const expected = ROUNDS.map((_, round) => allOf(round));
const EVEN_AND_ODD = [
  [
    ["even", [0]],
    ["odd", [1]],
  ],
  [
    ["even", [0, 2]],
    ["odd", [1]],
  ],
];

for (const [backend, size] of [
  ["shm", 3],
  ["tcp", 2],
] as const) {
  describe(`${size} ranks on ${backend}`, () => {
    const ranks = Array.from({ length: size }, (_, rank) => rank);
    const sharesMemory = backend === "shm";
    let all: readonly Printed[];
    before(async () => {
      all = await printed(backend, size);
    });

    it("have the items of all blocks, of whatever type", () => {
      for (const { gathered, bytes } of all) {
        assert.deepEqual(gathered, expected);
        const whole = expected.map((values) => values.map(Math.floor));
        assert.deepEqual(bytes, whole);
      }
    });

    it("deal items in turn, and have the results of all", () => {
      all.forEach(({ dealt }, rank) => {
        dealt.forEach(({ worked, all: results }, round) => {
          const deal = new SnakeDeal(ROUNDS[round]?.length ?? 0, size);
          assert.deepEqual(worked, [...deal.of(rank)]);
          assert.deepEqual(results, expected[round]);
        });
      });
    });

    it(`${sharesMemory ? "take" : "cannot take"} items from a board, each once, and have the results of all`, () => {
      ROUNDS.forEach((lengths, round) => {
        const taken = all.map((one) => one.taken[round] as Round);
        for (const one of taken) assert.deepEqual(one.all, expected[round]);
        const worked = taken.flatMap((one) => one.worked).sort((a, b) => a - b);
        assert.deepEqual(worked, [...lengths.keys()]);
      });
      for (const { hasBoard } of all) assert.equal(hasBoard, sharesMemory);
    });

    it("have the greatest of all numbers", () => {
      for (const { most } of all) assert.deepEqual(most, [size - 1, 0, 7]);
    });

    it("know who has which text, as far as 256 bytes", () => {
      const apart = (text: string) => ranks.map((rank) => [text + rank, [rank]]);
      for (const { texts } of all) {
        assert.deepEqual(texts, [
          EVEN_AND_ODD[size - 2],
          [["", ranks]],
          apart("é".repeat(100)),
          apart("a".repeat(255)),
          [["a".repeat(256), ranks]],
        ]);
      }
    });

    it("refuse different solvers on every rank, and say who has which", () => {
      const list = {
        2: ["  rank 0: solver 1", "  rank 1: other 2"],
        3: ["  ranks 0, 2: solver 1", "  rank 1: other 2"],
      }[size];
      for (const { disagreement, agreement } of all) {
        assert.equal(disagreement.kind, "SolversDiffer");
        assert.deepEqual(disagreement.message.split("\n").slice(1, 3), list);
        assert.equal(agreement, null);
      }
    });

    it("read the cuts that the leaders of their machines write", () => {
      const values = Array.from({ length: 20 }, (_, i) => [i + 0.5, 0 - i]).flat();
      for (const { cuts } of all) assert.deepEqual(cuts.values, values);
      const writers = all.filter(({ cuts }) => cuts.isWriter);
      assert.equal(writers.length, sharesMemory ? 1 : size);
    });

    it("close the regions they made: tickets and results of a board, the pieces of a pool", () => {
      for (const { closed } of all) {
        assert.deepEqual(closed, [
          [true, true],
          [true, true],
          [true, true],
        ]);
      }
    });
  });
}
