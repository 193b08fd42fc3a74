import type { Readable, Writable } from "node:stream";
import { lineEnd } from "./line-splitter.js";

const NEWLINE = Buffer.from("\n");

/**
 * An output stream of the launcher, to which many sources write whole lines. While it does not drain,
 * all sources are paused, so that the backlog does not grow.
 */
export class Outlet {
  readonly #stream: Writable;
  readonly #sources = new Set<Readable>();
  readonly #onBroken: (error: Error) => void;
  /** The prefix of the source whose last line ended with `\r` and can be overwritten. */
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

  /** Writes lines with `prefix`, all at once. A line without an end gets one. */
  write(prefix: string, lines: readonly Buffer[]): void {
    if (this.#broken || lines.length === 0) return;
    const pieces: Buffer[] = [];
    // Only the source that left a line open may overwrite it.
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

  /** Settles when everything has been written, or when that is not possible. */
  flush(): Promise<void> {
    if (this.#broken) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.write("", () => resolve());
    });
  }

  /**
   * Removes its listeners from the stream. A stream that may still fail keeps the error listener.
   */
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
    this.#drained(); // nothing more is written, so no source has to wait
    this.#onBroken(error);
  };
}
