import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Line, plainText } from "../text/styled.js";
import { svgOf } from "./svg.js";

/** Writes a screen to two files, a text and a picture, that did not exist before. Returns their common name without its ending. */
export function writeSnapshot(
  directory: string,
  name: string,
  lines: readonly Line[],
  columns: number,
): string {
  const text = `${lines.map((line) => plainText(line).trimEnd()).join("\n")}\n`;
  for (let number = 1; ; number++) {
    const path = join(directory, number === 1 ? name : `${name}-${number}`);
    try {
      writeFileSync(`${path}.txt`, text, { flag: "wx" });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") continue;
      throw error;
    }
    writeFileSync(`${path}.svg`, svgOf(lines, columns));
    return path;
  }
}
