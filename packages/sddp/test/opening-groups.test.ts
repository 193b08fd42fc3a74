import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OpeningGroups } from "#internal";

function sizesOf(groups: OpeningGroups): number[] {
  return Array.from({ length: groups.count }, (_, i) => groups.first(i + 1) - groups.first(i));
}

describe("groups of openings", () => {
  it("are seven tenths of what is left, and at most seven", () => {
    const sizes = (openings: number) => sizesOf(new OpeningGroups(openings, 15));
    assert.deepEqual(sizes(0), []);
    assert.deepEqual(sizes(1), [1]);
    assert.deepEqual(sizes(3), [3]);
    assert.deepEqual(sizes(4), [3, 1]);
    assert.deepEqual(sizes(10), [7, 3]);
    assert.deepEqual(sizes(11), [7, 3, 1]);
    assert.deepEqual(sizes(20), [7, 7, 5, 1]);
  });

  it("are one where there are many passes", () => {
    const sizes = (openings: number) => sizesOf(new OpeningGroups(openings, 16));
    assert.deepEqual(sizes(0), []);
    assert.deepEqual(sizes(1), [1]);
    assert.deepEqual(sizes(20), [20]);
  });

  for (const openings of [1, 2, 3, 5, 10, 20, 51]) {
    it(`of ${openings}: all openings once, in order, no group larger than the one before`, () => {
      for (const passes of [1, 4, 50]) {
        const groups = new OpeningGroups(openings, passes);
        const sizes = sizesOf(groups);
        assert.equal(groups.first(0), 0);
        assert.equal(groups.first(groups.count), openings);
        assert.ok(sizes.every((size, i) => size > 0 && size <= (sizes[i - 1] ?? openings)));
        for (let opening = 0; opening < openings; opening++) {
          const { first, size } = groups.of(opening);
          assert.ok(first <= opening && opening < first + size);
          assert.ok(sizes.some((found, group) => found === size && groups.first(group) === first));
        }
      }
    });
  }
});
