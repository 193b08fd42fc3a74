/** Without a limit a rank that lives is waited for, and one that does not is named at once. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { Deadline, shmConfigFromEnvironment, shmConfigFromProgram } from "#internal";
import { failureOf, startGroup } from "./group.js";

const NONE = { COBRE_SHM_TIMEOUT_SECS: "none", COBRE_TCP_TIMEOUT_SECS: "none" };
const RANKS = 3;
const PLACE = { name: "/job", rank: 0, size: 2 };
const DAY_MS = 86_400_000;

/** A clock that stands still until it is told the time. */
function fakeClock(t: TestContext): (ms: number) => void {
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  return (ms) => {
    now = 1000 + ms;
  };
}

describe("a deadline", () => {
  it("passes when the limit is over, and warns at half of it, once", (t) => {
    const setTime = fakeClock(t);
    const deadline = new Deadline(10_000);
    assert.equal(deadline.start(), true);
    setTime(4000);
    assert.equal(deadline.start(), false, "the clock runs already");
    assert.equal(deadline.isWarningDue(deadline.elapsedMs), false);
    setTime(5001);
    assert.equal(deadline.isWarningDue(deadline.elapsedMs), true);
    setTime(9999);
    assert.equal(deadline.isWarningDue(deadline.elapsedMs), false);
    assert.ok(deadline.elapsedMs <= deadline.timeoutMs);
    setTime(10_001);
    assert.ok(deadline.elapsedMs > deadline.timeoutMs);
    assert.equal(deadline.secondsOf(deadline.elapsedMs), 10);
    deadline.reset();
    assert.equal(deadline.start(), true);
    assert.equal(deadline.elapsedMs, 0);
  });

  it("without a limit never passes, and warns each time the wait has doubled", (t) => {
    const setTime = fakeClock(t);
    const deadline = new Deadline(Number.POSITIVE_INFINITY);
    deadline.start();
    const warnedAt: number[] = [];
    for (let second = 0; second <= 300; second++) {
      setTime(1000 * second);
      if (deadline.isWarningDue(deadline.elapsedMs)) warnedAt.push(second);
    }
    assert.deepEqual(warnedAt, [31, 63, 127, 255]);
    setTime(DAY_MS);
    assert.ok(!(deadline.elapsedMs > deadline.timeoutMs));
    assert.equal(deadline.secondsOf(deadline.elapsedMs), DAY_MS / 1000);
  });
});

describe("no limit", () => {
  it("is none in a variable and Infinity in a program; the start keeps one", () => {
    const env = { COBRE_SHM_NAME: "/job", COBRE_SHM_RANK: "0", COBRE_SHM_SIZE: "2", ...NONE };
    for (const config of [
      shmConfigFromEnvironment(env),
      shmConfigFromProgram({ ...PLACE, timeoutSecs: Number.POSITIVE_INFINITY }),
    ]) {
      assert.equal(config.timeoutSecs, Number.POSITIVE_INFINITY);
      assert.equal(config.startSecs, 60);
    }
    assert.equal(shmConfigFromProgram({ ...PLACE, timeoutSecs: 7 }).startSecs, 7);
    for (const timeoutSecs of [0, -1, Number.NaN, "none" as unknown as number]) {
      assert.throws(() => shmConfigFromProgram({ ...PLACE, timeoutSecs }), /Infinity, or none/);
    }
  });

  for (const backend of ["shm", "tcp"] as const) {
    it(`${backend}: a rank that is killed is named by the others`, async () => {
      const scenario = { kind: "loop", operation: "allreduce", bytes: 1000 } as const;
      await using group = await startGroup(backend, RANKS, scenario, 60, NONE);
      await group.running;
      group.job.ranks[1]?.kill("SIGKILL");
      const outcomes = await group.outcomes();
      for (const rank of [0, 2]) {
        const { error } = failureOf(outcomes[rank] as (typeof outcomes)[number]);
        assert.deepEqual(error.missingRanks, [1], String(error.message));
      }
    });

    it(`${backend}: a rank that ends by itself is named, with the reason`, async () => {
      const scenario = { kind: "ending", how: "throw" } as const;
      await using group = await startGroup(backend, RANKS, scenario, 60, NONE);
      for (const outcome of (await group.outcomes()).slice(0, -1)) {
        const { error } = failureOf(outcome);
        assert.deepEqual(error.missingRanks, [RANKS - 1]);
        assert.match(String(error.message), /a mistake in the program/);
      }
    });
  }
});
