import type { Pcg64 } from "./pcg64.js";
import { LAYER_DENSITY, LAYER_EDGE, TAIL_START } from "./ziggurat-tables.js";

/**
 * One draw from the standard normal distribution by the ziggurat method of Marsaglia and Tsang with 256 layers. A point
 * in a random layer is almost always under the curve. Otherwise it is compared with the curve, or, in the lowest layer,
 * replaced by a draw from the tail.
 *
 * @example
 * ```ts
 * const rng = new Pcg64();
 * rng.seed(4798411809987085555n);
 * standardNormal(rng); // 0.40098936496495646
 * ```
 */
export function standardNormal(rng: Pcg64): number {
  for (;;) {
    rng.next();
    const layer = rng.low & 255;
    // 52 bits as a number in [-1, 1).
    const u = (rng.high * 1048576 + (rng.low >>> 12)) / 2251799813685248 - 1;
    const x = u * (LAYER_EDGE[layer] as number);
    if (Math.abs(x) < (LAYER_EDGE[layer + 1] as number)) return x;
    if (layer === 0) return u < 0 ? -tail(rng) : tail(rng);
    const outer = LAYER_DENSITY[layer] as number;
    const inner = LAYER_DENSITY[layer + 1] as number;
    if (inner + (outer - inner) * rng.unit() < Math.exp((-x * x) / 2)) return x;
  }
}

/** A draw beyond the last edge, by Marsaglia's method of two exponentials. */
function tail(rng: Pcg64): number {
  for (;;) {
    const beyond = -Math.log(rng.openUnit()) / TAIL_START;
    const height = -Math.log(rng.openUnit());
    if (2 * height >= beyond * beyond) return TAIL_START + beyond;
  }
}
