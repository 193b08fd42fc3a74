/** The bytes of a container, as docs/policy-format.md describes them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { ContainerError, decodeContainer, encodeContainer } from "@cobre/io";

/** A container with a right checksum, whatever its header says. */
function container(text: unknown, data = Buffer.alloc(0), headerLength?: number): Uint8Array {
  const json = Buffer.from(typeof text === "string" ? text : JSON.stringify(text));
  const preamble = Buffer.alloc(16);
  preamble.write("COBREPOL");
  preamble.writeUInt32LE(1, 8);
  preamble.writeUInt32LE(headerLength ?? json.length, 12);
  const body = Buffer.concat([preamble, json, data]);
  return Buffer.concat([body, createHash("sha256").update(body).digest()]);
}

const entry = { name: "a", type: "i32", offset: 0, length: 2 };
const refused = (problem: string) => (error: unknown) =>
  error instanceof ContainerError &&
  error.message === `${problem}; use another copy, or train again`;

describe("the bytes of a container", () => {
  it("are preamble, padded header, aligned arrays and checksum", () => {
    const arrays = {
      bytes: Uint8Array.of(7),
      integers: Int32Array.of(-2),
      numbers: Float64Array.of(1.5),
    };
    const bytes = Buffer.from(encodeContainer({ header: { x: 1 }, arrays }));
    assert.equal(bytes.toString("latin1", 0, 8), "COBREPOL");
    assert.equal(bytes.readUInt32LE(8), 1);
    const length = bytes.readUInt32LE(12);
    assert.equal(length % 8, 0);
    const text = bytes.toString("utf8", 16, 16 + length);
    assert.match(text, /\} {0,7}$/);
    assert.deepEqual(JSON.parse(text), {
      header: { x: 1 },
      arrays: [
        { name: "bytes", type: "u8", offset: 0, length: 1 },
        { name: "integers", type: "i32", offset: 8, length: 1 },
        { name: "numbers", type: "f64", offset: 16, length: 1 },
      ],
    });
    const data = bytes.subarray(16 + length, -32);
    assert.equal(data.length, 24);
    assert.deepEqual([data[0], data.readInt32LE(8), data.readDoubleLE(16)], [7, -2, 1.5]);
    const digest = createHash("sha256").update(bytes.subarray(0, -32)).digest();
    assert.deepEqual(bytes.subarray(-32), digest);
  });

  it("may hold any part of another array", () => {
    const whole = Int32Array.of(1, 2, 3, 4);
    const { arrays } = decodeContainer(
      encodeContainer({ header: 1, arrays: { a: whole.subarray(1, 3) } }),
    );
    assert.deepEqual(arrays.a, Int32Array.of(2, 3));
  });
});

describe("a container with a right checksum", () => {
  it("is read if its arrays fill it to the last byte", () => {
    const data = Buffer.from(Int32Array.of(5, 6).buffer);
    const decoded = decodeContainer(container({ header: "h", arrays: [entry] }, data));
    assert.deepEqual(decoded, { header: "h", arrays: { a: Int32Array.of(5, 6) } });
    const none = decodeContainer(container({ arrays: [{ ...entry, offset: 8, length: 0 }] }, data));
    assert.deepEqual(none.arrays, { a: new Int32Array(0) });
    assert.deepEqual(decodeContainer(container('{"arrays":[]}')).arrays, {});
  });

  it("is refused if an array is not within it, or not described", () => {
    const data = Buffer.alloc(8);
    const problem = "its list of arrays does not fit its length";
    for (const change of [
      { length: 3 },
      { offset: 1 },
      { offset: 9, length: 0 },
      { offset: -1 },
      { length: -1 },
      { length: 0.5 },
      { length: "2" },
      { offset: undefined },
      { type: "f32" },
      { type: "toString" },
      { type: 7 },
      { name: 7 },
    ])
      assert.throws(
        () => decodeContainer(container({ arrays: [{ ...entry, ...change }] }, data)),
        refused(problem),
        JSON.stringify(change),
      );
    for (const odd of [null, 7, "a"])
      assert.throws(() => decodeContainer(container({ arrays: [odd] }, data)), refused(problem));
  });

  it("is refused if its header is none", () => {
    const list = "its header has no list of arrays";
    for (const text of ["{}", "null", "7", '{"arrays":{}}'])
      assert.throws(() => decodeContainer(container(text)), refused(list), text);
    assert.throws(() => decodeContainer(container("{")), refused("its header is not JSON"));
    const text = '{"arrays":[]}';
    const long = (length: number) => decodeContainer(container(text, undefined, length));
    assert.throws(() => long(text.length + 1), refused("its header is longer than the file"));
  });

  it("is refused if two of its arrays have one name", () => {
    const two = container({ arrays: [entry, entry] }, Buffer.alloc(8));
    assert.throws(() => decodeContainer(two), refused("it has two arrays a"));
  });
});

describe("what is no container", () => {
  it("is told as such, from the shortest to another version", () => {
    const good = container('{"arrays":[]}');
    for (const bytes of [new Uint8Array(0), good.subarray(0, 47), Buffer.alloc(60)])
      assert.throws(() => decodeContainer(bytes), /it is not a policy file/);
    assert.throws(() => decodeContainer(good.subarray(0, 48)), /its checksum is wrong/);
    const other = Buffer.from(good);
    other.writeUInt32LE(2, 8);
    assert.throws(
      () => decodeContainer(other),
      /it has format version 2, but this program reads version 1/,
    );
  });
});
