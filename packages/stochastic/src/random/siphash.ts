/**
 * SipHash-1-3 (Aumasson and Bernstein) with the key 0, over a few 32-bit words. It turns (seed, iteration,
 * scenario, stage) into the seed of a generator, so that a random number depends on what it is for and never on
 * who draws it or when.
 *
 * A 64-bit word is a pair of 32-bit halves, low half first, in `state`: BigInt would allocate at every step.
 */

/** "somepseudorandomlygeneratedbytes", as four 64-bit words, low halves first. */
const INITIAL = [
  0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261, 0x6e657261, 0x6c796765, 0x79746573, 0x74656462,
] as const;

const V0 = 0;
const V1 = 2;
const V2 = 4;
const V3 = 6;
const state = new Int32Array(8);

/** The hash of the last call, as two signed 32-bit halves. */
export const digest = { low: 0, high: 0 };

/** Hashes the first `count` of `words` (each four bytes, little-endian) into {@link digest}. */
export function siphash13(words: ArrayLike<number>, count: number): void {
  state.set(INITIAL);
  const whole = count & ~1;
  for (let i = 0; i < whole; i += 2) absorb(words[i] as number, words[i + 1] as number);
  // The last 64-bit word holds the remaining word and, in its highest byte, the number of bytes.
  absorb(count === whole ? 0 : (words[whole] as number), (count * 4) << 24);
  state[V2] = (state[V2] as number) ^ 0xff;
  sipRound();
  sipRound();
  sipRound();
  digest.low =
    (state[V0] as number) ^ (state[V1] as number) ^ (state[V2] as number) ^ (state[V3] as number);
  digest.high =
    (state[V0 + 1] as number) ^
    (state[V1 + 1] as number) ^
    (state[V2 + 1] as number) ^
    (state[V3 + 1] as number);
}

function absorb(low: number, high: number): void {
  state[V3] = (state[V3] as number) ^ low;
  state[V3 + 1] = (state[V3 + 1] as number) ^ high;
  sipRound();
  state[V0] = (state[V0] as number) ^ low;
  state[V0 + 1] = (state[V0 + 1] as number) ^ high;
}

function sipRound(): void {
  addXorRotate(V0, V1, 13);
  swapHalves(V0);
  addXorRotate(V2, V3, 16);
  addXorRotate(V0, V3, 21);
  addXorRotate(V2, V1, 17);
  swapHalves(V2);
}

/** a += b; b = rotateLeft(b, bits) ^ a, for 0 < bits < 32. */
function addXorRotate(a: number, b: number, bits: number): void {
  const bLow = state[b] as number;
  const bHigh = state[b + 1] as number;
  const low = ((state[a] as number) + bLow) | 0;
  const carry = low >>> 0 < bLow >>> 0 ? 1 : 0;
  const high = ((state[a + 1] as number) + bHigh + carry) | 0;
  state[a] = low;
  state[a + 1] = high;
  state[b] = ((bLow << bits) | (bHigh >>> (32 - bits))) ^ low;
  state[b + 1] = ((bHigh << bits) | (bLow >>> (32 - bits))) ^ high;
}

/** Rotates a 64-bit word by 32. */
function swapHalves(word: number): void {
  const low = state[word] as number;
  state[word] = state[word + 1] as number;
  state[word + 1] = low;
}
