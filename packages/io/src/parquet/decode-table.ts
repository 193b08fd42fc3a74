import type { DecodedArray } from "hyparquet";
import type { Columns } from "./csv.js";
import { countOf, demand } from "./damage.js";
import { decodeData, decodeDictionary } from "./decode-page.js";
import { type Chunk, readFooter } from "./footer.js";
import { readPage } from "./page.js";
import { checkSeal } from "./seal.js";

/**
 * Decodes a Parquet file. Every number that the file tells about itself is compared with another or with its length before it is
 * used, and every checksum that it has is checked.
 *
 * @param wanted the columns to decode; the pages of the others are only checked. All, if it is not given.
 * @throws {@link ParquetDamage} if anything does not fit
 */
export function decodeTable(content: Uint8Array, wanted?: readonly string[]): Columns {
  // What is sliced off a Buffer is no copy, and may lie in memory that is shared with others.
  const file = new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  const { rows, names, groups, metadata } = readFooter(file);
  checkSeal(file, metadata);
  const columns = new Map<string, unknown[]>(names.map((name) => [name, []]));
  for (const chunk of groups.flat()) {
    if (chunk.rows === 0) continue;
    const { name } = chunk.element;
    const isWanted = wanted === undefined || wanted.includes(name);
    const cells = readChunk(file, chunk, isWanted);
    const column = columns.get(name) as unknown[];
    for (const cell of cells) column.push(cell);
  }
  return { rows, columns };
}

/** Reads the pages of a column chunk: they must fill it and hold as many values as it has rows. */
export function readChunk(file: Uint8Array, chunk: Chunk, isWanted: boolean): readonly unknown[] {
  const { element, metadata, rows, start, end } = chunk;
  const cells: unknown[] = [];
  let dictionary: DecodedArray | undefined;
  let firstData: number | undefined;
  let count = 0;
  for (let position = start; position < end; ) {
    const page = readPage(file, position, end, metadata.codec);
    if (page.kind === "dictionary") {
      demand(position === start, `column ${element.name} has a dictionary after its values`);
      if (isWanted) dictionary = decodeDictionary(page, element);
    } else {
      firstData ??= position;
      count += countOf(page.values, rows - count, `the values of a page of ${element.name}`);
      if (isWanted) {
        for (const cell of decodeData(page, element, dictionary)) cells.push(cell);
      }
    }
    position = page.end;
  }
  demand(count === rows, `column ${element.name} has ${count} values, not ${rows}`);
  // Some writers give the place of the dictionary for that of the values.
  const place = Number(metadata.data_page_offset);
  demand(
    firstData === undefined || place === firstData || place === start,
    `the pages of column ${element.name} are not where its row group says`,
  );
  if (isWanted) checkStatistics(chunk, cells);
  return cells;
}

/** The least and the greatest value that a writer notes are a checksum of a kind. */
function checkStatistics({ element, metadata }: Chunk, cells: readonly unknown[]): void {
  const { min_value, max_value, null_count } = metadata.statistics ?? {};
  const nulls = cells.reduce((sum: number, cell) => sum + (cell === null ? 1 : 0), 0);
  const numbers = cells.filter((cell) => typeof cell === "number" || typeof cell === "bigint");
  const isComparable = numbers.length > 0 && !numbers.some((cell) => Number.isNaN(cell));
  const isRight = (noted: unknown, isBetter: (a: number | bigint, b: number | bigint) => boolean) =>
    (typeof noted !== "number" && typeof noted !== "bigint") ||
    // Zero has two signs: what is neither less nor greater is equal.
    (numbers.every((cell) => !isBetter(cell, noted)) &&
      numbers.some((cell) => !isBetter(noted, cell)));
  demand(
    (null_count === undefined || Number(null_count) === nulls) &&
      (!isComparable ||
        (isRight(min_value, (a, b) => a < b) && isRight(max_value, (a, b) => a > b))),
    `the values of column ${element.name} contradict its statistics`,
  );
}
