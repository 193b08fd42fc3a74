/** Where a long message is in the memory that it is sent from or received into. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Cursor, type Span, spanOf } from "#internal";

const span = (address: number, length: number): Span => ({
  address,
  bytes: new Uint8Array(length),
});

describe("tcp: a cursor", () => {
  it("moves from span to span, past empty ones", () => {
    const [none, last] = [span(0, 0), span(900, 1)];
    const cursor = new Cursor([none, span(100, 3), none, span(500, 2), none, last, none]);
    const seen: unknown[] = [];
    assert.equal(cursor.total, 6);
    for (const step of [1, 2, 1, 1, 1]) {
      seen.push([cursor.address, cursor.rest, cursor.passed, cursor.isAtEnd]);
      // What comes after the last span is nobody's: the cursor may only be asked whether it is there.
      cursor.advance(step);
    }
    assert.deepEqual(seen, [
      [100, 3, 0, false],
      [101, 2, 1, false],
      [500, 2, 3, false],
      [501, 1, 4, false],
      [900, 1, 5, false],
    ]);
    assert.deepEqual([cursor.passed, cursor.isAtEnd], [6, true]);
  });

  it("writes where it stands", () => {
    const [a, b] = [span(0, 3), span(0, 2)];
    const cursor = new Cursor([a, b]);
    cursor.advance(1);
    cursor.write(Uint8Array.of(7, 8));
    cursor.advance(2);
    cursor.write(Uint8Array.of(9));
    cursor.advance(1);
    cursor.write(Uint8Array.of(5));
    assert.deepEqual([...a.bytes, ...b.bytes], [0, 7, 8, 9, 5]);
  });

  it("of nothing is at its end", () => {
    for (const spans of [[], [span(0, 0)]]) {
      const cursor = new Cursor(spans);
      assert.deepEqual([cursor.total, cursor.isAtEnd], [0, true]);
    }
  });
});

describe("tcp: a span", () => {
  /** The only thing that a span asks of its group is where bytes are. */
  const asked: Uint8Array[] = [];
  const addressOf = (bytes: Uint8Array) => asked.push(bytes) + 1000;
  const group = { sockets: { addressOf } } as unknown as Parameters<typeof spanOf>[0];

  it("is a part of an array, in place, counted in bytes", () => {
    const whole = Uint16Array.of(0x0101, 0x0202, 0x0303, 0x0404);
    const { bytes, address } = spanOf(group, whole.subarray(1), 1, 2);
    assert.deepEqual([...bytes], [2, 3]);
    assert.deepEqual([address, asked.at(-1)], [1001, bytes]);
    bytes.fill(0);
    assert.deepEqual([...whole], [0x0101, 0x0002, 0x0300, 0x0404]);
  });

  it("of no bytes has no address", () => {
    assert.equal(spanOf(group, new Float64Array(2), 8, 0).address, 0);
    assert.equal(asked.length, 1);
  });
});
