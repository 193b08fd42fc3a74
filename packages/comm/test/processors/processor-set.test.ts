import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  formatProcessors,
  hasProcessorEach,
  parseProcessors,
  parseStat,
  parseStatus,
} from "#internal";

describe("sets of processors", () => {
  it("are read as the kernel writes them", () => {
    assert.deepEqual(parseProcessors("0-3,8\n"), [0, 1, 2, 3, 8]);
    assert.deepEqual(parseProcessors("8, 2-3,2"), [2, 3, 8]);
    for (const text of ["", "\n", "a", "3-1", "1,,2", "-1", "0-"]) {
      assert.equal(parseProcessors(text), undefined, JSON.stringify(text));
    }
  });

  it("are written in the same way", () => {
    assert.equal(formatProcessors([0, 1, 2, 3, 8, 10, 11]), "0-3,8,10-11");
    assert.equal(formatProcessors([5]), "5");
  });

  const TABLE: readonly [what: string, allowed: number[][], answer: boolean][] = [
    [
      "two ranks that may use the same two",
      [
        [0, 1],
        [0, 1],
      ],
      true,
    ],
    [
      "three ranks that may use the same two",
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
      false,
    ],
    ["two ranks bound to one each", [[0], [1]], true],
    ["two ranks bound to the same one", [[0], [0]], false],
    ["two ranks bound to the same one, beside one with all", [[0], [0], [0, 1, 2, 3]], false],
    ["a rank that must make room for one with no choice", [[0, 1], [1, 2], [0], [1, 2, 3]], true],
    [
      "ranks in two halves, one of them too small",
      [
        [0, 1],
        [0, 1],
        [0, 1],
        [2, 3],
      ],
      false,
    ],
  ];
  for (const [what, allowed, answer] of TABLE) {
    it(`${answer ? "have" : "do not have"} one for each of ${what}`, () => {
      assert.equal(hasProcessorEach(allowed), answer);
    });
  }
});

describe("what the kernel tells of a process", () => {
  const stat = (name: string, state: string, processor: number) =>
    `8998 (${name}) ${state} 8995 8995 31021 0 -1 4194304 9987 0 1 0 15 8 0 0 20 0 11 0 1303073 1084030976 19357 18446744073709551615 11988992 39846385 140720863376720 0 0 0 0 16781312 17922 0 0 0 17 ${processor} 0 0 0 0 0 904\n`;

  it("has the processor, whatever the name of the process", () => {
    assert.deepEqual(parseStat(stat("node", "R", 3)), { processor: 3, isRunnable: true });
    assert.deepEqual(parseStat(stat("a) R 1 2 (", "S", 12)), { processor: 12, isRunnable: false });
    assert.equal(parseStat(""), undefined);
  });

  it("has the processors that it may use", () => {
    const text = "Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,6\nMems_allowed:\t1\n";
    assert.deepEqual(parseStatus(text), [0, 1, 2, 3, 6]);
    assert.equal(parseStatus("Name:\tnode\n"), undefined);
  });
});
