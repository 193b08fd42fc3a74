/** The pages of a Parquet column: every encoding that we read, with and without nulls, and none that does not fit. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { decodeData, decodeDictionary, type Page, readPage } from "#internal";

type Element = Parameters<typeof decodeData>[1];

const element = (type: Element["type"] | undefined, fields: object = {}) =>
  ({ name: "c", type, repetition_type: "REQUIRED", ...fields }) as Element;
const OPTIONAL = { repetition_type: "OPTIONAL" } as const;
const doubles = (...values: number[]) => Buffer.from(Float64Array.from(values).buffer);
const integers = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);
const texts = (...values: string[]) =>
  Buffer.concat(values.flatMap((text) => [integers(text.length), Buffer.from(text)]));
const bytes = (...values: number[]) => Uint8Array.from(values);

/** A page of version 2 that is not compressed; `levels` in front of the values. */
function page(
  values: number,
  content: Uint8Array,
  fields: Partial<Page> = {},
  levels = bytes(),
): Page {
  const body = Buffer.concat([levels, content]);
  return {
    kind: "data-v2",
    codec: "UNCOMPRESSED",
    encoding: "PLAIN",
    values,
    nulls: 0,
    levelBytes: levels.length,
    isCompressed: false,
    size: body.length,
    body,
    start: 0,
    end: body.length,
    ...fields,
  };
}
/** A page of version 1, in which the levels have their length in front. */
const oldPage = (
  values: number,
  content: Uint8Array,
  levels: Uint8Array,
  fields: Partial<Page> = {},
) =>
  page(values, Buffer.concat([integers(levels.length), levels, content]), {
    kind: "data",
    ...fields,
  });
const cells = (one: Page, of: Element, dictionary?: readonly unknown[]) => [
  ...decodeData(one, of, dictionary as never),
];

describe("values that are not encoded", () => {
  it("fill their page, type by type", () => {
    assert.deepEqual(cells(page(2, doubles(1.5, -0)), element("DOUBLE")), [1.5, -0]);
    assert.deepEqual(cells(page(2, integers(7, -8)), element("INT32")), [7, -8]);
    const longs = Buffer.from(BigInt64Array.of(-3n, 2n ** 40n).buffer);
    assert.deepEqual(cells(page(2, longs), element("INT64")), [-3n, 2n ** 40n]);
    const floats = Buffer.from(Float32Array.of(0.5, 3).buffer);
    assert.deepEqual(cells(page(2, floats), element("FLOAT")), [0.5, 3]);
    const text = element("BYTE_ARRAY", { converted_type: "UTF8" });
    assert.deepEqual(cells(page(3, texts("ab", "", "c")), text), ["ab", "", "c"]);
    const nine = page(9, bytes(0b01010101, 1));
    assert.deepEqual(cells(nine, element("BOOLEAN")).map(Number), [1, 0, 1, 0, 1, 0, 1, 0, 1]);
    const fixed = element("FIXED_LEN_BYTE_ARRAY", { type_length: 3 });
    assert.equal(cells(page(2, bytes(1, 2, 3, 4, 5, 6)), fixed).length, 2);
  });

  it("are refused if the page is longer or shorter", () => {
    const size = /another size than its values need/;
    for (const [one, of] of [
      [page(1, doubles(1, 2)), element("DOUBLE")],
      [page(3, doubles(1, 2)), element("DOUBLE")],
      [page(2, doubles(1)), element("INT64")],
      [page(8, bytes(1, 0)), element("BOOLEAN")],
      [page(9, bytes(1)), element("BOOLEAN")],
      [page(1, texts("ab", "c")), element("BYTE_ARRAY")],
      [page(1, texts("abc").subarray(0, -1)), element("BYTE_ARRAY")],
      [page(2, bytes(1, 2, 3)), element("FIXED_LEN_BYTE_ARRAY", { type_length: 3 })],
    ] as const)
      assert.throws(() => cells(one, of), size);
    const short = page(2, Buffer.concat([texts("a"), bytes(0, 0, 0)]));
    assert.throws(() => cells(short, element("BYTE_ARRAY")), /too short for its texts/);
    assert.throws(
      () => cells(page(2, texts("a", "")), element("INT96")),
      /type INT96 is not supported/,
    );
    for (const type_length of [undefined, 0])
      assert.throws(
        () => cells(page(1, bytes(1)), element("FIXED_LEN_BYTE_ARRAY", { type_length })),
        /is not supported/,
      );
    assert.throws(() => cells(page(1, bytes(1)), element(undefined)), /column c has no type/);
    const stored = page(1, doubles(1), { size: 7 });
    assert.throws(() => cells(stored, element("DOUBLE")), /another size than its header says/);
  });

  it("are found in bytes split into streams", () => {
    const split = bytes(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x04, 0x3f, 0x40);
    const one = page(2, split, { encoding: "BYTE_STREAM_SPLIT" });
    assert.deepEqual(cells(one, element("DOUBLE")), [1.5, 2.5]);
    const long = page(2, Buffer.concat([split, split]), { encoding: "BYTE_STREAM_SPLIT" });
    assert.throws(() => cells(long, element("DOUBLE")), /another size than its values need/);
  });
});

describe("missing values", () => {
  const optional = element("DOUBLE", OPTIONAL);
  // A run of two values that are there, one that is not, and three in bits: there, not, there.
  const mixed = bytes(4, 1, 2, 0, 3, 0b101);

  it("are null, in both versions of pages", () => {
    const content = doubles(1, 2, 3, 4);
    const expected = [1, 2, null, 3, null, 4];
    assert.deepEqual(cells(page(6, content, { nulls: 2 }, mixed), optional), expected);
    assert.deepEqual(cells(oldPage(6, content, mixed), optional), expected);
    assert.deepEqual(cells(page(2, bytes(), { nulls: 2 }, bytes(4, 0)), optional), [null, null]);
    assert.deepEqual(cells(page(2, doubles(1, 2), {}, bytes(4, 1)), optional), [1, 2]);
    const noNulls = page(2, doubles(1, 2), { kind: "data" });
    assert.deepEqual(cells(noNulls, element("DOUBLE")), [1, 2]);
  });

  it("are found in long runs, whose headers take two bytes, and in many bits", () => {
    const many = Array.from({ length: 300 }, (_, i) => i);
    const run = bytes(0xd8, 0x04, 1); // 300 of them
    assert.deepEqual(cells(page(300, doubles(...many), {}, run), optional), many);
    // 17 values in three groups of eight bits, of which each third is missing
    const bits = bytes(7, 0b11011011, 0b10110110, 0b1);
    const there = Array.from({ length: 17 }, (_, i) => i % 3 !== 2);
    const content = doubles(...there.flatMap((isThere, i) => (isThere ? [i] : [])));
    const expected = there.map((isThere, i) => (isThere ? i : null));
    assert.deepEqual(cells(page(17, content, { nulls: 5 }, bits), optional), expected);
    const after = bytes(7, 0b11011011, 0b10110110, 0b1, 2, 0);
    assert.deepEqual(cells(page(17, content, { nulls: 5 }, after), optional), expected);
  });

  it("are refused if their number is not that of the header", () => {
    const content = doubles(1, 2, 3, 4);
    for (const nulls of [1, 3])
      assert.throws(
        () => cells(page(6, content, { nulls }, mixed), optional),
        /another number of nulls than its header says/,
      );
  });

  it("are refused if a level is neither 0 nor 1, or a column has none", () => {
    const level = page(2, doubles(1, 2), {}, bytes(4, 2));
    assert.throws(() => cells(level, optional), /a definition level is 2/);
    const levels = page(2, doubles(1, 2), {}, bytes(4, 1));
    assert.throws(
      () => cells(levels, element("DOUBLE")),
      /a page has levels, but its column no nulls/,
    );
  });

  it("are refused if their levels are not within the page", () => {
    const short = page(2, bytes(0, 0, 0), { kind: "data" });
    assert.throws(() => cells(short, optional), /a page is too short/);
    assert.deepEqual(cells(page(0, integers(0), { kind: "data" }), optional), []);
    const long = page(2, Buffer.concat([integers(3), bytes(4, 1)]), { kind: "data" });
    assert.throws(() => cells(long, optional), /levels of a page are longer than the page/);
    const all = oldPage(2, bytes(), bytes(4, 0));
    assert.deepEqual(cells(all, optional), [null, null]);
  });
});

describe("a dictionary", () => {
  const dictionary = [10.5, 20.5, 30.5];

  it("has the values, and the page their numbers, after the width in bits", () => {
    for (const encoding of ["RLE_DICTIONARY", "PLAIN_DICTIONARY"] as const) {
      const one = page(4, bytes(2, 4, 1, 3, 0b1000, 0), { encoding });
      assert.deepEqual(cells(one, element("DOUBLE"), dictionary), [20.5, 20.5, 10.5, 30.5]);
    }
  });

  it("is needed, and must have all that its pages ask for", () => {
    const one = page(2, bytes(2, 4, 1), { encoding: "RLE_DICTIONARY" });
    assert.throws(
      () => cells(one, element("DOUBLE")),
      /needs a dictionary that its column does not/,
    );
    const beyond = page(2, bytes(2, 4, 3), { encoding: "RLE_DICTIONARY" });
    assert.throws(
      () => cells(beyond, element("DOUBLE"), dictionary),
      /a value is not in the dictionary of its column/,
    );
    const empty = page(2, bytes(), { encoding: "RLE_DICTIONARY" });
    assert.throws(() => cells(empty, element("DOUBLE"), dictionary), /a page is too short/);
    const wide = page(2, bytes(25, 4, 1, 0, 0, 0), { encoding: "RLE_DICTIONARY" });
    assert.throws(() => cells(wide, element("DOUBLE"), dictionary), /values of 25 bits/);
  });

  it("is a page of values that are not encoded", () => {
    const one = page(2, doubles(1, 2), { kind: "dictionary" });
    assert.deepEqual([...decodeDictionary(one, element("DOUBLE"))], [1, 2]);
    const text = element("BYTE_ARRAY", { converted_type: "UTF8" });
    const words = page(2, texts("a", "bc"), { kind: "dictionary" });
    assert.deepEqual([...decodeDictionary(words, text)], ["a", "bc"]);
    const long = page(1, doubles(1, 2), { kind: "dictionary" });
    assert.throws(() => decodeDictionary(long, element("DOUBLE")), /another size than its values/);
  });
});

describe("other encodings", () => {
  it("are booleans in runs, with a length in front", () => {
    const one = page(5, bytes(2, 0, 0, 0, 10, 1), { encoding: "RLE" });
    assert.deepEqual(cells(one, element("BOOLEAN")).map(Boolean), [true, true, true, true, true]);
    const short = page(5, bytes(10, 1, 0), { encoding: "RLE" });
    assert.throws(() => cells(short, element("BOOLEAN")), /an encoding in vain/);
    const cut = page(5, bytes(2, 0, 0, 0, 10), { encoding: "RLE" });
    assert.throws(() => cells(cut, element("BOOLEAN")), /a run of values/);
    assert.throws(() => cells(one, element("INT32")), /an encoding in vain/);
  });

  it("are whole numbers as differences", () => {
    // Blocks of 128 in 4 parts, three values, the first 5 (zigzag 10), least difference 1, all parts of 0 bits.
    const one = page(3, bytes(0x80, 1, 4, 3, 10, 2, 0, 0, 0, 0), {
      encoding: "DELTA_BINARY_PACKED",
    });
    assert.deepEqual(cells(one, element("INT32")).map(Number), [5, 6, 7]);
    assert.deepEqual(cells(one, element("INT64")).map(Number), [5, 6, 7]);
    assert.throws(() => cells(one, element("DOUBLE")), /only whole numbers have differences/);
  });

  it("are refused by their names if we do not read them", () => {
    const one = page(1, doubles(1), { encoding: "BIT_PACKED" });
    assert.throws(() => cells(one, element("DOUBLE")), /the encoding BIT_PACKED is not supported/);
  });
});

describe("a compressed page", () => {
  const optional = element("DOUBLE", OPTIONAL);

  it("has levels that are not compressed in version 2, and all together in version 1", () => {
    const levels = bytes(4, 1);
    const content = doubles(1, 2);
    const compressed = { codec: "GZIP", isCompressed: true } as const;
    const two = page(2, gzipSync(content), { ...compressed, size: 2 + 16 }, levels);
    assert.deepEqual(cells(two, optional), [1, 2]);
    const whole = Buffer.concat([integers(2), levels, content]);
    const one = page(2, gzipSync(whole), { ...compressed, kind: "data", size: whole.length });
    assert.deepEqual(cells(one, optional), [1, 2]);
    const none = page(1, bytes(), { ...compressed, nulls: 1, size: 2 }, bytes(2, 0));
    assert.deepEqual(cells(none, optional), [null]);
  });

  it("is refused if it cannot be decompressed, or is longer than it says", () => {
    const fields = { codec: "GZIP", isCompressed: true, size: 16 } as const;
    const damaged = page(2, bytes(1, 2, 3), fields);
    assert.throws(() => cells(damaged, element("DOUBLE")), /a page cannot be decompressed: /);
    const long = page(2, gzipSync(doubles(1, 2, 3)), fields);
    assert.throws(() => cells(long, element("DOUBLE")), /a page cannot be decompressed: /);
    const unknown = page(2, doubles(1, 2), { ...fields, codec: "LZO" });
    assert.throws(() => cells(unknown, element("DOUBLE")), /cannot be decompressed: .*LZO/);
  });
});

describe("the header of a page", () => {
  /** A number of 32 bits, field after field. */
  const zigzag = (value: number) => {
    const out: number[] = [];
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
    return [...out, rest];
  };
  interface Fields {
    readonly [id: number]: number | boolean | Fields;
  }
  /** A struct whose fields are numbers, booleans or structs. */
  const struct = (fields: Fields): number[] => {
    let last = 0;
    const parts = Object.entries(fields).flatMap(([name, value]) => {
      const delta = (Number(name) - last) << 4;
      last = Number(name);
      if (typeof value === "boolean") return [delta | (value ? 1 : 2)];
      if (typeof value === "number") return [delta | 5, ...zigzag(value)];
      return [delta | 12, ...struct(value)];
    });
    return [...parts, 0];
  };
  const body = [9, 9, 9, 9];
  const read = (fields: Fields, codec: Page["codec"] = "UNCOMPRESSED", after: number[] = []) => {
    const whole = bytes(0xee, ...struct(fields), ...body, ...after);
    return readPage(whole, 1, whole.length - after.length, codec);
  };
  const data = { 1: 3, 2: 0, 3: 3, 4: 3 }; // three values, PLAIN, levels RLE
  const v1 = { 1: 0, 2: 4, 3: 4, 5: data };
  const data2 = { 1: 3, 2: 1, 3: 3, 4: 0, 5: 2, 6: 0 };
  const v2 = { 1: 3, 2: 4, 3: 4, 8: data2 };
  const dictionary = { 1: 2, 2: 4, 3: 4, 7: { 1: 3, 2: 0 } };

  it("says what the page is, and where it ends", () => {
    const common = {
      codec: "UNCOMPRESSED",
      encoding: "PLAIN",
      values: 3,
      isCompressed: false,
      size: 4,
    };
    for (const [fields, expected] of [
      [v1, { kind: "data", nulls: 0, levelBytes: 0 }],
      [v2, { kind: "data-v2", nulls: 1, levelBytes: 2 }],
      [dictionary, { kind: "dictionary", nulls: 0, levelBytes: 0 }],
    ] as const) {
      const { body: found, start, end, ...rest } = read(fields, "UNCOMPRESSED", [7, 7]);
      assert.deepEqual(rest, { ...common, ...expected });
      assert.deepEqual([...found], body);
      assert.deepEqual([start, end], [1, 1 + struct(fields).length + body.length]);
    }
  });

  it("says whether it is compressed", () => {
    assert.equal(read(v1, "SNAPPY").isCompressed, true);
    assert.equal(read(dictionary, "SNAPPY").isCompressed, true);
    assert.equal(read(v2, "SNAPPY").isCompressed, true);
    for (const [flag, isCompressed] of [
      [true, true],
      [false, false],
    ] as const) {
      const fields = { ...v2, 8: { ...data2, 7: flag } };
      assert.equal(read(fields, "SNAPPY").isCompressed, isCompressed);
      assert.equal(read(fields).isCompressed, false);
    }
  });

  it("is refused if it contradicts itself or the file", () => {
    for (const [fields, problem] of [
      [{ ...v1, 3: 5 }, /the size of a page is 5/],
      [{ ...v1, 3: -1 }, /the size of a page is -1/],
      [{ ...v1, 2: 2 ** 28 + 1 }, /the size of a page when decompressed is 268435457/],
      [{ ...v1, 4: 1 }, /the checksum of a page is wrong/],
      [{ 1: 0, 2: 4, 3: 4 }, /the header of a page is incomplete/],
      [{ 1: 0, 2: 4, 3: 4, 5: 1 }, /the header of a page is incomplete/],
      [{ ...v1, 7: { 1: 3, 2: 0 } }, /is that of two kinds/],
      [{ ...v1, 8: data2 }, /is that of two kinds/],
      [{ ...v1, 1: 1 }, /a page has an unknown type/],
      [{ ...v1, 5: { ...data, 3: 4 } }, /levels of a page are not run-length encoded/],
      [{ ...v1, 5: { ...data, 2: 99 } }, /a page has an unknown encoding/],
      [{ ...v1, 5: { ...data, 1: -1 } }, /the number of values of a page is -1/],
      [{ ...v2, 8: { ...data2, 3: 2 } }, /other numbers of rows and values/],
      [{ ...v2, 8: { ...data2, 6: 1 } }, /a page has repeated values/],
      [{ ...v2, 8: { ...data2, 2: 4 } }, /the nulls of a page is 4/],
      [{ ...v2, 8: { ...data2, 5: 5 } }, /the levels of a page is 5/],
      [{ ...v2, 2: 1 }, /the levels of a page is 2/],
      [{ ...dictionary, 7: { 1: 3, 2: 3 } }, /a dictionary has the encoding RLE/],
    ] as const)
      assert.throws(() => read(fields as Fields), problem);
    assert.equal(read({ ...v1, 2: 2 ** 28 }).size, 2 ** 28);
    assert.equal(read({ ...dictionary, 7: { 1: 3, 2: 2 } }).encoding, "PLAIN_DICTIONARY");
  });
});
