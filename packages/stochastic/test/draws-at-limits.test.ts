import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Pcg64, Seeds, standardNormal } from "@cobre/stochastic";
import { LAYER_DENSITY, LAYER_EDGE, TAIL_START } from "#internal";

/** A generator of given draws, for what real ones meet once in a billion years. */
class Given extends Pcg64 {
  private readonly draws: (readonly [high: number, low: number])[];

  constructor(...draws: readonly (readonly [high: number, low: number])[]) {
    super();
    this.draws = [...draws];
  }

  override next(): void {
    const draw = this.draws.shift();
    assert.ok(draw !== undefined, "a draw too many");
    [this.high, this.low] = draw;
  }

  get left(): number {
    return this.draws.length;
  }
}

/** The draw of which {@link standardNormal} takes `bits`, of 52, and the layer. */
function draw(bits: number, layer = 0): readonly [number, number] {
  return [Math.floor(bits / 2 ** 20), ((bits % 2 ** 20) * 4096 + layer) >>> 0];
}

/** Two draws for the tail, as bits, of which one exponential is exactly half the square of the other. */
const TAIL_PAIR = [2159325366676179, 4413392526834265] as const;

const HALF = [0x80000000, 0] as const;

describe("the generator", () => {
  it("is PCG XSL-RR 128/64, from state 0 and increment 1 before it is seeded", () => {
    const rng = new Pcg64();
    assert.deepEqual([rng.high, rng.low], [0, 0]);
    let state = 0n;
    for (let i = 0; i < 1000; i++) {
      state = BigInt.asUintN(128, state * 0x2360ed051fc65da44385df649fccf645n + 1n);
      const mixed = BigInt.asUintN(64, (state >> 64n) ^ state);
      const rotation = state >> 122n;
      const expected = BigInt.asUintN(64, (mixed >> rotation) | (mixed << (64n - rotation)));
      rng.next();
      assert.equal((BigInt(rng.high) << 32n) | BigInt(rng.low), expected, `draw ${i}`);
    }
  });
});

describe("an index", () => {
  const index = (count: number, ...lows: readonly number[]) => {
    const rng = new Given(...lows.map((low) => [0, low] as const));
    return [rng.index(count), rng.left];
  };

  it("is the high half of the product", () => {
    assert.deepEqual(index(6, 0), [0, 0]);
    assert.deepEqual(index(6, 0x80000000), [3, 0]);
    assert.deepEqual(index(1, 12345), [0, 0]);
  });

  it("takes another draw only if the low half is above 2^32 - count", () => {
    assert.deepEqual(index(3, 0xffffffff, 7), [2, 1], "the low half is 2^32 - 3");
    assert.deepEqual(index(3, 0x55555555, 7), [0, 0], "the low half is 2^32 - 1");
  });

  it("is one more if both halves together come to 2^32", () => {
    assert.deepEqual(index(3, 0x55555555, 0x55555555), [0, 0], "2^32 - 1 and 0");
    assert.deepEqual(index(3, 0x55555555, 0x55555556), [1, 0], "2^32 - 1 and 1");
  });
});

describe("a unit", () => {
  it("has 53 bits and is below 1, or 52 bits and is never 0 or 1", () => {
    const all = [0xffffffff, 0xffffffff] as const;
    const none = [0, 0] as const;
    assert.equal(new Given(all).unit(), 1 - 2 ** -53);
    assert.equal(new Given(none).unit(), 0);
    assert.equal(new Given([0, 1 << 11]).unit(), 2 ** -53);
    assert.equal(new Given([1, 0]).unit(), 2 ** -32);
    assert.equal(new Given(all).openUnit(), 1 - 2 ** -53);
    assert.equal(new Given(none).openUnit(), 2 ** -53);
    assert.equal(new Given([0, 1 << 12]).openUnit(), 2 ** -52 + 2 ** -53);
  });
});

describe("a normal draw", () => {
  /** A point of the ziggurat that lies exactly at the edge of the next layer, in one whose density is `exp`'s own. */
  const edges = Array.from(LAYER_EDGE.subarray(1, 255), (edge, i) => {
    const layer = i + 1;
    const next = LAYER_EDGE[layer + 1] as number;
    if (Math.exp((-next * next) / 2) !== LAYER_DENSITY[layer + 1]) return [];
    const near = 2 ** 51 + Math.round((next / edge) * 2 ** 51);
    return [-2, -1, 0, 1, 2]
      .map((step) => near + step)
      .filter((bits) => (bits / 2 ** 51 - 1) * edge === next)
      .map((bits) => ({ layer, bits, next }));
  }).flat();
  const centre = draw(2 ** 51, 9);

  it("at the edge of the next layer is compared with the curve", () => {
    assert.ok(edges.length > 0);
    for (const { layer, bits, next } of edges.slice(0, 5)) {
      const inside = new Given(draw(bits - 4, layer));
      const x = standardNormal(inside);
      assert.ok(x < next && x > next - 1e-14);
      const below = new Given(draw(bits, layer), HALF, centre);
      assert.deepEqual([standardNormal(below), below.left], [next, 1], "below the curve");
      const on = new Given(draw(bits, layer), [0, 0], centre);
      assert.deepEqual([standardNormal(on), on.left], [0, 0], "on the curve, so again");
    }
  });

  it("of the lowest layer beyond its edge is one from the tail, with its sign", () => {
    // Two exponentials: the second is large enough.
    const tail = () => [draw(2 ** 51), draw(1)];
    const beyond = -Math.log(0.5 + 2 ** -53) / TAIL_START;
    assert.equal(standardNormal(new Given(draw(2 ** 52 - 1), ...tail())), TAIL_START + beyond);
    assert.equal(standardNormal(new Given(draw(0), ...tail())), -TAIL_START - beyond);
  });

  it("of the tail is kept if twice the second exponential is the first one's square", () => {
    const [first, second] = TAIL_PAIR;
    const open = (bits: number) => bits / 2 ** 52 + 2 ** -53;
    const beyond = -Math.log(open(first)) / TAIL_START;
    assert.equal(-2 * Math.log(open(second)), beyond * beyond);
    const kept = new Given(draw(2 ** 52 - 1), draw(first), draw(second));
    assert.equal(standardNormal(kept), TAIL_START + beyond);
    const again = new Given(
      draw(2 ** 52 - 1),
      draw(first - 1000),
      draw(second),
      draw(first),
      draw(second),
    );
    assert.equal(standardNormal(again), TAIL_START + beyond, "less is not enough");
  });
});

/** SipHash-1-3 with the key 0 over 32-bit words, in whole numbers. */
function sipHash(words: readonly bigint[]): bigint {
  const wrap = (x: bigint) => BigInt.asUintN(64, x);
  const turn = (x: bigint, bits: bigint) => wrap((x << bits) | (x >> (64n - bits)));
  const initial = [
    0x736f6d6570736575n,
    0x646f72616e646f6dn,
    0x6c7967656e657261n,
    0x7465646279746573n,
  ];
  let [v0, v1, v2, v3] = initial as [bigint, bigint, bigint, bigint];
  const round = () => {
    v0 = wrap(v0 + v1);
    v1 = turn(v1, 13n) ^ v0;
    v0 = turn(v0, 32n);
    v2 = wrap(v2 + v3);
    v3 = turn(v3, 16n) ^ v2;
    v0 = wrap(v0 + v3);
    v3 = turn(v3, 21n) ^ v0;
    v2 = wrap(v2 + v1);
    v1 = turn(v1, 17n) ^ v2;
    v2 = turn(v2, 32n);
  };
  const bytes = BigInt(4 * words.length) << 56n;
  for (let i = 0; i <= words.length; i += 2) {
    const isLast = i + 1 >= words.length;
    const word = (words[i] ?? 0n) | (isLast ? bytes : (words[i + 1] as bigint) << 32n);
    v3 ^= word;
    round();
    v0 ^= word;
  }
  v2 ^= 0xffn;
  for (let i = 0; i < 3; i++) round();
  return v0 ^ v1 ^ v2 ^ v3;
}

describe("a seed", () => {
  it("is SipHash-1-3 of seed, iteration, scenario and stage, or of seed, opening and stage", () => {
    // With the last of these seeds half a word becomes 0 on the way, so that a sum has the size of one of its parts.
    const bases = [0n, 42n, 2n ** 64n - 1n, 0x0123456789abcdefn, 0xe8eee8ecn];
    for (const base of bases) {
      const halves = [base & 0xffffffffn, base >> 32n];
      const seeds = new Seeds(base);
      for (const [a, b, c] of [
        [0, 0, 0],
        [1, 2, 3],
        [4294967295, 2147483648, 77],
      ] as const) {
        const [x, y, z] = [BigInt(a), BigInt(b), BigInt(c)] as const;
        assert.equal(seeds.forward(a, b, c), sipHash([...halves, x, y, z]));
        assert.equal(seeds.opening(a, b), sipHash([...halves, x, y]));
      }
    }
  });

  it("is the same as a number and as a bigint, in all its bits", () => {
    for (const seed of [0, 1, 42, 2 ** 31, 2 ** 32, 2 ** 53 - 1])
      assert.equal(new Seeds(seed).opening(1, 2), new Seeds(BigInt(seed)).opening(1, 2));
    const seeds = [0n, 1n, 1n << 31n, 1n << 32n, 1n << 63n];
    assert.equal(new Set(seeds.map((seed) => new Seeds(seed).opening(0, 0))).size, seeds.length);
  });

  it("starts the stream of its 64 bits", () => {
    const seeds = new Seeds(42);
    const [started, seeded] = [new Pcg64(), new Pcg64()];
    seeds.startOpening(started, 3, 5);
    seeded.seed(seeds.opening(3, 5));
    assert.deepEqual(started, seeded);
    seeds.startForward(started, 3, 5, 7);
    seeded.seed(seeds.forward(3, 5, 7));
    assert.deepEqual(started, seeded);
    seeded.seed(seeds.forward(3, 5, 7) - 2n ** 64n);
    assert.deepEqual(started, seeded, "the bits of a negative seed are read as unsigned");
  });
});
