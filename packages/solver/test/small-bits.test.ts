/**
 * The bits of the embedded simplex. Policies name its version, and a run is resumed by the same one only, so other bits need another version. Whoever
 * changes them on purpose raises `VERSION` in src/small/choice.ts and writes here what this test finds.
 */
import assert from "node:assert/strict";
import { createHash, type Hash } from "node:crypto";
import { describe, it } from "node:test";
import type { Basis } from "@cobre/solver";
import { fingerprintWith, type SmallProgram } from "#internal";
import { largeDispatch, rowData, Sequence } from "./programs.js";
import { change, counted, wildProgram } from "./small-programs.js";

const EXPECTED = {
  version: " simplex 1",
  openings: { hash: "e63648b00127931a", iterations: 5905, asked: 5 },
  changes: { hash: "e6f4e06fb72d89b9", iterations: 761, asked: 445 },
};

/** Adds up everything that a program says of its last solve. */
class Account {
  iterations = 0;
  private readonly hash: Hash = createHash("sha256");

  /** What HiGHS has solved counts by its verdict only. */
  add(lp: SmallProgram, isOwn: boolean): void {
    this.hash.update(lp.status);
    if (!isOwn) return;
    this.iterations += lp.iterations;
    const { primal, reducedCosts, activities, duals } = lp.solution();
    const { columns, rows } = lp.basis();
    this.hash.update(Float64Array.of(lp.objective, lp.iterations));
    for (const part of [primal, reducedCosts, activities, duals, columns, rows]) {
      this.hash.update(part);
    }
  }

  told(asked: number) {
    return { hash: this.hash.digest("hex").slice(0, 16), iterations: this.iterations, asked };
  }
}

/** Openings of a dispatch: inflows, plants that stand still, cuts that come and go, stored bases. */
function solveOpenings() {
  const account = new Account();
  let allAsked = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const plants = 4 + 2 * seed;
    const { lp, asked } = counted(largeDispatch(plants, 20 + 10 * seed, seed));
    const random = new Sequence(seed);
    const bases: Basis[] = [];
    for (let opening = 0; opening < 80; opening++) {
      const inflow = Float64Array.from({ length: plants }, () => 150 * random.next());
      lp.setRowBounds(0, inflow, inflow);
      if (opening % 4 === 1) {
        const running = opening % 8 === 1 ? 0 : 40;
        lp.setColumnBounds(plants, Float64Array.of(0), Float64Array.of(running));
      }
      if (opening % 5 === 4) {
        lp.startFrom(bases[Math.floor(random.next() * bases.length)] as Basis);
      }
      if (opening % 7 === 0) {
        const cut = Array.from({ length: lp.columns }, (_, j) =>
          j < plants ? 60 * random.next() : Number(j === lp.columns - 1),
        );
        lp.addRows(rowData([[4000 * random.next(), cut, Number.POSITIVE_INFINITY]]));
      }
      if (opening % 9 === 8) {
        const removed = plants + 1 + Math.floor(random.next() * 20);
        lp.deleteRows(Int32Array.of(removed, removed + 2));
        bases.length = 0;
      }
      const before = asked();
      lp.solve();
      account.add(lp, asked() === before);
      bases.push(lp.basis());
    }
    allAsked += asked();
    lp.close();
  }
  return account.told(allAsked);
}

/** Programs without order, through all kinds of changes. */
function solveChanges() {
  const account = new Account();
  let allAsked = 0;
  for (let seed = 1; seed <= 120; seed++) {
    const random = new Sequence(1000 + seed);
    const { lp, asked } = counted(wildProgram(random, seed % 4 > 0));
    for (let step = 0; step < 12; step++) {
      const before = asked();
      lp.solve();
      account.add(lp, asked() === before);
      change(lp, random);
    }
    allAsked += asked();
    lp.close();
  }
  return account.told(allAsked);
}

describe("the bits of the embedded simplex", () => {
  it("are those of its version", () => {
    const found = {
      version: fingerprintWith("embedded", ""),
      openings: solveOpenings(),
      changes: solveChanges(),
    };
    assert.deepEqual(found, EXPECTED);
  });
});
