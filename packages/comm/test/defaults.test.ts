/** The limits and the port that hold where nobody has set others: 60 seconds, 29500. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";

const PROGRAM = fileURLToPath(new URL("./defaults-rank.js", import.meta.url));

/** Of nobody, by RFC 5737: no rank 0 can be there, and no machine has it. */
const NOBODY = "192.0.2.1";

/** Why a rank with this place could not join. */
function refusal(place: object): { kind: string; message: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, JSON.stringify(place)], {
    encoding: "utf8",
  });
  assert.match(stdout, /^{/, stderr);
  return JSON.parse(stdout) as { kind: string; message: string };
}

describe("defaults", () => {
  it("tcp: rank 0 listens at port 29500", () => {
    const config = { rank: 0, size: 2, bindAddress: NOBODY };
    const { message } = refusal({ kind: "tcp", config });
    assert.match(message, /cannot listen at 192\.0\.2\.1:29500/);
  });

  it("tcp: a worker looks for rank 0 at port 29500, for 60 s", () => {
    const config = { rank: 1, size: 2, coordinator: NOBODY };
    const { kind, message } = refusal({ kind: "tcp", config });
    assert.equal(kind, "InitializationFailed");
    assert.match(message, /not reached at 192\.0\.2\.1:29500 within 60 s/);
  });

  it("shm: a group is waited for 60 s", () => {
    const config = { name: `/cobre-defaults-${process.pid}`, rank: 0, size: 2 };
    const { kind, message } = refusal({ kind: "shm", config });
    assert.equal(kind, "InitializationFailed");
    assert.match(message, /within 60 s/);
  });

  for (const backend of ["shm", "tcp"] as const) {
    it(`${backend}: a collective may take 60 s`, async () => {
      const job = await launch({
        ranks: 2,
        backend,
        command: [process.execPath, PROGRAM],
        output: "capture",
        timeoutSecs: 60,
      });
      const { ranks, timedOut } = await job.done;
      assert.equal(timedOut, false);
      const said = ranks[0]?.stdout ?? "";
      assert.match(said, /^{/, ranks[0]?.stderr);
      const { kind, missingRanks, message } = JSON.parse(said) as Record<string, unknown>;
      assert.deepEqual([kind, missingRanks], ["CollectiveFailed", [1]]);
      assert.match(String(message), /60 s/);
    });
  }
});
