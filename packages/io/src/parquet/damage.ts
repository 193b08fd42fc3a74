/** A Parquet file contradicts itself, or uses what this program does not read. The message says what, without naming the file. */
export class ParquetDamage extends Error {
  override readonly name = "ParquetDamage";
}

/** @throws {@link ParquetDamage} unless the condition holds */
export function demand(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new ParquetDamage(problem);
}

/** A count, size or offset of a file as a number. @throws {@link ParquetDamage} if it is not a whole number from 0 to `limit` */
export function countOf(value: unknown, limit: number, what: string): number {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  demand(isNumber, `${what} is missing`);
  const count = Number(value);
  demand(Number.isInteger(count) && count >= 0 && count <= limit, `${what} is ${value}`);
  return count;
}
