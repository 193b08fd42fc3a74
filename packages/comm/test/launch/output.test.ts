import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { launch } from "@cobre/comm/launch";

/** A rank program that writes the given pieces to stdout, each for itself. */
function writing(pieces: readonly Buffer[], pauseMs: number): string[] {
  const program = `
    const { writeSync } = require("node:fs");
    const nap = new Int32Array(new SharedArrayBuffer(4));
    for (const piece of JSON.parse(process.argv[1])) {
      const bytes = Buffer.from(piece, "base64");
      for (let done = 0; done < bytes.length; ) {
        try { done += writeSync(1, bytes, done); } catch (error) { if (error.code !== "EAGAIN") throw error; }
      }
      Atomics.wait(nap, 0, 0, ${pauseMs});
    }`;
  const encoded = JSON.stringify(pieces.map((piece) => piece.toString("base64")));
  return [process.execPath, "-e", program, encoded];
}

async function linesOf(command: string[], ranks = 1): Promise<string[][]> {
  const lines: string[][] = Array.from({ length: ranks }, () => []);
  const job = await launch({ ranks, command, output: (rank, _, text) => lines[rank]?.push(text) });
  assert.equal((await job.done).code, 0);
  return lines;
}

describe("launch: the ranks' output", { timeout: 300_000 }, () => {
  it("arrives line by line, however it was written", async () => {
    const text = "plain\nüber\r\n\n10%\r20%\r30%\n終わり\r\n\r\n🙂 no newline";
    const bytes = Buffer.from(text);
    const pieces = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
    const expected = ["plain", "über", "", "10%", "20%", "30%", "終わり", "", "🙂 no newline"];
    assert.deepEqual(await linesOf(writing(pieces, 1)), [expected]);
    assert.deepEqual(await linesOf(writing([bytes], 0)), [expected]);
  });

  it("loses no last line, with or without a newline", async () => {
    for (const [text, expected] of [
      ["", []],
      ["a", ["a"]],
      ["a\n", ["a"]],
      ["a\r", ["a"]],
      ["\n", [""]],
    ] as const) {
      assert.deepEqual(await linesOf(writing([Buffer.from(text)], 0)), [expected]);
    }
  });

  it("keeps long lines whole", async () => {
    const line = "0123456789abcdeü".repeat(200_000);
    const program = `process.stdout.write("0123456789abcdeü".repeat(200_000) + "\\nend")`;
    assert.deepEqual(await linesOf([process.execPath, "-e", program], 2), [
      [line, "end"],
      [line, "end"],
    ]);
  });

  it("cuts a line that never ends between characters", async () => {
    const program = `process.stdout.write("x" + "€".repeat(4_000_000))`;
    const [pieces = []] = await linesOf([process.execPath, "-e", program]);
    assert.ok(pieces.length > 1, "12 MB are more than is kept");
    assert.ok(pieces.join("") === `x${"€".repeat(4_000_000)}`, "nothing is lost");
  });

  it("is kept apart by rank and stream when captured, and kept as it is", async () => {
    const program =
      'printf "out $COBRE_LAUNCH_RANK\\r\\nmore"; printf "err $COBRE_LAUNCH_RANK" >&2';
    const job = await launch({ ranks: 3, command: ["sh", "-c", program], output: "capture" });
    const { ranks } = await job.done;
    assert.deepEqual(
      ranks.map(({ stdout, stderr }) => ({ stdout, stderr })),
      [0, 1, 2].map((rank) => ({ stdout: `out ${rank}\r\nmore`, stderr: `err ${rank}` })),
    );
  });
});
