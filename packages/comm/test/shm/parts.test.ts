/** Which pages ranks reserve: all that they write, and none that another rank writes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { equalPart, shmLayout } from "#internal";

const { Layout } = shmLayout;

const PAGE = 4096;

describe("shm: the parts of a segment", () => {
  for (const size of [1, 2, 3, 7, 64, 65, 130]) {
    const layout = new Layout(size);
    const parts = Array.from({ length: size }, (_, rank) => layout.parts(rank));

    it(`of ${size} ranks hold what each rank writes`, () => {
      parts.forEach((own, rank) => {
        const isOwn = (offset: number, bytes: number) =>
          own.some((part) => offset >= part.offset && offset + bytes <= part.offset + part.bytes);
        assert.ok(isOwn(layout.sleepWord(rank), 64));
        assert.ok(isOwn(layout.lines(rank) + 127 * 64, 64));
        for (const step of size === 1 ? [] : [0, 15]) {
          assert.ok(isOwn(layout.slot(rank, step), 65_536));
        }
        const ends = own.map(({ offset, bytes }) => offset + bytes);
        assert.ok(Math.max(...ends) <= layout.totalBytes);
        // Rank 0 reserves the records of all.
        assert.ok((parts[0]?.[0]?.bytes ?? 0) >= layout.record(rank) + 1024);
      });
    });

    it(`of ${size} ranks: no page has lines of two of them`, () => {
      const pagesOf = (rank: number) => {
        const first = Math.floor(layout.sleepWord(rank) / PAGE);
        const last = Math.floor((layout.lines(rank) + 128 * 64 - 1) / PAGE);
        return { first, last };
      };
      for (let rank = 1; rank < size; rank++) {
        assert.ok(pagesOf(rank - 1).last < pagesOf(rank).first, `rank ${rank}`);
      }
    });
  }
});

describe("shm: the parts of a region", () => {
  for (const [bytes, count] of [
    [0, 3],
    [8, 3],
    [4096, 2],
    [4097, 2],
    [1_000_000, 7],
    [2 ** 32 - 65_536, 1000],
  ] as const) {
    it(`of ${bytes} bytes and ${count} ranks are all of it, in whole pages`, () => {
      let end = 0;
      for (let i = 0; i < count; i++) {
        const part = equalPart(bytes, i, count);
        assert.equal(part.offset, end);
        assert.ok(part.bytes >= 0);
        assert.ok(part.bytes === 0 || part.offset % PAGE === 0);
        end += part.bytes;
      }
      assert.equal(end, bytes);
    });
  }
});
