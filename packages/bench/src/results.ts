import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Measurement } from "./measurement.js";
import { OUTPUT_FOLDER } from "./output-folder.js";

/** Where the results go: JSON lines to a file, or to stdout; then all other text goes to stderr. */
export class Results {
  readonly #json: string;
  readonly #lines: Measurement[] = [];

  constructor(json: string | undefined) {
    this.#json = json ?? `${OUTPUT_FOLDER}/results.jsonl`;
  }

  say(text: string): void {
    (this.#json === "-" ? process.stderr : process.stdout).write(`${text}\n`);
  }

  /** A line that the next one replaces; only on a terminal. */
  progress(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  }

  add(lines: readonly Measurement[]): void {
    this.#lines.push(...lines);
    if (this.#json === "-") process.stdout.write(lines.map(asLine).join(""));
  }

  save(): void {
    if (this.#json === "-") return;
    mkdirSync(dirname(this.#json), { recursive: true });
    writeFileSync(this.#json, this.#lines.map(asLine).join(""));
    this.say(`JSON lines: ${this.#json}`);
  }
}

/** Rounds to five digits, which is more than the clock's precision. */
function asLine(line: Measurement): string {
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value !== "number" || Number.isInteger(value) ? value : Number(value.toPrecision(5));
  return `${JSON.stringify(line, rounded)}\n`;
}
