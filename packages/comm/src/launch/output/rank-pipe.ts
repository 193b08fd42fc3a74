import type { Readable } from "node:stream";
import type { Receiver } from "./receivers.js";

const SILENCE_MS = 250;
const MOST_BYTES = 1024 * 1024;

/** The launcher's end of one stream of one rank. */
export class RankPipe {
  /** Settles when the last byte has been received. */
  readonly closed: Promise<void>;
  readonly #source: Readable;
  #bytesLeft = Number.POSITIVE_INFINITY;
  #silence: NodeJS.Timeout | undefined;

  constructor(source: Readable, receiver: Receiver) {
    this.#source = source;
    source.on("error", () => {}); // "close" follows
    source.on("data", (chunk: Buffer) => {
      receiver.take(chunk);
      this.#bytesLeft -= chunk.length;
      if (this.#silence !== undefined) this.#awaitSilence();
    });
    this.closed = new Promise((resolve) => {
      source.once("close", () => {
        clearTimeout(this.#silence);
        receiver.end();
        resolve();
      });
    });
  }

  /**
   * Call it when the rank has ended. Reads the rest of its output, but does not wait for a daemon
   * that it left behind and that holds the other end open.
   */
  settle(): void {
    if (this.#source.closed) return;
    this.#bytesLeft = MOST_BYTES;
    this.#awaitSilence();
  }

  /** Gives up what has not been read yet. */
  abandon(): void {
    this.#source.destroy();
  }

  #awaitSilence(): void {
    clearTimeout(this.#silence);
    if (this.#bytesLeft <= 0) {
      this.abandon();
      return;
    }
    this.#silence = setTimeout(() => {
      // A source that is paused because of a slow reader is not silent.
      if (this.#source.isPaused()) this.#awaitSilence();
      else this.abandon();
    }, SILENCE_MS);
  }
}
