/** The memory of a group, as docs/shm-protocol.md lays it out: other languages rely on these numbers. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { shmLayout } from "#internal";

const { HEADER, INLINE_WORDS, LINE, LINE_WORDS, Layout, MAGIC, MAX_RANKS, RECORD } = shmLayout;

const wholePages = (bytes: number) => Math.ceil(bytes / 4096) * 4096;

describe("shm: the memory of a group", () => {
  it("has header, records, lines and slots where the document says", () => {
    for (const ranks of [1, 2, 3, 64, 1024]) {
      const layout = new Layout(ranks);
      const lines = wholePages(4096 + 1024 * ranks);
      const slots = wholePages(lines + 12352 * ranks) + 320;
      assert.equal(layout.size, ranks);
      assert.equal(layout.totalBytes, slots + (ranks === 1 ? 0 : 1057792 * ranks));
      for (const r of [0, 1, ranks - 1]) {
        assert.equal(layout.record(r), 4096 + 1024 * r);
        assert.equal(layout.sleepWord(r), lines + 12352 * r);
        assert.equal(layout.lines(r), lines + 12352 * r + 64);
        for (const step of [0, 1, 15, 16, 17, 31, 0x7fffffff, 0xffffffff, -1])
          assert.equal(layout.slot(r, step), slots + (16 * r + ((step + 16) % 16)) * 66112);
      }
    }
  });

  it("has slots in cache lines of their own", () => {
    for (const ranks of [1, 2, 3]) {
      const layout = new Layout(ranks);
      for (let r = 0; r < ranks; r++) {
        assert.equal(layout.sleepWord(r) % 64, 0);
        assert.equal(layout.slot(r, 7) % 64, 0);
      }
    }
  });

  it("begins with what rank 0 reserves for all", () => {
    const layout = new Layout(3);
    assert.deepEqual(layout.parts(0)[0], { offset: 0, bytes: layout.sleepWord(0) });
    assert.deepEqual([layout.parts(0).length, layout.parts(1).length], [3, 2]);
  });

  it("has the words of the header", () => {
    assert.deepEqual(HEADER, {
      magic: 0,
      version: 2,
      size: 3,
      totalBytes: 4,
      firstStep: 6,
      ready: 7,
      started: 8,
    });
    assert.equal(Buffer.from(Uint32Array.from(MAGIC).buffer).toString(), "COBRESHM");
    assert.equal(shmLayout.VERSION, 5);
  });

  it("has the words of a record, a bit for each of 1024 ranks, and room for 768 bytes of text", () => {
    assert.deepEqual(RECORD, {
      joined: 0,
      pid: 1,
      closed: 2,
      abort: 3,
      textBytes: 4,
      registered: 5,
      tokenAddress: 8,
      token: 10,
      namespace: 12,
      missing: 16,
      missingWords: 32,
      text: 64,
    });
    assert.equal(shmLayout.RECORD_TEXT_BYTES, 768);
    assert.equal(MAX_RANKS, 1024);
  });

  it("has 128 lines of 64 bytes for each rank, behind the sleep word, with 40 bytes of payload", () => {
    assert.deepEqual(LINE, { step: 0, call: 1, history: 2, length: 4, payload: 6 });
    assert.equal(LINE_WORDS * 4, 64);
    assert.equal(shmLayout.RING, 128);
    assert.equal(shmLayout.RANK_LINES_BYTES, 12352);
    assert.equal(INLINE_WORDS * 4, 40);
  });

  it("has 16 slots of 65536 bytes for each rank; two of them can be folded in private memory", () => {
    assert.equal(shmLayout.SLOTS, 16);
    assert.equal(shmLayout.SLOT_BYTES, 65536);
    assert.equal(shmLayout.SCRATCH_BYTES, 2 * 65536);
  });
});
