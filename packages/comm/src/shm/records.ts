import { ABORT, type Layout, RECORD, RECORD_TEXT_BYTES } from "./layout.js";

/** How a rank said that it has given up. */
export interface AbortNotice {
  readonly rank: number;
  readonly code: number;
  readonly missingRanks: readonly number[];
  readonly text: string;
}

/** The ranks' records: who they are and how they ended. Each rank writes only its own. */
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
    Atomics.store(this.words, this.word(rank) + RECORD.joined, 1);
  }

  hasJoined(rank: number): boolean {
    return Atomics.load(this.words, this.word(rank) + RECORD.joined) === 1;
  }

  pid(rank: number): number {
    return this.words[this.word(rank) + RECORD.pid] as number;
  }

  /** The rank takes part in memory barriers that others ask for. */
  writeRegistered(rank: number): void {
    this.words[this.word(rank) + RECORD.registered] = 1;
  }

  areAllRegistered(): boolean {
    for (let r = 0; r < this.layout.size; r++) {
      if (this.words[this.word(r) + RECORD.registered] !== 1) return false;
    }
    return true;
  }

  /** Where the rank keeps a number in its own memory, and which number that is. */
  writeToken(rank: number, address: number, token: number): void {
    const doubles = new Float64Array(this.buffer, this.layout.record(rank));
    doubles[RECORD.tokenAddress >> 1] = address;
    doubles[RECORD.token >> 1] = token;
  }

  readToken(rank: number): { address: number; token: number } {
    const doubles = new Float64Array(this.buffer, this.layout.record(rank));
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

  /** Only the first reason counts. */
  writeAbort(notice: AbortNotice): void {
    const at = this.word(notice.rank);
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
      rank,
      code: this.words[at + RECORD.abort] as number,
      missingRanks,
      text: Buffer.from(text).toString("utf8"),
    };
  }

  private word(rank: number): number {
    return this.layout.record(rank) >> 2;
  }
}
