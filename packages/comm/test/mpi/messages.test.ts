/** What the conformance suite does not reach: the library's own reduction, size, and crowds. */
import assert from "node:assert/strict";
import { freemem } from "node:os";
import { describe, it } from "node:test";
import { needs } from "@cobre/testing/needs";
import { inScope } from "@cobre/testing/scope";
import { isMpiInstalled, MPIS } from "../mpi-installed.js";
import { play } from "./run-scene.js";

const GIBIBYTE = 2 ** 30;

/** Two ranks with what they send, what they receive and what the library keeps. */
const NEEDED_BYTES = 9 * GIBIBYTE;

/** More bytes than an int can count. It takes memory that not every machine has, and most of a minute. */
for (const mpi of inScope({ quick: [], rest: MPIS })) {
  it(`${mpi}: an allgatherv of more than 2^31 bytes`, { timeout: 600_000 }, async (t) => {
    if (!isMpiInstalled(t, mpi)) return;
    if (!needs(t, freemem() >= NEEDED_BYTES, `${NEEDED_BYTES / GIBIBYTE} GiB of free memory`))
      return;
    const { lines, story } = await play(mpi, "huge", 2);
    for (const [line] of lines) {
      assert.equal(line?.wrong, 0, story);
      assert.ok((line?.total as number) > 2 ** 31);
    }
  });
}

for (const mpi of inScope({ quick: ["openmpi"], rest: ["mpich"] } as const)) {
  describe(`mpi: messages, ${mpi}`, { timeout: 600_000 }, () => {
    it("the library's own reduction, of all types and operations", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, result, story } = await play(mpi, "native", 2);
      assert.deepEqual(lines, [[{ done: true }], [{ done: true }]], story);
      assert.equal(result.code, 0, story);
    });

    it("the same in pieces", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, story } = await play(mpi, "native in pieces", 2);
      assert.deepEqual(lines, [[{ done: true }], [{ done: true }]], story);
    });

    it("arrays over shared memory, again and again", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, story } = await play(mpi, "shared arrays", 2);
      assert.deepEqual(lines, [[{ done: true }], [{ done: true }]], story);
    });

    it("seven ranks, however few cores there are", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      for (const scene of ["crowd", "crowd of strangers"]) {
        const { lines, result, story } = await play(mpi, scene, 7);
        assert.deepEqual(lines, new Array(7).fill([{ done: true }]), story);
        assert.equal(result.code, 0, story);
      }
    });
  });
}
