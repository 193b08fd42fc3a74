import { demand, ParquetDamage } from "./damage.js";

/** A value of a Thrift struct. */
export type ThriftValue = boolean | number | bigint | Uint8Array | ThriftValue[] | ThriftStruct;

/** The fields of a struct by their number. */
export type ThriftStruct = Map<number, ThriftValue>;

const TYPE = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
} as const;

/** Parquet nests its structs seven deep. */
const MAX_DEPTH = 16;

/**
 * Reads Thrift's compact protocol, in which Parquet writes its footer and the headers of its pages. It never reads past `end`, and
 * a list cannot have more elements than bytes are left, so that damaged bytes cannot ask for much time or memory.
 */
export class ThriftReader {
  position: number;
  private readonly end: number;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, position: number, end: number) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = position;
    this.end = end;
  }

  struct(depth = 0): ThriftStruct {
    demand(depth < MAX_DEPTH, "its structs are nested too deep");
    const fields: ThriftStruct = new Map();
    let id = 0;
    for (;;) {
      const byte = this.byte();
      if (byte === TYPE.stop) return fields;
      const delta = byte >> 4;
      const next = delta > 0 ? id + delta : Number(this.zigZag());
      demand(next > id, "the fields of a struct are not in order");
      id = next;
      fields.set(id, this.value(byte & 15, depth));
    }
  }

  private value(type: number, depth: number): ThriftValue {
    switch (type) {
      case TYPE.true:
        return true;
      case TYPE.false:
        return false;
      case TYPE.byte:
        return (this.byte() << 24) >> 24;
      case TYPE.i16:
      case TYPE.i32:
        return Number(BigInt.asIntN(32, this.zigZag()));
      case TYPE.i64:
        return this.zigZag();
      case TYPE.double:
        return this.view.getFloat64(this.skip(8), true);
      case TYPE.binary: {
        const length = this.length();
        const start = this.skip(length);
        return this.bytes.subarray(start, start + length);
      }
      case TYPE.list:
        return this.list(depth);
      case TYPE.struct:
        return this.struct(depth + 1);
      default:
        throw new ParquetDamage(`a field has the unknown type ${type}`);
    }
  }

  private list(depth: number): ThriftValue[] {
    demand(depth < MAX_DEPTH, "its lists are nested too deep");
    const byte = this.byte();
    const type = byte & 15;
    const size = byte >> 4 === 15 ? this.length() : byte >> 4;
    demand(size <= this.end - this.position, `it declares ${size} elements, and is shorter`);
    const values: ThriftValue[] = [];
    const isBoolean = type === TYPE.true || type === TYPE.false;
    for (let i = 0; i < size; i++) {
      values.push(isBoolean ? this.byte() === 1 : this.value(type, depth + 1));
    }
    return values;
  }

  private byte(): number {
    return this.bytes[this.skip(1)] as number;
  }

  /** Moves on by `length` bytes and returns where they start. */
  private skip(length: number): number {
    demand(length <= this.end - this.position, "it ends too early");
    const start = this.position;
    this.position += length;
    return start;
  }

  private length(): number {
    const length = this.varInt();
    demand(
      length <= BigInt(this.end - this.position),
      `it declares ${length} elements or bytes, and is shorter`,
    );
    return Number(length);
  }

  private zigZag(): bigint {
    const value = this.varInt();
    return (value >> 1n) ^ -(value & 1n);
  }

  /** An unsigned number, seven bits in each byte, the lowest first. */
  private varInt(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
    throw new ParquetDamage("a number is too long");
  }
}
