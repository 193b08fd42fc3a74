import type { CoefficientRange, CoefficientReport } from "@cobre/sddp";
import { adviceText } from "@cobre/study";

const NOTHING = "-";

/** The ranges of coefficients for people; with a line for each family, if they are asked for. */
export function coefficientText(report: CoefficientReport, hasFamilies: boolean): string {
  const { matrix, costs, bounds, rightSides, columns, rows, advice } = report;
  const all = table(
    ["coefficients", "from", "to"],
    [
      ["matrix", ...ends(matrix)],
      ["costs (1000 $)", ...ends(costs)],
      ["bounds", ...ends(bounds)],
      ["right sides", ...ends(rightSides)],
    ],
  );
  const families = [
    table(
      ["columns", "number", "matrix", "costs (1000 $)", "bounds"],
      columns.map((one) => [
        one.family,
        String(one.count),
        span(one.matrix),
        span(one.costs),
        span(one.bounds),
      ]),
    ),
    table(
      ["rows", "number", "matrix", "right sides"],
      rows.map((one) => [one.family, String(one.count), span(one.matrix), span(one.rightSides)]),
    ),
  ];
  const told = advice.map((one) => `advice: ${adviceText(one)}\n`).join("");
  return [all, ...(hasFamilies ? families : []), told].filter((part) => part !== "").join("\n");
}

function ends(range: CoefficientRange | undefined): readonly string[] {
  if (range === undefined) return [NOTHING, NOTHING];
  return [short(range.smallest.magnitude), short(range.largest.magnitude)];
}

function span(range: CoefficientRange | undefined): string {
  const [from, to] = ends(range);
  return from === to ? String(from) : `${from} … ${to}`;
}

/** Three digits, as short as they can be written. */
function short(magnitude: number): string {
  return String(Number(magnitude.toPrecision(3)));
}

/** Names to the left, numbers to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => {
      const cells = line.map((cell, i) =>
        i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
      );
      return `${cells.join("  ").trimEnd()}\n`;
    })
    .join("");
}
