import { ABORT, type AbortNotice } from "../group/abort.js";
import { processNamespace } from "../processors/room.js";
import { type Layout, RECORD, RECORD_TEXT_BYTES } from "./layout.js";

/**
 * The ranks' records: which processes they are and how they ended. Each rank writes only its own.
 */
export class Records {
  private readonly words: Int32Array;
  private readonly buffer: ArrayBuffer;
  private readonly layout: Layout;

  constructor(buffer: ArrayBuffer, layout: Layout) {
    this.words = new Int32Array(buffer);
    this.buffer = buffer;
    this.layout = layout;
  }

  writeJoined(rank: number): void {
    this.words[this.word(rank) + RECORD.pid] = process.pid;
    this.doubles(rank)[RECORD.namespace >> 1] = processNamespace();
    Atomics.store(this.words, this.word(rank) + RECORD.joined, 1);
  }

  hasJoined(rank: number): boolean {
    return Atomics.load(this.words, this.word(rank) + RECORD.joined) === 1;
  }

  pid(rank: number): number {
    return this.words[this.word(rank) + RECORD.pid] as number;
  }

  /**
   * The processes of the other ranks, by rank; `undefined` for `own` and for ranks in another
   * process namespace, where the number means another process or none.
   */
  visiblePids(own: number): (number | undefined)[] {
    const here = this.doubles(own)[RECORD.namespace >> 1];
    return Array.from({ length: this.layout.size }, (_, r) => {
      const isVisible = r !== own && here !== 0 && this.doubles(r)[RECORD.namespace >> 1] === here;
      return isVisible ? this.pid(r) : undefined;
    });
  }

  /** The rank takes part in memory barriers that other ranks request. */
  writeRegistered(rank: number): void {
    this.words[this.word(rank) + RECORD.registered] = 1;
  }

  areAllRegistered(): boolean {
    for (let r = 0; r < this.layout.size; r++) {
      if (this.words[this.word(r) + RECORD.registered] !== 1) return false;
    }
    return true;
  }

  /** Publishes the address and the value of a number in the rank's private memory. */
  writeToken(rank: number, address: number, token: number): void {
    const doubles = this.doubles(rank);
    doubles[RECORD.tokenAddress >> 1] = address;
    doubles[RECORD.token >> 1] = token;
  }

  readToken(rank: number): { address: number; token: number } {
    const doubles = this.doubles(rank);
    return {
      address: doubles[RECORD.tokenAddress >> 1] as number,
      token: doubles[RECORD.token >> 1] as number,
    };
  }

  writeClosed(rank: number): void {
    Atomics.store(this.words, this.word(rank) + RECORD.closed, 1);
  }

  hasClosed(rank: number): boolean {
    return Atomics.load(this.words, this.word(rank) + RECORD.closed) === 1;
  }

  /** Keeps the first reason; later ones are ignored. */
  writeAbort(rank: number, notice: AbortNotice): void {
    const at = this.word(rank);
    if (this.words[at + RECORD.abort] !== ABORT.none) return;
    for (const missing of notice.missingRanks) {
      const word = at + RECORD.missing + (missing >> 5);
      this.words[word] = (this.words[word] as number) | (1 << (missing & 31));
    }
    const text = new Uint8Array(this.buffer, (at + RECORD.text) * 4, RECORD_TEXT_BYTES);
    this.words[at + RECORD.textBytes] = new TextEncoder().encodeInto(notice.text, text).written;
    Atomics.store(this.words, at + RECORD.abort, notice.code);
  }

  hasAborted(rank: number): boolean {
    return Atomics.load(this.words, this.word(rank) + RECORD.abort) !== ABORT.none;
  }

  readAbort(rank: number): AbortNotice {
    const at = this.word(rank);
    const bytes = Math.min(this.words[at + RECORD.textBytes] as number, RECORD_TEXT_BYTES);
    const text = new Uint8Array(this.buffer, (at + RECORD.text) * 4, bytes);
    const missingRanks: number[] = [];
    for (let r = 0; r < this.layout.size; r++) {
      const bits = this.words[at + RECORD.missing + (r >> 5)] as number;
      if ((bits & (1 << (r & 31))) !== 0) missingRanks.push(r);
    }
    return {
      code: this.words[at + RECORD.abort] as number,
      missingRanks,
      text: Buffer.from(text).toString("utf8"),
    };
  }

  private doubles(rank: number): Float64Array {
    return new Float64Array(this.buffer, this.layout.record(rank), RECORD.missing >> 1);
  }

  private word(rank: number): number {
    return this.layout.record(rank) >> 2;
  }
}
