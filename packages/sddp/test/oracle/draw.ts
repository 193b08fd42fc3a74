/** What small systems are drawn with. */
import { Dice } from "@cobre/testing/fuzz";
import type { SmallPenalties } from "./system.js";

/** Random numbers, choices and lists that follow from a seed. */
export class Draw extends Dice {
  number(from: number, to: number): number {
    const share = this.below(2 ** 20) / 2 ** 20;
    return rounded(from + share * (to - from));
  }

  chance(probability: number): boolean {
    return this.below(1000) < 1000 * probability;
  }

  /** Distinct ids in any order. */
  ids(count: number): number[] {
    return this.shuffled([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).slice(0, count);
  }

  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    return items.map(() => left.splice(this.below(left.length), 1)[0]);
  }

  /** About half of the fields. */
  some<T extends object>(values: T): Partial<T> {
    const entries = Object.entries(values).filter(() => this.chance(0.5));
    return Object.fromEntries(entries) as Partial<T>;
  }

  /** For each opening; calm noise hardly ever makes an inflow negative. */
  noise(openings: number, isCalm: boolean): readonly number[] {
    const limit = isCalm ? 1.2 : 3;
    return Array.from({ length: openings }, () => this.number(-limit, limit));
  }

  penalties(): SmallPenalties {
    return {
      spillage: this.chance(0.3) ? this.number(5, 60) : this.number(0.01, 3),
      turbinedBelow: this.number(5, 200),
      outflowBelow: this.number(5, 200),
      outflowAbove: this.number(5, 200),
      generationBelow: this.number(5, 200),
      negativeInflow: this.number(10, 300),
    };
  }
}

/** Three digits are enough, and keep a description short. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
