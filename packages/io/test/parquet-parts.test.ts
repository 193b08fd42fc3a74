/** The parts of a Parquet file, byte by byte: what is well formed is read, and nothing is read beyond it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkRuns, countOf, crc32, ThriftReader, unzstd } from "#internal";

describe("a count in a file", () => {
  it("is a whole number from 0 to its limit", () => {
    assert.equal(countOf(0, 0, "the count"), 0);
    assert.equal(countOf(7n, 7, "the count"), 7);
    for (const value of [-1, 8, 0.5, 8n, -1n, Number.NaN])
      assert.throws(() => countOf(value, 7, "the count"), { message: `the count is ${value}` });
    for (const value of [undefined, "7", true, []])
      assert.throws(() => countOf(value, 7, "the count"), { message: "the count is missing" });
  });
});

describe("the checksum of a page", () => {
  it("is the CRC-32 of gzip, as a signed number", () => {
    assert.equal(crc32(Buffer.from("123456789")), 0xcbf43926 | 0);
    assert.equal(crc32(new Uint8Array(0)), 0);
    const bytes = Uint8Array.from({ length: 600 }, (_, i) => i);
    assert.equal(crc32(bytes), crc32Bitwise(bytes));
  });
});

/** Bit by bit, as its definition goes. */
function crc32Bitwise(bytes: Uint8Array): number {
  let crc = 0xffffffffn;
  for (const byte of bytes) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n;
  }
  return Number(BigInt.asIntN(32, crc ^ 0xffffffffn));
}

describe("Thrift's compact protocol", () => {
  const STOP = 0;
  /** The struct in these bytes, and where it ends; around it are bytes that must not be read. */
  const read = (...bytes: number[]) => {
    const whole = Uint8Array.of(0xee, ...bytes, 0xee, 0xee);
    const reader = new ThriftReader(whole, 1, 1 + bytes.length);
    const fields = Object.fromEntries(reader.struct());
    assert.equal(reader.position, 1 + bytes.length);
    return fields;
  };

  it("has fields by the distance of their numbers, or by their numbers", () => {
    assert.deepEqual(read(0x11, 0x22, STOP), { 1: true, 3: false });
    assert.deepEqual(read(0x11, 0x02, 40, 0x12, STOP), { 1: true, 20: false, 21: false });
    assert.deepEqual(read(STOP), {});
    for (const bytes of [
      [0x11, 0x01, 2, STOP], // field 1 again
      [0x01, 0, STOP], // field 0
      [0x21, 0x01, 2, STOP], // field 1 after field 2
    ])
      assert.throws(() => read(...bytes), /fields of a struct are not in order/);
  });

  it("has numbers of every kind", () => {
    assert.deepEqual(read(0x13, 0xff, 0x13, 0x7f, STOP), { 1: -1, 2: 127 });
    assert.deepEqual(read(0x14, 3, 0x15, 4, STOP), { 1: -2, 2: 2 });
    assert.deepEqual(read(0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, STOP), { 1: 2147483647 });
    assert.deepEqual(read(0x15, 0xff, 0xff, 0xff, 0xff, 0x0f, STOP), { 1: -2147483648 });
    assert.deepEqual(read(0x16, 0x80, 0x80, 0x04, STOP), { 1: 32768n });
    const most = [0x16, ...new Array(9).fill(0xff), 0x01, STOP];
    assert.deepEqual(read(...most), { 1: -(2n ** 63n) });
    assert.deepEqual(read(0x17, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f, STOP), { 1: 1.5 });
    assert.throws(() => read(0x16, ...new Array(10).fill(0xff), 0x01, STOP), /too long/);
  });

  it("has bytes, lists, booleans in lists, and structs in structs", () => {
    assert.deepEqual(read(0x18, 2, 65, 66, 0x18, 0, STOP), {
      1: Uint8Array.of(65, 66),
      2: new Uint8Array(0),
    });
    assert.deepEqual(read(0x19, 0x25, 2, 4, STOP), { 1: [1, 2] });
    assert.deepEqual(read(0x19, 0x31, 1, 2, 0, STOP), { 1: [true, false, false] });
    assert.deepEqual(read(0x19, 0x12, 1, STOP), { 1: [true] });
    const long = read(0x19, 0xf3, 16, ...new Array(16).fill(7), STOP);
    assert.deepEqual(long, { 1: new Array(16).fill(7) });
    assert.deepEqual(read(0x19, 0xe3, ...new Array(14).fill(7), STOP), {
      1: new Array(14).fill(7),
    });
    const nested = read(0x1c, 0x15, 2, STOP, 0x11, STOP) as Record<string, unknown>;
    assert.deepEqual(Object.fromEntries(nested[1] as Map<number, unknown>), { 1: 1 });
    assert.equal(nested[2], true);
  });

  it("is nested sixteen deep and no deeper", () => {
    const nested = (depth: number) => [
      ...new Array(depth).fill(0x1c),
      ...new Array(depth + 1).fill(STOP),
    ];
    assert.ok(read(...nested(15)));
    assert.throws(() => read(...nested(16)), /structs are nested too deep/);
    // Lists of one list: each has a byte for its length and kind.
    const lists = (depth: number) => [0x19, ...new Array(depth - 1).fill(0x19), 0x03, STOP];
    assert.ok(read(...lists(16)));
    assert.throws(() => read(...lists(17)), /lists are nested too deep/);
  });

  it("never reads beyond its end", () => {
    for (const bytes of [[], [0x15], [0x15, 0x80], [0x17, 0, 0, 0, 0, 0, 0, 0], [0x13]])
      assert.throws(() => read(...bytes), /it ends too early/);
    assert.throws(() => read(0x18, 2, 65), /declares 2 elements or bytes, and is shorter/);
    assert.throws(() => read(0x19, 0x33, 7, 7), /declares 3 elements, and is shorter/);
    assert.throws(() => read(0x19, 0xf3, 3, 7, 7), /declares 3 elements or bytes, and is shorter/);
    assert.throws(() => read(0x1a, STOP), /unknown type 10/);
  });
});

describe("runs of values", () => {
  const check = (width: number, values: number, ...bytes: number[]) =>
    checkRuns(Uint8Array.of(0xee, ...bytes, 0xee), 1, 1 + bytes.length, width, values);

  it("end where their last one does", () => {
    assert.equal(check(1, 0), 1);
    assert.equal(check(1, 3, 6, 1), 3); // three times the same
    assert.equal(check(8, 3, 6, 1), 3);
    assert.equal(check(9, 3, 6, 1, 0), 4);
    assert.equal(check(24, 3, 6, 1, 0, 0), 5);
    assert.equal(check(3, 8, 3, 1, 2, 3), 5); // eight values of three bits
    assert.equal(check(1, 5, 3, 0x1f), 3); // of eight, five are used
    assert.equal(check(1, 11, 6, 1, 3, 0xff), 5); // three, then eight
    assert.equal(check(0, 8, 3), 2);
    assert.equal(check(0, 9, 5), 2);
    assert.equal(check(1, 100, 0xc8, 1, 0), 4); // a header of two bytes
    assert.equal(check(1, 2 ** 31, 0x80, 0x80, 0x80, 0x80, 0x10, 1), 7);
    assert.equal(check(1, 4, 4, 1, 4, 0, 0xff), 5); // what follows is not looked at
  });

  it("are refused if they promise more values or bytes than there are", () => {
    for (const [width, values, ...bytes] of [
      [1, 2, 6, 1],
      [1, 4, 6, 1, 6, 1],
      [0, 8, 5],
    ] as const)
      assert.throws(() => check(width, values, ...bytes), {
        message: "a run of values is too long",
      });
    for (const [width, values, ...bytes] of [
      [1, 3, 6],
      [9, 3, 6, 1],
      [3, 8, 3, 1, 2],
    ] as const)
      assert.throws(() => check(width, values, ...bytes), /longer than its page/);
    for (const [width, values, ...bytes] of [
      [1, 3],
      [1, 4, 6, 1],
      [1, 100, 0xc8],
      [1, 3, 0x86, 0x80, 0x80, 0x80, 0x80, 0x00, 1],
    ] as const)
      assert.throws(() => check(width, values, ...bytes), /a run of values is damaged/);
    assert.throws(() => check(25, 1, 2, 0, 0, 0, 0), /values of 25 bits cannot be packed/);
  });
});

describe("a Zstandard frame", () => {
  const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
  const RAW = 0;
  const RLE = 1;
  /** A block of this type with a size of its own. */
  const block = (type: number, size: number, isLast: boolean, ...content: number[]) => {
    const header = (size << 3) | (type << 1) | (isLast ? 1 : 0);
    return [header & 255, (header >> 8) & 255, header >> 16, ...content];
  };
  const abc = block(RAW, 3, true, 97, 98, 99);
  const frame = (...bytes: (number | readonly number[])[]) =>
    Uint8Array.from([...MAGIC, ...bytes.flat()]);
  const text = (input: Uint8Array, size: number) => Buffer.from(unzstd(input, size)).toString();

  it("tells its size in 1, 2, 4 or 8 bytes, or not at all", () => {
    assert.equal(text(frame(0x20, 3, abc), 3), "abc");
    assert.equal(text(frame(0xa0, [3, 0, 0, 0], abc), 3), "abc");
    assert.equal(text(frame(0xe0, [3, 0, 0, 0, 0, 0, 0, 0], abc), 3), "abc");
    assert.equal(text(frame(0x00, 0x00, abc), 3), "abc");
    assert.equal(text(frame(0x80, 0x00, [3, 0, 0, 0], abc), 3), "abc");
    // A size of two bytes counts from 256.
    const long = [...block(RLE, 300, false, 120), ...block(RAW, 1, true, 121)];
    assert.equal(text(frame(0x60, [45, 0], long), 301), `${"x".repeat(300)}y`);
    assert.equal(text(frame(0x00, 0x00, long), 301), `${"x".repeat(300)}y`);
  });

  it("may have a checksum behind its last block", () => {
    const bytes = frame(0x24, 3, abc, [0x4f, 0x97, 0xd5, 0x78]);
    assert.equal(text(bytes, 3), "abc");
    assert.throws(() => unzstd(bytes.subarray(0, -1), 3), /does not end with its page/);
  });

  it("lies somewhere in memory", () => {
    const around = Buffer.concat([Buffer.alloc(3, 7), frame(0x20, 3, abc), Buffer.alloc(2, 7)]);
    assert.equal(text(around.subarray(3, -2), 3), "abc");
  });

  it("is refused if its size is not that of the page", () => {
    for (const size of [2, 4])
      assert.throws(() => unzstd(frame(0x20, 3, abc), size), /another size than its page/);
    assert.throws(() => unzstd(frame(0xa0, [3, 1, 0, 0], abc), 3), /another size than its page/);
    assert.throws(() => unzstd(frame(0xa0, [3, 0, 0, 1], abc), 3), /another size than its page/);
    assert.throws(() => unzstd(frame(0x00, 0x00, abc), 2), /longer than its page/);
    assert.throws(() => unzstd(frame(0x00, 0x00, abc), 4), /shorter than its page/);
  });

  it("is refused if it is none, or is not whole", () => {
    assert.throws(() => unzstd(Uint8Array.of(...MAGIC, 0x20, 0, 1, 0), 0), /not a Zstandard frame/);
    assert.throws(() => unzstd(frame(0x20, 3, abc).fill(1, 3, 4), 3), /not a Zstandard frame/);
    assert.equal(unzstd(frame(0x20, 0, block(RAW, 0, true)), 0).length, 0);
    assert.throws(() => unzstd(frame(0x20, 3, abc, 0), 3), /does not end with its page/);
    assert.throws(() => unzstd(frame(0x20, 3, abc.slice(0, -1)), 3), /does not end with its page/);
    assert.throws(() => unzstd(frame(0xe0, [3, 0, 0, 0, 0]), 3), /cut short/);
    const open = block(RAW, 3, false, 97, 98, 99);
    assert.throws(() => unzstd(frame(0x20, 3, open), 3), /cut short/);
    assert.throws(() => unzstd(frame(0x20, 3, open, [1, 0]), 3), /cut short/);
    assert.throws(() => unzstd(frame(0x20, 3, block(3, 3, true, 1, 2, 3)), 3), /unknown block/);
  });

  it("is refused with flags that are reserved, a dictionary, or a window beyond 128 MiB", () => {
    for (const flag of [0x10, 0x08, 0x01, 0x02])
      assert.throws(
        () => unzstd(frame(0x20 | flag, 3, abc), 3),
        /unknown flags or needs a dictionary/,
      );
    assert.equal(text(frame(0x00, 17 << 3, abc), 3), "abc");
    assert.throws(() => unzstd(frame(0x00, 18 << 3, abc), 3), /window .* is too large/);
  });
});
