import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_SIMULATED_SCENARIO, Pcg64, Seeds, standardNormal } from "@cobre/stochastic";
import { LAYER_DENSITY, LAYER_EDGE, TAIL_START } from "#internal";

/** The 64 bits of the last draw. */
function bits(rng: Pcg64): bigint {
  return (BigInt(rng.high) << 32n) | BigInt(rng.low);
}

function seeded(seed: bigint): Pcg64 {
  const rng = new Pcg64();
  rng.seed(seed);
  return rng;
}

/** Sensitive to every bit and to the order. */
function mix(digest: bigint, value: bigint): bigint {
  return BigInt.asUintN(64, (digest << 1n) | (digest >> 63n)) ^ value;
}

// The expected numbers are those of the crates siphasher 1, rand 0.9, rand_pcg 0.9 and rand_distr 0.5.
describe("seeds", () => {
  it("are SipHash-1-3 of the little-endian words", () => {
    assert.equal(new Seeds(42).forward(0, 0, 0), 4418977803187233897n);
    assert.equal(new Seeds(42).forward(1, 0, 0), 1136081913003788997n);
    assert.equal(new Seeds(42).opening(0, 0), 4798411809987085555n);
  });

  it("use all bits of seed, iteration and scenario", () => {
    const scenario = FIRST_SIMULATED_SCENARIO + 3;
    const expected = 13773040866164999468n;
    assert.equal(new Seeds(2n ** 64n - 6n).forward(4000000000, scenario, 77), expected);
  });

  it("of a negative number are those of its absolute value", () => {
    assert.equal(new Seeds(-42).forward(1, 0, 0), 1136081913003788997n);
    assert.equal(new Seeds(-42n).opening(0, 0), 4798411809987085555n);
    assert.equal(new Seeds(-(2n ** 63n)).opening(3, 1), new Seeds(2n ** 63n).opening(3, 1));
  });
});

describe("Pcg64", () => {
  it("gives the 64 bits of the reference", () => {
    const rng = seeded(4798411809987085555n);
    rng.next();
    assert.equal(bits(rng), 14706656050763477741n);
    rng.next();
    assert.equal(bits(rng), 11154459560475992769n);
  });

  it("gives them also after 100,000 steps", () => {
    const rng = seeded(7n);
    let digest = 0n;
    for (let i = 0; i < 100_000; i++) {
      rng.next();
      digest = mix(digest, bits(rng));
    }
    assert.equal(digest, 14041392645316915875n);
  });

  it("gives unbiased indices for small and large counts", () => {
    const counts = [1, 2, 3, 10, 100, 1000, 3_000_000_000, 4_294_967_295];
    const rng = seeded(99n);
    let digest = 0n;
    for (let i = 0; i < 80_000; i++) {
      digest = mix(digest, BigInt(rng.index(counts[i % 8] as number)));
    }
    assert.equal(digest, 16378599364507478826n);
    rng.next();
    assert.equal(bits(rng), 54561873000914498n, "as many draws were used");
  });

  it("gives numbers in [0, 1) and (0, 1)", () => {
    const rng = seeded(5n);
    for (let i = 0; i < 10_000; i++) {
      const unit = rng.unit();
      assert.ok(unit >= 0 && unit < 1);
      const open = rng.openUnit();
      assert.ok(open > 0 && open < 1);
    }
  });
});

describe("standardNormal", () => {
  it("gives the bits of the published vectors", () => {
    const rng = seeded(4798411809987085555n);
    assert.equal(standardNormal(rng), 0.40098936496495646);
    assert.equal(standardNormal(rng), 0.22792558815859804);
  });

  it("takes the same branches as rand_distr, tails included", () => {
    const rng = seeded(2024n);
    const tails: [number, number][] = [];
    for (let i = 0; i < 200_000; i++) {
      const x = standardNormal(rng);
      if (Math.abs(x) > TAIL_START) tails.push([i, x]);
    }
    assert.equal(tails.length, 60);
    assert.deepEqual(
      [tails[0], tails[2], tails[31], tails[59]].map((tail) => [tail?.[0], tail?.[1].toFixed(12)]),
      [
        [601, "4.259231699564"],
        [17658, "-3.673259768057"],
        [116131, "4.538353662814"],
        [195743, "4.254184155454"],
      ],
    );
    rng.next();
    assert.equal(bits(rng), 17360747215290239297n, "as many draws were used");
  });

  it("has tables of layers of equal area", () => {
    // The exact area is 0.004928673233974658; rand_distr takes these digits.
    const area = 0.00492867323399;
    assert.equal(LAYER_EDGE.length, 257);
    assert.equal(LAYER_EDGE[1], TAIL_START);
    LAYER_EDGE.forEach((edge, i) => {
      assert.ok(Math.abs(Math.exp((-edge * edge) / 2) - (LAYER_DENSITY[i] as number)) < 1e-15);
      if (i === 0 || i > 254) return;
      const height = (LAYER_DENSITY[i + 1] as number) - (LAYER_DENSITY[i] as number);
      assert.ok(Math.abs(height * edge - area) < 1e-15, `layer ${i}`);
    });
  });
});
