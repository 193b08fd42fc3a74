/** The memory that long messages are sent from and received into. */
import { bytesOf, type Group } from "./group.js";

/** A range of memory. */
export interface Span {
  readonly bytes: Uint8Array;
  readonly address: number;
}

/** Part of an array: `bytes` bytes from byte `from` on. */
export function spanOf(group: Group, array: ArrayBufferView, from: number, bytes: number): Span {
  const part = bytesOf(array).subarray(from, from + bytes);
  return { bytes: part, address: bytes === 0 ? 0 : group.sockets.addressOf(part) };
}

/** A message's position in the memory it is sent from or received into, span after span. */
export class Cursor {
  /** How many bytes it has passed. */
  passed = 0;
  readonly total: number;
  private readonly spans: readonly Span[];
  private index = 0;
  private at = 0;

  constructor(spans: readonly Span[]) {
    this.spans = spans.filter(({ bytes }) => bytes.length > 0);
    this.total = this.spans.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  get isAtEnd(): boolean {
    return this.passed === this.total;
  }

  /** The address of the next byte. */
  get address(): number {
    return (this.spans[this.index] as Span).address + this.at;
  }

  /** How many bytes of the current span are left. */
  get rest(): number {
    return (this.spans[this.index] as Span).bytes.length - this.at;
  }

  write(bytes: Uint8Array): void {
    (this.spans[this.index] as Span).bytes.set(bytes, this.at);
  }

  /** Moves on, at most to the end of the current span. */
  advance(bytes: number): void {
    this.passed += bytes;
    this.at += bytes;
    if (this.rest > 0) return;
    this.index++;
    this.at = 0;
  }
}
