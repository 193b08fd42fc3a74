/**
 * PCG XSL-RR 128/64 (O'Neill), the generator of Cobre for Rust: a 128-bit linear congruential
 * state, of which each step gives 64 bits. State and increment are four 32-bit limbs, lowest first.
 */

/** The multiplier 0x2360ED051FC65DA44385DF649FCCF645. */
const M0 = 0x9fccf645;
const M1 = 0x4385df64;
const M2 = 0x1fc65da4;
const M3 = 0x2360ed05;

const TWO_TO_32 = 4294967296;

/** 2^-53: half the distance between neighbouring multiples of 2^-52. */
const HALF_STEP = 1.1102230246251565e-16;

/**
 * A stream of 64-bit random numbers. {@link next} puts the next one into `high` and `low`, its unsigned halves.
 *
 * @example
 * ```ts
 * const rng = new Pcg64();
 * rng.seed(42n);
 * rng.index(6) + 1; // a die roll
 * standardNormal(rng);
 * ```
 */
export class Pcg64 {
  high = 0;
  low = 0;
  private s0 = 0;
  private s1 = 0;
  private s2 = 0;
  private s3 = 0;
  private i0 = 1;
  private i1 = 0;
  private i2 = 0;
  private i3 = 0;

  /** Starts the stream of a 64-bit seed. The bits of a negative seed are read as unsigned. */
  seed(seed: bigint): void {
    this.seedHalves(Number(BigInt.asIntN(32, seed)), Number(BigInt.asIntN(32, seed >> 32n)));
  }

  /** Like {@link seed}, for a seed in two 32-bit halves. Eight words of a PCG32 stream become state and increment. */
  seedHalves(low: number, high: number): void {
    this.low = low;
    this.high = high;
    this.s0 = this.seedWord();
    this.s1 = this.seedWord();
    this.s2 = this.seedWord();
    this.s3 = this.seedWord();
    this.i0 = (this.seedWord() | 1) >>> 0;
    this.i1 = this.seedWord();
    this.i2 = this.seedWord();
    this.i3 = this.seedWord();
    let sum = this.s0 + this.i0;
    this.s0 = sum >>> 0;
    sum = this.s1 + this.i1 + Math.floor(sum / TWO_TO_32);
    this.s1 = sum >>> 0;
    sum = this.s2 + this.i2 + Math.floor(sum / TWO_TO_32);
    this.s2 = sum >>> 0;
    this.s3 = (this.s3 + this.i3 + Math.floor(sum / TWO_TO_32)) >>> 0;
    this.step();
  }

  /** Computes the next 64 bits. */
  next(): void {
    this.step();
    const high = this.s3 ^ this.s1;
    const low = this.s2 ^ this.s0;
    const rotation = this.s3 >>> 26;
    const bits = rotation & 31;
    // A rotation by 32 or more begins with a swap of the halves. `bits === 0` is separate because a shift by 32 does nothing.
    const a = rotation < 32 ? high : low;
    const b = rotation < 32 ? low : high;
    this.high = (bits === 0 ? a : (a >>> bits) | (b << (32 - bits))) >>> 0;
    this.low = (bits === 0 ? b : (b >>> bits) | (a << (32 - bits))) >>> 0;
  }

  /** The next number in [0, 1), with 53 bits. */
  unit(): number {
    this.next();
    return (this.high * 2097152 + (this.low >>> 11)) / 9007199254740992;
  }

  /** The next number in (0, 1), with 52 bits; never 0 or 1. */
  openUnit(): number {
    this.next();
    return (this.high * 1048576 + (this.low >>> 12)) / 4503599627370496 + HALF_STEP;
  }

  /**
   * The next random index from 0 to `count` - 1, for a count below 2^32: the high half of a 32 by 32 bit product,
   * with one more draw where the low half shows that the high one may be biased (Canon).
   */
  index(count: number): number {
    this.next();
    let result = mulHigh(this.low, count);
    const rest = Math.imul(this.low, count) >>> 0;
    if (rest > TWO_TO_32 - count) {
      this.next();
      if (rest + mulHigh(this.low, count) >= TWO_TO_32) result++;
    }
    return result;
  }

  /** One step of the 128-bit state: s = s · M + increment. Sums stay below 2^36, so doubles hold them exactly. */
  private step(): void {
    const { s0, s1, s2, s3 } = this;
    let sum = (Math.imul(s0, M0) >>> 0) + this.i0;
    const r0 = sum >>> 0;
    sum =
      mulHigh(s0, M0) +
      (Math.imul(s0, M1) >>> 0) +
      (Math.imul(s1, M0) >>> 0) +
      this.i1 +
      Math.floor(sum / TWO_TO_32);
    const r1 = sum >>> 0;
    sum =
      mulHigh(s0, M1) +
      mulHigh(s1, M0) +
      (Math.imul(s0, M2) >>> 0) +
      (Math.imul(s1, M1) >>> 0) +
      (Math.imul(s2, M0) >>> 0) +
      this.i2 +
      Math.floor(sum / TWO_TO_32);
    const r2 = sum >>> 0;
    // The highest limb: only its low 32 bits count.
    this.s3 =
      (mulHigh(s0, M2) +
        mulHigh(s1, M1) +
        mulHigh(s2, M0) +
        (Math.imul(s0, M3) >>> 0) +
        (Math.imul(s1, M2) >>> 0) +
        (Math.imul(s2, M1) >>> 0) +
        (Math.imul(s3, M0) >>> 0) +
        this.i3 +
        Math.floor(sum / TWO_TO_32)) >>>
      0;
    this.s0 = r0;
    this.s1 = r1;
    this.s2 = r2;
  }

  /** One word of the PCG32 stream whose 64-bit state is in `high` and `low` while seeding. */
  private seedWord(): number {
    const { low, high } = this;
    // s · 6364136223846793005 + 11634580027462260723, modulo 2^64.
    const sum = (Math.imul(low, 0x4c957f2d) >>> 0) + 0x6fbe17f3;
    this.low = sum >>> 0;
    this.high =
      (mulHigh(low, 0x4c957f2d) +
        (Math.imul(low, 0x5851f42d) >>> 0) +
        (Math.imul(high, 0x4c957f2d) >>> 0) +
        0xa17654e4 +
        Math.floor(sum / TWO_TO_32)) >>>
      0;
    // ((s >> 18) ^ s) >> 27, its low 32 bits, rotated right by s >> 59.
    const mixedHigh = (this.high >>> 18) ^ this.high;
    const mixedLow = ((this.low >>> 18) | (this.high << 14)) ^ this.low;
    const word = (mixedLow >>> 27) | (mixedHigh << 5);
    const rotation = this.high >>> 27;
    return rotation === 0 ? word >>> 0 : ((word >>> rotation) | (word << (32 - rotation))) >>> 0;
  }
}

/** The high 32 bits of the product of two unsigned 32-bit numbers. */
function mulHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const other = aLow * bHigh + (middle & 0xffff);
  return aHigh * bHigh + (middle >>> 16) + (other >>> 16);
}
