import { LocalCommunicator } from "@cobre/comm/local";
import type { Case } from "@cobre/io";
import {
  type CoefficientAdvice,
  type CoefficientEnd,
  type CoefficientRange,
  type CoefficientReport,
  coefficientReport,
  ratioOf,
} from "@cobre/sddp";

/**
 * The ranges of the coefficients in the programs of a case, family by family, with advice where they are dangerous. Nothing is solved.
 *
 * @example
 * ```ts
 * const { matrix, advice } = coefficientsOf(await loadCase("cases/1dtoy"));
 * for (const one of advice) console.log(adviceText(one));
 * ```
 */
export function coefficientsOf(source: Case): CoefficientReport {
  using comm = new LocalCommunicator();
  return coefficientReport(comm, source);
}

/** The smallest and the largest magnitude, and where they are: stage id, column and row. */
export interface CoefficientRangeJson {
  readonly min: number;
  readonly max: number;
  readonly ratio: number;
  readonly min_at: CoefficientAt;
  readonly max_at: CoefficientAt;
}

interface CoefficientAt {
  readonly stage_id: number;
  readonly column?: string | undefined;
  readonly row?: string | undefined;
}

type Ranges<K extends string> = Readonly<Record<K, CoefficientRangeJson | null>>;

/** A report as `cobre validate --json` prints it; `null` where there are no coefficients. Costs are in thousands of $. */
export interface CoefficientsJson extends Ranges<"matrix" | "costs" | "bounds" | "right_sides"> {
  readonly columns: readonly ({ readonly family: string; readonly count: number } & Ranges<
    "matrix" | "costs" | "bounds"
  >)[];
  readonly rows: readonly ({ readonly family: string; readonly count: number } & Ranges<
    "matrix" | "right_sides"
  >)[];
  readonly advice: readonly {
    readonly part: string;
    readonly ratio: number;
    readonly smallest: CoefficientEndJson;
    readonly largest: CoefficientEndJson;
    readonly remedy: string;
  }[];
}

interface CoefficientEndJson extends CoefficientAt {
  readonly magnitude: number;
  readonly file: string | null;
  readonly entity: string | null;
  readonly field: string | null;
}

/**
 * A report with the names and ids of files, as `cobre validate --json` prints it.
 *
 * @example
 * ```ts
 * const { costs } = coefficientsJson(coefficientsOf(source), source);
 * costs?.max_at; // { stage_id: 0, column: "deficit_0_0_0" }
 * ```
 */
export function coefficientsJson(report: CoefficientReport, { study }: Case): CoefficientsJson {
  const at = ({ stage, column, row }: CoefficientRange["smallest"]): CoefficientAt => {
    return { stage_id: study.time.stages[stage]?.id ?? stage, column, row };
  };
  const range = (found: CoefficientRange | undefined): CoefficientRangeJson | null =>
    found === undefined
      ? null
      : {
          min: found.smallest.magnitude,
          max: found.largest.magnitude,
          ratio: ratioOf(found),
          min_at: at(found.smallest),
          max_at: at(found.largest),
        };
  const end = (found: CoefficientEnd): CoefficientEndJson => ({
    magnitude: found.magnitude,
    ...at(found),
    file: found.place?.file ?? null,
    entity: found.place?.entity ?? null,
    field: found.place?.field ?? null,
  });
  return {
    matrix: range(report.matrix),
    costs: range(report.costs),
    bounds: range(report.bounds),
    right_sides: range(report.rightSides),
    columns: report.columns.map(({ family, count, matrix, costs, bounds }) => {
      return { family, count, matrix: range(matrix), costs: range(costs), bounds: range(bounds) };
    }),
    rows: report.rows.map(({ family, count, matrix, rightSides }) => {
      return { family, count, matrix: range(matrix), right_sides: range(rightSides) };
    }),
    advice: report.advice.map(({ part, ratio, smallest, largest, remedy }) => ({
      part: PART_NAMES[part],
      ratio,
      smallest: end(smallest),
      largest: end(largest),
      remedy,
    })),
  };
}

const PART_NAMES = {
  matrix: "matrix",
  costs: "costs",
  bounds: "bounds",
  rightSides: "right_sides",
} as const;

/**
 * An advice in one sentence, with the file, entity and field of both ends.
 *
 * @example
 * ```ts
 * coefficientsOf(source).advice.map(adviceText); // ["costs reach from 1e-7 (system/thermals.json: thermal 0: cost_per_mwh) to …"]
 * ```
 */
export function adviceText({ part, smallest, largest, remedy }: CoefficientAdvice): string {
  const name = PART_NAMES[part].replace("_", " ");
  return `${name} reach from ${endText(smallest)} to ${endText(largest)}; ${remedy}`;
}

function endText({ magnitude, column, row, place }: CoefficientEnd): string {
  const where =
    place === undefined
      ? [row, column].filter((name) => name !== undefined).join(", ")
      : `${place.file}: ${place.entity}: ${place.field}`;
  return `${Number(magnitude.toPrecision(3))} (${where})`;
}
