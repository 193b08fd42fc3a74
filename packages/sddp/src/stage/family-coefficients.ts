import type { StageProgram } from "./program/stage-program.js";

/** A coefficient, and where it is in the programs. */
export interface Coefficient {
  /** Without its sign. */
  readonly magnitude: number;
  /** Index of the stage. */
  readonly stage: number;
  /** The name of the column, as `turbined_3_0`: its family, the id of the entity, the block. */
  readonly column?: string | undefined;
  readonly row?: string | undefined;
}

/** The smallest and the largest of some coefficients, of which none is 0 or infinite. */
export interface CoefficientRange {
  readonly smallest: Coefficient;
  readonly largest: Coefficient;
}

/** The coefficients of all columns of one name, in all stages. What is `undefined` has none. */
export interface ColumnFamily {
  readonly family: string;
  /** Columns, in all stages together. */
  readonly count: number;
  /** In rows. */
  readonly matrix: CoefficientRange | undefined;
  readonly costs: CoefficientRange | undefined;
  readonly bounds: CoefficientRange | undefined;
}

/** The coefficients of all rows of one name, in all stages. */
export interface RowFamilyRange {
  readonly family: string;
  readonly count: number;
  readonly matrix: CoefficientRange | undefined;
  readonly rightSides: CoefficientRange | undefined;
}

/** The ranges of coefficients in the programs of all stages, without cuts. */
export interface FamilyCoefficients {
  readonly matrix: CoefficientRange | undefined;
  readonly costs: CoefficientRange | undefined;
  readonly bounds: CoefficientRange | undefined;
  readonly rightSides: CoefficientRange | undefined;
  readonly columns: readonly ColumnFamily[];
  readonly rows: readonly RowFamilyRange[];
}

/** How many times the smallest coefficient goes into the largest. */
export function ratioOf({ smallest, largest }: CoefficientRange): number {
  return largest.magnitude / smallest.magnitude;
}

/** Collects the ranges of coefficients, family by family, in the order in which families come. */
export class FamilyCollector {
  private readonly columns = new Map<string, Collected>();
  private readonly rows = new Map<string, Collected>();
  private readonly all = new Collected();

  /** Adds the program of a stage. */
  add(stage: number, { data, names }: Pick<StageProgram, "data" | "names">): void {
    const { cost, columnLower, columnUpper, rows } = data;
    names.columns.forEach((column, j) => {
      const family = entryOf(this.columns, familyOf(column));
      family.count++;
      this.take("costs", [family], { magnitude: Math.abs(cost[j]), stage, column });
      for (const bound of [columnLower[j], columnUpper[j]]) {
        this.take("bounds", [family], { magnitude: Math.abs(bound), stage, column });
      }
    });
    names.rows.forEach((row, i) => {
      const family = entryOf(this.rows, familyOf(row));
      family.count++;
      for (const side of [rows.lower[i], rows.upper[i]]) {
        this.take("rightSides", [family], { magnitude: Math.abs(side), stage, row });
      }
      for (let at = rows.starts[i]; at < rows.starts[i + 1]; at++) {
        const column = names.columns[rows.indices[at]];
        const magnitude = Math.abs(rows.values[at]);
        const both = [family, entryOf(this.columns, familyOf(column))];
        this.take("matrix", both, { magnitude, stage, column, row });
      }
    });
  }

  result(): FamilyCoefficients {
    const { matrix, costs, bounds, rightSides } = this.all.ranges;
    return {
      matrix,
      costs,
      bounds,
      rightSides,
      columns: [...this.columns].map(([family, { count, ranges }]) => {
        return { family, count, matrix: ranges.matrix, costs: ranges.costs, bounds: ranges.bounds };
      }),
      rows: [...this.rows].map(([family, { count, ranges }]) => {
        return { family, count, matrix: ranges.matrix, rightSides: ranges.rightSides };
      }),
    };
  }

  private take(part: Part, families: readonly Collected[], coefficient: Coefficient): void {
    const { magnitude } = coefficient;
    if (magnitude === 0 || !Number.isFinite(magnitude)) return;
    for (const family of families) family.take(part, coefficient);
    this.all.take(part, coefficient);
  }
}

type Part = "matrix" | "costs" | "bounds" | "rightSides";

class Collected {
  count = 0;
  readonly ranges: Partial<Record<Part, CoefficientRange>> = {};

  take(part: Part, found: Coefficient): void {
    const { smallest = found, largest = found } = this.ranges[part] ?? {};
    this.ranges[part] = {
      smallest: found.magnitude < smallest.magnitude ? found : smallest,
      largest: found.magnitude > largest.magnitude ? found : largest,
    };
  }
}

/** The name without what stands for the entity and the block: `turbined` of `turbined_3_0`, `generic` of `generic_1_stage_0`. */
export function familyOf(name: string): string {
  return name.replace(/(?:_(?:-?\d+|stage|lag\d+))+$/, "");
}

function entryOf(families: Map<string, Collected>, family: string): Collected {
  let found = families.get(family);
  if (found === undefined) {
    found = new Collected();
    families.set(family, found);
  }
  return found;
}
