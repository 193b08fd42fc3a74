const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Longer lines are cut, so that a rank that never ends a line cannot fill the memory. */
const LONGEST_LINE = 8 * 1024 * 1024;

/**
 * Cuts a byte stream into lines. It works on bytes: text that is not UTF-8 passes unchanged, and a
 * character that arrives in two chunks stays whole.
 *
 * A line ends with `\n`, with `\r\n` or, as progress bars do, with a single `\r`. Lines keep their
 * ends.
 */
export class LineSplitter {
  readonly #longest: number;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(longest = LONGEST_LINE) {
    this.#longest = longest;
  }

  /** The lines that `chunk` completes. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    if (this.#endsInReturn() && chunk.length > 0 && chunk[0] !== NEWLINE) lines.push(this.#take());
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i];
      if (byte !== NEWLINE && byte !== RETURN) continue;
      // A return before a newline does not end the line yet; at the end of a chunk, the next byte
      // decides.
      if (byte === RETURN && (i + 1 === chunk.length || chunk[i + 1] === NEWLINE)) continue;
      this.#hold(chunk.subarray(start, i + 1));
      lines.push(this.#take());
      start = i + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    while (this.#heldBytes > this.#longest) lines.push(this.#cut());
    return lines;
  }

  /** The last line, if it has no end. */
  end(): Buffer[] {
    return this.#heldBytes > 0 ? [this.#take()] : [];
  }

  #endsInReturn(): boolean {
    return this.#held.at(-1)?.at(-1) === RETURN;
  }

  #hold(piece: Buffer): void {
    this.#held.push(piece);
    this.#heldBytes += piece.length;
  }

  #take(): Buffer {
    const [first] = this.#held;
    const line = this.#held.length === 1 && first ? first : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return line;
  }

  /** The beginning of an overlong line, up to the start of a character. */
  #cut(): Buffer {
    const line = this.#take();
    let end = this.#longest;
    while (end > this.#longest - 3 && isContinuation(line[end])) end--;
    this.#hold(line.subarray(end));
    return line.subarray(0, end);
  }
}

/** Whether a byte is the second or a later one of a UTF-8 character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The text of a line, without its end. */
export function textOf(line: Buffer): string {
  let end = line.length;
  if (line[end - 1] === NEWLINE) end--;
  if (line[end - 1] === RETURN) end--;
  return line.toString("utf8", 0, end);
}

/** How a line ends: with `\n`, with a single `\r`, or not at all. */
export function lineEnd(line: Buffer): "newline" | "return" | "none" {
  const last = line[line.length - 1];
  if (last === NEWLINE) return "newline";
  return last === RETURN ? "return" : "none";
}
