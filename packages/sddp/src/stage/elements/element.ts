import type { Block } from "@cobre/core";
import type { LinearProgram } from "@cobre/solver";
import { COST_SCALE, type Model } from "../../model.js";
import type { CostKind, StageResults } from "../../results/stage-results.js";
import { ProgramBuilder } from "../program/program-builder.js";

/** A period with a water balance of its own. */
export interface WaterPeriod {
  readonly hours: number;
  /** The volume of 1 m³/s, in hm³. */
  readonly volume: number;
}

/** A stage under construction: what elements read, and what they add to. */
export class StageBuilder {
  readonly model: Model;
  /** Index of the stage. */
  readonly stage: number;
  /** A lower bound on the cost of what follows the stage, in thousands of $; `undefined` if nothing does. */
  readonly floor: number | undefined;
  readonly blocks: readonly Block[];
  readonly blockIds: readonly number[];
  /** The volume of 1 m³/s during the stage, in hm³. */
  readonly volume: number;
  /** The periods that have a water balance each: the blocks of a chronological stage, else the stage as a whole. */
  readonly waterPeriods: readonly WaterPeriod[];
  readonly program = new ProgramBuilder<CostKind>();

  constructor(model: Model, stage: number, floor: number | undefined) {
    this.model = model;
    this.stage = stage;
    this.floor = floor;
    this.blocks = model.study.time.stages[stage].blocks;
    this.blockIds = this.blocks.map(({ id }) => id);
    let volume = 0;
    for (const ofBlock of model.study.time.blockVolumes[stage]) volume += ofBlock;
    this.volume = volume;
    let hours = 0;
    for (const block of this.blocks) hours += block.hours;
    // Cobre 0.5 takes all blocks as parallel.
    const isChronological =
      model.study.time.stages[stage].isChronological === true && model.config.compat === undefined;
    this.waterPeriods = isChronological
      ? this.blocks.map((block, k) => ({
          hours: block.hours,
          volume: model.study.time.blockVolumes[stage][k],
        }))
      : [{ hours, volume }];
  }

  /** The index of the period of the water balance to which a block belongs. */
  periodOf(block: number): number {
    return this.waterPeriods.length === 1 ? 0 : block;
  }

  /** The cost of one unit during a period of the water balance, in thousands of $, from a cost per hour in $. */
  perPeriod(cost: (entity: number) => number): (entity: number, period: number) => number {
    return (entity, period) => (cost(entity) * this.waterPeriods[period].hours) / COST_SCALE;
  }

  /** The cost of one unit during a block, in thousands of $, from a cost per hour in $. */
  hourly(
    cost: (entity: number, block: number) => number,
  ): (entity: number, block: number) => number {
    return (entity, block) => (cost(entity, block) * this.blocks[block].hours) / COST_SCALE;
  }
}

/** An opening of a stage, for which elements set what they know. */
export interface Opening {
  readonly program: LinearProgram;
  /** The values of the known columns. The state stands there already. */
  readonly known: Float64Array;
  /** The noise of the opening begins at `offset`. */
  readonly noise: Float64Array;
  readonly offset: number;
  /** Whether the solve makes a cut, which must be valid in every state. */
  readonly isForCut: boolean;
}

/** What an element does after the program of its stage has been built. */
export interface StagePart {
  /** Whether openings have costs of their own. */
  readonly changesCosts?: boolean;
  /** Sets what the noise of an opening changes. */
  open?(opening: Opening): void;
  /**
   * Adds to the slopes from `offset` on, one for each state component, those that go through other known columns than the state's own.
   * Returns what the cut then lies below the cost, in thousands of $: 0 or less.
   */
  addSlopes?(
    reducedCosts: Float64Array,
    known: Float64Array,
    slopes: Float64Array,
    offset: number,
  ): number;
  /** What the costs that the opening has set differ from those of the program, for a solution. */
  openedCost?(primal: Float64Array): number;
  /** Writes what the element knows of a solved stage into the tables of results. */
  record?(results: StageResults): void;
}

/**
 * A component of the system. It adds its columns, rows and terms to the program of a stage, and returns what it does when the program is
 * solved.
 */
export type Element = (stage: StageBuilder) => StagePart;
