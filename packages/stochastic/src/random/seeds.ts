import type { Pcg64 } from "./pcg64.js";
import { digest, siphash13 } from "./siphash.js";

/**
 * The seeds of a study: one 64-bit number from the user, and from it one for each thing that is random.
 *
 * @example
 * ```ts
 * const seeds = new Seeds(42);
 * seeds.startForward(rng, iteration, scenario, stageId);
 * const opening = rng.index(openingsOfStage);
 * ```
 */
export class Seeds {
  private readonly words = new Int32Array(5);

  /** Any 64-bit integer; the bits of a negative one are read as unsigned. */
  constructor(base: number | bigint) {
    const bits = BigInt(base);
    this.words[0] = Number(BigInt.asIntN(32, bits));
    this.words[1] = Number(BigInt.asIntN(32, bits >> 32n));
  }

  /** Starts `rng` for the noise of one opening of a stage. */
  startOpening(rng: Pcg64, opening: number, stageId: number): void {
    this.hashOpening(opening, stageId);
    rng.seedHalves(digest.low, digest.high);
  }

  /** Starts `rng` for one stage of a forward path; iterations count from 1, scenarios across all ranks. */
  startForward(rng: Pcg64, iteration: number, scenario: number, stageId: number): void {
    this.hashForward(iteration, scenario, stageId);
    rng.seedHalves(digest.low, digest.high);
  }

  /** What {@link startOpening} seeds with, for tests and provenance. */
  opening(opening: number, stageId: number): bigint {
    this.hashOpening(opening, stageId);
    return digestAsBigInt();
  }

  /** What {@link startForward} seeds with, for tests and provenance. */
  forward(iteration: number, scenario: number, stageId: number): bigint {
    this.hashForward(iteration, scenario, stageId);
    return digestAsBigInt();
  }

  private hashOpening(opening: number, stageId: number): void {
    this.words[2] = opening;
    this.words[3] = stageId;
    siphash13(this.words, 4);
  }

  private hashForward(iteration: number, scenario: number, stageId: number): void {
    this.words[2] = iteration;
    this.words[3] = scenario;
    this.words[4] = stageId;
    siphash13(this.words, 5);
  }
}

/** Simulated scenario `id` is the forward path of iteration 0 with this number plus `id`. */
export const FIRST_SIMULATED_SCENARIO = 0x7fffffff;

function digestAsBigInt(): bigint {
  return (BigInt(digest.high >>> 0) << 32n) | BigInt(digest.low >>> 0);
}
