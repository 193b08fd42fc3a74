/** Writes FlatBuffers from front to back: a table, then what it points to. */

/** A field of a table: its kind and its value. */
export type FlatField =
  | readonly [kind: "u8" | "u32" | "i32" | "u64" | "f64", value: number]
  | readonly [kind: "text", value: string]
  | readonly [kind: "f64s", value: ArrayLike<number>]
  | readonly [kind: "u32s", value: readonly number[]]
  | readonly [kind: "tables", value: readonly FlatFields[]];

/** Fields by their numbers. */
export type FlatFields = Readonly<Record<number, FlatField>>;

const WIDTHS = { u8: 1, u32: 4, i32: 4, u64: 8, f64: 8 } as const;

export function flatBuffer(root: FlatFields, identifier?: string): Uint8Array {
  const writer = new FlatWriter();
  const start = writer.reserve(4, 4);
  if (identifier !== undefined) writer.letters(identifier);
  writer.point(start, writer.table(root));
  return writer.bytes();
}

class FlatWriter {
  private readonly view = new DataView(new ArrayBuffer(1 << 20));
  private length = 0;

  bytes(): Uint8Array {
    return new Uint8Array(this.view.buffer, 0, this.length).slice();
  }

  /** Room for so many bytes at a multiple of `alignment`. */
  reserve(bytes: number, alignment: number): number {
    const at = Math.ceil(this.length / alignment) * alignment;
    this.length = at + bytes;
    return at;
  }

  letters(text: string): void {
    for (const byte of new TextEncoder().encode(text)) this.view.setUint8(this.reserve(1, 1), byte);
  }

  /** Offsets are counted from where they stand. */
  point(from: number, to: number): void {
    this.view.setUint32(from, to - from, true);
  }

  table(fields: FlatFields): number {
    const ids = Object.keys(fields).map(Number);
    const slots = Math.max(-1, ...ids) + 1;
    const list = this.reserve(4 + 2 * slots, 2);
    const start = this.reserve(4, 8);
    this.view.setInt32(start, start - list, true);
    this.view.setUint16(list, 4 + 2 * slots, true);
    const pending: (readonly [at: number, field: FlatField])[] = [];
    for (const id of ids) {
      const field = fields[id] as FlatField;
      const width = WIDTHS[field[0] as keyof typeof WIDTHS] ?? 4;
      const at = this.reserve(width, width);
      this.view.setUint16(list + 4 + 2 * id, at - start, true);
      if (!this.scalar(at, field)) pending.push([at, field]);
    }
    this.view.setUint16(list + 2, this.length - start, true);
    for (const [at, field] of pending) this.point(at, this.list(field));
    return start;
  }

  private scalar(at: number, [kind, value]: FlatField): boolean {
    if (kind === "u8") this.view.setUint8(at, value);
    else if (kind === "u32") this.view.setUint32(at, value, true);
    else if (kind === "i32") this.view.setInt32(at, value, true);
    else if (kind === "u64") this.view.setBigUint64(at, BigInt(value), true);
    else if (kind === "f64") this.view.setFloat64(at, value, true);
    else return false;
    return true;
  }

  private list([kind, value]: FlatField): number {
    if (kind === "text") {
      const bytes = new TextEncoder().encode(value);
      const head = this.reserve(4, 4);
      this.view.setUint32(head, bytes.length, true);
      this.letters(`${value}\0`);
      return head;
    }
    if (kind === "f64s") {
      // The numbers, not their count, stand at a multiple of 8.
      const head = this.reserve(12, 8) + 4;
      this.length = head + 4;
      this.view.setUint32(head, value.length, true);
      for (let i = 0; i < value.length; i++) {
        this.view.setFloat64(this.reserve(8, 1), value[i] as number, true);
      }
      return head;
    }
    const entries = value as readonly (number | FlatFields)[];
    const head = this.reserve(4 + 4 * entries.length, 4);
    this.view.setUint32(head, entries.length, true);
    entries.forEach((entry, i) => {
      const at = head + 4 + 4 * i;
      if (typeof entry === "number") this.view.setUint32(at, entry, true);
      else this.point(at, this.table(entry));
    });
    return head;
  }
}
