import type { LpData } from "./linear-program.js";

/** Names for the columns and rows of a program. The defaults are x0, x1, … and r0, r1, … */
export interface LpNames {
  readonly columns?: readonly string[];
  readonly rows?: readonly string[];
}

const TERMS_A_LINE = 6;

/**
 * The program in the CPLEX LP format, which most solvers read, with all digits of its numbers.
 *
 * @example
 * ```ts
 * writeFileSync("stage_003.lp", formatLp(program.data(), { columns: ["storage_0", "turbined_0"] }));
 * ```
 */
export function formatLp(data: LpData, names: LpNames = {}): string {
  const column = (index: number) => legal(names.columns?.[index], "x", index);
  const lines = ["\\ Written by Cobre for TypeScript", "Minimize", " obj:"];
  const costs: string[] = [];
  data.cost.forEach((cost, index) => {
    if (cost !== 0) costs.push(`${signed(cost)} ${column(index)}`);
  });
  lines.push(...wrapped(costs.length > 0 ? costs : [`0 ${column(0)}`]), "Subject To");
  const { lower, upper, starts, indices, values } = data.rows;
  for (let row = 0; row < lower.length; row++) {
    const terms: string[] = [];
    for (let k = starts[row] as number; k < (starts[row + 1] as number); k++) {
      terms.push(`${signed(values[k] as number)} ${column(indices[k] as number)}`);
    }
    const [low, up] = [lower[row] as number, upper[row] as number];
    const name = legal(names.rows?.[row], "r", row);
    const body = wrapped(terms.length > 0 ? terms : [`0 ${column(0)}`]);
    if (low === up) lines.push(` ${name}:`, ...body, `  = ${low}`);
    else {
      // Not every reader accepts a row with two bounds, so it becomes two rows.
      if (Number.isFinite(low)) lines.push(` ${name}:`, ...body, `  >= ${low}`);
      if (Number.isFinite(up))
        lines.push(` ${name}${Number.isFinite(low) ? "_upper" : ""}:`, ...body, `  <= ${up}`);
    }
  }
  lines.push("Bounds");
  data.columnLower.forEach((low, index) => {
    const bounds = columnBounds(low, data.columnUpper[index] as number, column(index));
    if (bounds !== undefined) lines.push(` ${bounds}`);
  });
  lines.push("End", "");
  return lines.join("\n");
}

function columnBounds(low: number, up: number, name: string): string | undefined {
  if (low === up) return `${name} = ${low}`;
  if (low === Number.NEGATIVE_INFINITY)
    return up === Number.POSITIVE_INFINITY ? `${name} free` : `-inf <= ${name} <= ${up}`;
  if (up !== Number.POSITIVE_INFINITY) return `${low} <= ${name} <= ${up}`;
  return low === 0 ? undefined : `${name} >= ${low}`;
}

function signed(value: number): string {
  return value < 0 ? `- ${-value}` : `+ ${value}`;
}

function wrapped(terms: readonly string[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < terms.length; i += TERMS_A_LINE) {
    lines.push(`  ${terms.slice(i, i + TERMS_A_LINE).join(" ")}`);
  }
  return lines;
}

/** A name that the format allows: letters, digits and underscores, without a digit or an e at the beginning. */
function legal(name: string | undefined, prefix: string, index: number): string {
  if (name === undefined) return `${prefix}${index}`;
  const letters = name.replace(/[^A-Za-z0-9_]/g, "_");
  return /^[A-DF-Za-df-z_]/.test(letters) ? letters : `${prefix}_${letters}`;
}
