import type { Pcg64 } from "./pcg64.js";
import { digest, siphash13 } from "./siphash.js";

/**
 * The seeds of a study: from one 64-bit number of the user, a seed for each random quantity.
 *
 * @example
 * ```ts
 * const seeds = new Seeds(42);
 * seeds.startForward(rng, iteration, scenario, stageIndex);
 * const opening = rng.index(openingsOfStage);
 * ```
 */
export class Seeds {
  private readonly words = new Int32Array(5);

  /** @param base any 64-bit integer; a negative one is the same seed as its absolute value */
  constructor(base: number | bigint) {
    const bits = BigInt(base) < 0n ? -BigInt(base) : BigInt(base);
    this.words[0] = Number(BigInt.asIntN(32, bits));
    this.words[1] = Number(BigInt.asIntN(32, bits >> 32n));
  }

  /** Starts `rng` for the noise of one opening of a stage. */
  startOpening(rng: Pcg64, opening: number, stageId: number): void {
    this.hashOpening(opening, stageId);
    rng.seedHalves(digest.low, digest.high);
  }

  /**
   * Starts `rng` for one stage of a forward pass. Iterations count from 1, stages by their place from 0; scenarios are numbered across
   * all ranks.
   */
  startForward(rng: Pcg64, iteration: number, scenario: number, stageIndex: number): void {
    this.hashForward(iteration, scenario, stageIndex);
    rng.seedHalves(digest.low, digest.high);
  }

  /** The seed that {@link startOpening} uses, for tests and provenance. */
  opening(opening: number, stageId: number): bigint {
    this.hashOpening(opening, stageId);
    return digestAsBigInt();
  }

  /** The seed that {@link startForward} uses, for tests and provenance. */
  forward(iteration: number, scenario: number, stageIndex: number): bigint {
    this.hashForward(iteration, scenario, stageIndex);
    return digestAsBigInt();
  }

  private hashOpening(opening: number, stageId: number): void {
    this.words[2] = opening;
    this.words[3] = stageId;
    siphash13(this.words, 4);
  }

  private hashForward(iteration: number, scenario: number, stageIndex: number): void {
    this.words[2] = iteration;
    this.words[3] = scenario;
    this.words[4] = stageIndex;
    siphash13(this.words, 5);
  }
}

/** Simulated scenario `id` uses the seeds of iteration 0 and forward pass `FIRST_SIMULATED_SCENARIO + id`. */
export const FIRST_SIMULATED_SCENARIO = 0x7fffffff;

function digestAsBigInt(): bigint {
  return (BigInt(digest.high >>> 0) << 32n) | BigInt(digest.low >>> 0);
}
