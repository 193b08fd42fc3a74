import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OpeningGroups } from "#internal";

describe("groups of openings", () => {
  for (const openings of [1, 2, 3, 5, 10, 20, 51]) {
    it(`of ${openings}: all openings once, in order, no group larger than the one before`, () => {
      const groups = new OpeningGroups(openings);
      const sizes = Array.from(
        { length: groups.count },
        (_, group) => groups.first(group + 1) - groups.first(group),
      );
      assert.equal(groups.first(0), 0);
      assert.equal(groups.first(groups.count), openings);
      assert.ok(sizes.every((size, i) => size > 0 && size <= (sizes[i - 1] ?? 7)));
      for (let opening = 0; opening < openings; opening++) {
        const { first, size } = groups.of(opening);
        assert.ok(first <= opening && opening < first + size);
        assert.ok(sizes.some((found, group) => found === size && groups.first(group) === first));
      }
    });
  }
});
