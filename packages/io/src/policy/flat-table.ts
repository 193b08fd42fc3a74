/**
 * Reads FlatBuffers by the numbers of their fields, without a schema: a table has a list of places, its fields, and each field is read as what the
 * caller knows it to be. Places that lie outside the bytes are refused.
 */

/** Bytes that are no table of the kind that was expected. */
export class FlatTableError extends Error {
  override readonly name = "FlatTableError";
}

/** A table. A field that it does not have is `undefined`. */
export class FlatTable {
  private readonly view: DataView;
  private readonly start: number;
  private readonly fields: number;
  private readonly fieldsEnd: number;

  private constructor(view: DataView, start: number) {
    this.view = view;
    this.start = start;
    this.fields = start - this.within(start, 4).getInt32(start, true);
    const size = this.within(this.fields, 4).getUint16(this.fields, true);
    this.fieldsEnd = this.fields + size;
    if (size < 4 || size % 2 !== 0) throw damaged();
    this.within(this.fields, size);
  }

  /** The table with which the bytes begin. */
  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.byteLength < 8) throw damaged();
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** The four letters that name the kind of a file; anything if it has none. */
  static identifier(bytes: Uint8Array): string {
    return String.fromCharCode(...bytes.subarray(4, 8));
  }

  unsigned(field: number): number | undefined {
    const at = this.place(field);
    return at === undefined ? undefined : this.within(at, 4).getUint32(at, true);
  }

  integer(field: number): number | undefined {
    const at = this.place(field);
    return at === undefined ? undefined : this.within(at, 4).getInt32(at, true);
  }

  byte(field: number): number | undefined {
    const at = this.place(field);
    return at === undefined ? undefined : this.within(at, 1).getInt8(at);
  }

  real(field: number): number | undefined {
    const at = this.place(field);
    return at === undefined ? undefined : this.within(at, 8).getFloat64(at, true);
  }

  text(field: number): string | undefined {
    const found = this.list(field, 1);
    if (found === undefined) return undefined;
    const { buffer, byteOffset } = this.view;
    return new TextDecoder().decode(new Uint8Array(buffer, byteOffset + found.start, found.length));
  }

  reals(field: number): Float64Array | undefined {
    const found = this.list(field, 8);
    if (found === undefined) return undefined;
    const { view } = this;
    return Float64Array.from({ length: found.length }, (_, i) =>
      view.getFloat64(found.start + 8 * i, true),
    );
  }

  tables(field: number): readonly FlatTable[] | undefined {
    const found = this.list(field, 4);
    if (found === undefined) return undefined;
    return Array.from({ length: found.length }, (_, i) => {
      const at = found.start + 4 * i;
      return new FlatTable(this.view, at + this.view.getUint32(at, true));
    });
  }

  private list(field: number, width: number): { start: number; length: number } | undefined {
    const at = this.place(field);
    if (at === undefined) return undefined;
    const head = at + this.within(at, 4).getUint32(at, true);
    const length = this.within(head, 4).getUint32(head, true);
    this.within(head + 4, width * length);
    return { start: head + 4, length };
  }

  private place(field: number): number | undefined {
    const at = this.fields + 4 + 2 * field;
    if (at + 2 > this.fieldsEnd) return undefined;
    const offset = this.view.getUint16(at, true);
    return offset === 0 ? undefined : this.start + offset;
  }

  private within(at: number, bytes: number): DataView {
    if (at < 0 || at + bytes > this.view.byteLength) throw damaged();
    return this.view;
  }
}

function damaged(): FlatTableError {
  return new FlatTableError("it is damaged, or of another kind");
}
