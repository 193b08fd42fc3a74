import type { Readable, Writable } from "node:stream";
import { lineEnd } from "./line-splitter.js";

const NEWLINE = Buffer.from("\n");

/**
 * A stream of the launcher that many write whole lines to. While it does not drain, everybody who
 * writes to it is paused: what waits here does not grow.
 */
export class Outlet {
  readonly #stream: Writable;
  readonly #sources = new Set<Readable>();
  readonly #onBroken: (error: Error) => void;
  /** Who wrote the line that a `\r` left open, to be written over. */
  #openLineOf: string | undefined;
  #broken = false;

  constructor(stream: Writable, onBroken: (error: Error) => void) {
    this.#stream = stream;
    this.#onBroken = onBroken;
    stream.on("drain", this.#drained);
    stream.on("error", this.#failed);
  }

  attach(source: Readable): void {
    this.#sources.add(source);
    source.once("close", () => this.#sources.delete(source));
  }

  /** Writes lines behind `prefix`, all at once. A line without an end gets one. */
  write(prefix: string, lines: readonly Buffer[]): void {
    if (this.#broken || lines.length === 0) return;
    const pieces: Buffer[] = [];
    // Only the one who left a line open may write over it.
    if (this.#openLineOf !== undefined && this.#openLineOf !== prefix) pieces.push(NEWLINE);
    const start = Buffer.from(prefix);
    for (const line of lines) {
      pieces.push(start, line);
      const end = lineEnd(line);
      if (end === "none") pieces.push(NEWLINE);
      this.#openLineOf = end === "return" ? prefix : undefined;
    }
    if (this.#stream.write(Buffer.concat(pieces))) return;
    for (const source of this.#sources) source.pause();
  }

  /** Settles when everything has been written, or cannot be. */
  flush(): Promise<void> {
    if (this.#broken) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.write("", () => resolve());
    });
  }

  /** Lets go of the stream. One that may still fail keeps its listener. */
  release(): void {
    this.#stream.off("drain", this.#drained);
    const isSettled = !this.#broken && this.#stream.writableLength === 0;
    if (isSettled) this.#stream.off("error", this.#failed);
  }

  readonly #drained = (): void => {
    for (const source of this.#sources) source.resume();
  };

  readonly #failed = (error: Error): void => {
    if (this.#broken) return;
    this.#broken = true;
    this.#drained(); // nothing is written any more, so nobody has to wait
    this.#onBroken(error);
  };
}
