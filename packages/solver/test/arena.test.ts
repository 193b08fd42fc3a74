import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Arena } from "#internal";

describe("the arena that JavaScript shares with a native library", () => {
  it("gives blocks for numbers, apart from each other and not at 0", () => {
    const arena = new Arena(2 ** 16);
    const blocks = [1, 64, 65, 8, 1000, 4096].map(
      (bytes) => [arena.allocate(bytes), bytes] as const,
    );
    const sorted = [...blocks].sort(([a], [b]) => a - b);
    let end = 1;
    for (const [offset, bytes] of sorted) {
      assert.ok(offset >= end, `${offset} is before ${end}`);
      assert.equal(offset % 8, 0);
      end = offset + bytes;
    }
    assert.ok(end <= arena.buffer.byteLength);
  });

  it("uses again what was given back, once", () => {
    const arena = new Arena(2 ** 16);
    const first = arena.allocate(100);
    const second = arena.allocate(100);
    arena.release(first);
    arena.release(first);
    arena.release(0);
    assert.equal(arena.allocate(128), first);
    const third = arena.allocate(65);
    assert.ok(third !== first && third !== second);
    const both = [first, second];
    for (const block of both) arena.release(block);
    assert.deepEqual([arena.allocate(70), arena.allocate(80)].sort(), both.sort());
  });

  it("has 0 for what does not fit, and goes on", () => {
    const arena = new Arena(2 ** 12);
    assert.equal(arena.allocate(2 ** 12), 0);
    assert.equal(arena.allocate(2 ** 33), 0);
    const half = arena.allocate(2 ** 11);
    assert.notEqual(half, 0);
    assert.equal(arena.allocate(2 ** 11), 0);
    arena.release(half);
    assert.equal(arena.allocate(2 ** 11), half);
  });

  it("is smaller if the system has not as much", () => {
    const original = globalThis.ArrayBuffer;
    const refusing = (most: number) =>
      class extends original {
        constructor(bytes: number) {
          if (bytes > most) throw new RangeError("Array buffer allocation failed");
          super(bytes);
        }
      };
    try {
      globalThis.ArrayBuffer = refusing(2 ** 27) as typeof original;
      assert.equal(new Arena().buffer.byteLength, 2 ** 27);
      globalThis.ArrayBuffer = refusing(2 ** 25) as typeof original;
      assert.throws(() => new Arena(), RangeError);
    } finally {
      globalThis.ArrayBuffer = original;
    }
  });
});
