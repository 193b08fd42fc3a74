/** Frames, byte by byte, as docs/wire-protocol.md writes them: other languages rely on them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ABORT, wire } from "#internal";

const { decodeAbort, encodeAbort, frame, payloadBytes, TAG, words, writeHeader } = wire;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("tcp: a frame", () => {
  it("has its length behind the first four bytes, big-endian, then the tag, then the payload", () => {
    assert.equal(hex(frame(TAG.barrierReady)), "0000000106");
    assert.equal(hex(frame(TAG.links, Uint8Array.of(1))), "000000021001");
    assert.equal(
      hex(frame(TAG.broadcast, Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3))),
      "0000000405010203",
    );
    assert.equal(wire.HEADER_BYTES, 5);
  });

  it("has a header whose length any reader gets back, up to 4 GiB", () => {
    for (const [bytes, header] of [
      [0, "00000001"],
      [0xfe, "000000ff"],
      [0xff, "00000100"],
      [0xffff, "00010000"],
      [0x1020304, "01020305"],
      [0x7fffffff, "80000000"],
      [0xfffffffe, "ffffffff"],
    ] as const) {
      const into = new Uint8Array(9).fill(0xaa);
      writeHeader(into, 2, TAG.abort, bytes);
      assert.equal(hex(into), `aaaa${header}11aaaa`);
      assert.equal(payloadBytes(into, 2), bytes);
    }
  });

  it("has one of the tags of the table", () => {
    const names =
      "allgathervSend allgathervRecv allreduceSend allreduceRecv broadcast barrierReady barrierGo " +
      "handshake ack shutdown fingerprint hello challenge refusal roster links abort inquiry waiting";
    assert.deepEqual(
      Object.entries(TAG),
      names.split(" ").map((name, i) => [name, i + 1]),
    );
    assert.equal(wire.VERSION, 4);
  });

  it("carries numbers little-endian", () => {
    assert.equal(hex(words(1, 0x01020304, 0xffffffff)), "0100000004030201ffffffff");
    assert.equal(words().length, 0);
  });

  it("has the documented limits; a fingerprint is two words, a float64 and a word", () => {
    assert.equal(wire.MAX_CONTROL_BYTES, 4096);
    assert.equal(wire.MAX_FRAME_BYTES, 1_048_576);
    assert.equal(wire.FINGERPRINT_BYTES, 5 + 4 + 4 + 8 + 4);
  });
});

describe("tcp: an abort", () => {
  const payloadOf = (bytes: Uint8Array) => bytes.subarray(wire.HEADER_BYTES);

  it("is code, number of ranks, ranks, text", () => {
    const notice = { code: ABORT.missing, missingRanks: [2, 258], text: "gé" };
    assert.equal(
      hex(encodeAbort(notice)),
      "0000001411" + "01000000" + "02000000" + "02000000" + "02010000" + "67c3a9",
    );
  });

  it("is read as it was written, wherever it lies in a buffer", () => {
    for (const notice of [
      { code: ABORT.mismatch, missingRanks: [], text: "" },
      { code: ABORT.exception, missingRanks: [7], text: "" },
      { code: ABORT.missing, missingRanks: [0, 1023], text: "ranks are gone" },
    ]) {
      const payload = payloadOf(encodeAbort(notice));
      assert.deepEqual(decodeAbort(payload), notice);
      const around = Buffer.concat([Buffer.alloc(3, 9), payload, Buffer.alloc(4, 9)]);
      assert.deepEqual(decodeAbort(around.subarray(3, 3 + payload.length)), notice);
    }
  });

  it("names at most 700 ranks and has at most 1000 bytes of text, so that it fits", () => {
    const missingRanks = Array.from({ length: 1024 }, (_, r) => r);
    const written = encodeAbort({ code: ABORT.missing, missingRanks, text: "x".repeat(5000) });
    assert.equal(payloadOf(written).length, 8 + 4 * 700 + 1000);
    assert.ok(payloadOf(written).length <= wire.MAX_CONTROL_BYTES);
    const { missingRanks: named, text } = decodeAbort(payloadOf(written));
    assert.deepEqual([named.length, named[699], text.length], [700, 699, 1000]);
  });

  it("that is cut off or lies about its ranks gives what is there", () => {
    const whole = payloadOf(encodeAbort({ code: 2, missingRanks: [4, 5], text: "text" }));
    const nothing = { code: ABORT.missing, missingRanks: [], text: "" };
    assert.deepEqual(decodeAbort(whole.subarray(0, 0)), nothing);
    assert.deepEqual(decodeAbort(whole.subarray(0, 7)), nothing);
    const read = (bytes: number) => decodeAbort(whole.subarray(0, bytes));
    assert.deepEqual(read(8), { code: 2, missingRanks: [], text: "" });
    assert.deepEqual(read(11).missingRanks, []);
    assert.deepEqual(read(15), {
      code: 2,
      missingRanks: [4],
      text: Buffer.from([5, 0, 0]).toString(),
    });
    assert.deepEqual(read(17), { code: 2, missingRanks: [4, 5], text: "t" });
    const liar = Buffer.concat([words(3, 0xffffffff, 1, 2), Buffer.from("abc")]);
    assert.deepEqual(decodeAbort(liar), { code: 3, missingRanks: [1, 2], text: "abc" });
  });
});
