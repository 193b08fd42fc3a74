import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { Writable } from "node:stream";
import type { LogStream } from "./log.js";

/** The least time between two drawings. */
const PERIOD_MS = 100;

/** One line of the block: what is written, and how many columns that takes without its styles. */
export interface BlockLine {
  readonly text: string;
  readonly columns: number;
}

/**
 * Lines at the bottom of a terminal that are drawn again and again; what is printed goes above them. The cursor stands below them, so that
 * whatever comes next begins on a line of its own, even if the process is killed.
 */
export class LiveBlock {
  private readonly stream: LogStream;
  private drawn: readonly BlockLine[] = [];
  private drawnAt = Number.NEGATIVE_INFINITY;

  constructor(stream: LogStream) {
    this.stream = stream;
  }

  /** Draws the lines, unless that was done a moment ago. */
  draw(lines: () => readonly BlockLine[], isUrgent = false): void {
    const now = Date.now();
    if (!isUrgent && now - this.drawnAt < PERIOD_MS) return;
    this.drawnAt = now;
    const next = lines();
    this.stream.write(this.erasing() + next.map(({ text }) => `${text}\n`).join(""));
    this.drawn = next;
  }

  /** Prints lines above the block, which is drawn again below them. */
  print(text: string): void {
    const block = this.drawn.map((line) => `${line.text}\n`).join("");
    this.stream.write(`${this.erasing()}${text}\n${block}`);
  }

  /** Takes the block away. */
  clear(): void {
    if (this.drawn.length > 0) this.stream.write(this.erasing());
    this.drawn = [];
    this.drawnAt = Number.NEGATIVE_INFINITY;
  }

  /** What takes the block away. A terminal that has become narrower breaks lines, so they may stand on more rows than they were drawn on. */
  private erasing(): string {
    const { columns = 80 } = this.stream;
    const rows = this.drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(line.columns / Math.max(1, columns))),
      0,
    );
    if (rows === 0) return "";
    let text = "";
    const sink = new Writable({
      decodeStrings: false,
      write(chunk: string, _, done) {
        text += chunk;
        done();
      },
    });
    cursorTo(sink, 0);
    moveCursor(sink, 0, -rows);
    clearScreenDown(sink);
    return text;
  }
}
