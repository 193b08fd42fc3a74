/** What the others see when a rank misbehaves; for every backend that connects processes. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { BackendName } from "@cobre/comm";
import { Random } from "../random.js";
import { type FaultGroup, failureOf, type Outcome, SEGMENT_PREFIX, startGroup } from "./group.js";
import { MISMATCHES } from "./mismatches.js";
import { OPERATIONS } from "./scenario.js";
import { SideBySide } from "./side-by-side.js";

interface Contestant {
  readonly backend: BackendName;
  /** How often a rank is killed or stopped at a random moment, in all. */
  readonly storm: number;
  /** What is special, and the variables that make it so. */
  readonly special?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A new backend is one more line. */
const CONTESTANTS: readonly Contestant[] = [
  { backend: "shm", storm: 200 },
  {
    backend: "shm",
    storm: 40,
    special: "without what only Linux has",
    env: { COBRE_SHM_SYSTEM: "portable" },
  },
  { backend: "tcp", storm: 80 },
];

const RANKS = 3;

const LIGHT_STORM = Number(process.env.COBRE_TEST_STORM ?? Number.POSITIVE_INFINITY);

/** Who sleeps through the deadline: readers of lent memory, with and without somebody who passes it on. */
const NAPS = [
  { operation: "broadcast", bytes: 300_000, ranks: 3, nappers: [1] },
  { operation: "broadcast", bytes: 1_000_000, ranks: 3, nappers: [0, 1] },
  { operation: "broadcast", bytes: 1_000_000, ranks: 4, nappers: [0, 1] },
  { operation: "allgatherv", bytes: 1_048_576, ranks: 3, nappers: [1] },
  { operation: "allreduce", bytes: 1_000_000, ranks: 3, nappers: [1] },
] as const;

const NAP_SECS = 2;

/** Long enough for a busy machine; what must come at once comes long before. */
const PATIENT_SECS = 60;

for (const { backend, storm: fullStorm, special, env: variables } of CONTESTANTS) {
  const storm = Math.min(fullStorm, LIGHT_STORM);
  const naps = Math.ceil(storm / 20);

  describe(`faults: ${special === undefined ? backend : `${backend}, ${special}`}`, () => {
    const directory = mkdtempSync(join(tmpdir(), "cobre-faults-"));
    const env = { ...variables, TMPDIR: directory };

    /** What ranks have left where segments are made. */
    const leftovers = () => [
      ...readdirSync("/dev/shm").filter((name) => name.startsWith(SEGMENT_PREFIX)),
      ...readdirSync(directory).filter((name) => /^cobre-(shm|region)-/.test(name)),
    ];

    after(() => {
      assert.deepEqual(leftovers(), []);
      rmSync(directory, { recursive: true });
    });

    for (const name of Object.keys(MISMATCHES)) {
      it(`mismatch of ${name}: every rank fails, is told both calls, and stays broken`, async () => {
        const scenario = { kind: "mismatch", name } as const;
        await using group = await startGroup(backend, RANKS, scenario, PATIENT_SECS, env);
        for (const outcome of await group.outcomes()) {
          const { error, next } = failureOf(outcome);
          assert.equal(error.kind, "CollectiveFailed");
          assert.match(String(error.message), /rank \d .*call.* rank \d/);
          assert.equal(next, "InvalidCommunicator broken");
        }
      });
    }

    for (const [how, story] of Object.entries({
      throw: /a mistake in the program/,
      reject: /a mistake in the program/,
      exit: /exited with code 3/,
      close: /rank 2 has closed/,
      finish: /rank 2 has closed/,
    })) {
      it(`a rank that ends by ${how} is named by the others, with the reason`, async () => {
        const scenario = { kind: "ending", how: how as "throw" } as const;
        await using group = await startGroup(backend, RANKS, scenario, PATIENT_SECS, env);
        const outcomes = await group.outcomes();
        for (const outcome of outcomes.slice(0, -1)) {
          const { error } = failureOf(outcome);
          assert.equal(error.kind, "CollectiveFailed");
          assert.deepEqual(error.missingRanks, [RANKS - 1]);
          assert.match(String(error.message), story);
        }
      });
    }

    it("a rank that is merely late holds nobody up for good, and is named in a warning", async () => {
      const scenario = { kind: "late", milliseconds: 3000 } as const;
      await using group = await startGroup(backend, RANKS, scenario, 5, env);
      const outcomes = await group.outcomes();
      for (const { said, exit } of outcomes) {
        assert.deepEqual(said, [{ said: "done" }], exit.stderr);
      }
      assert.match(outcomes[0]?.exit.stderr ?? "", /rank 0 has waited \d s in allreduce for rank/);
    });

    it(`${storm} kills and stops at random moments: the victim is named, nobody hangs`, async (t) => {
      const random = new Random(storm);
      const asleep = new SideBySide();
      let slowest = 0;
      for (let i = 0; i < storm; i++) {
        const operation = OPERATIONS[i % OPERATIONS.length] as (typeof OPERATIONS)[number];
        const bytes = random.pick([8, 1024, 100_000, 1_000_000, 2_500_000]);
        const victim = random.below(RANKS);
        const signal = random.below(4) === 0 ? "SIGSTOP" : "SIGKILL";
        const scenario = { kind: "loop", operation, bytes } as const;
        const story = `${i}: ${signal} to rank ${victim} in ${operation} of ${bytes} bytes`;
        const timeout = signal === "SIGSTOP" ? NAP_SECS : PATIENT_SECS;
        const group = await startGroup(backend, RANKS, scenario, timeout, env);
        await group.running;
        await new Promise((resolve) => setTimeout(resolve, random.below(15)));
        const struckAt = Date.now();
        group.job.ranks[victim]?.kill(signal);
        if (signal === "SIGSTOP") await asleep.add(namesVictim(group, victim, story));
        else slowest = Math.max(slowest, (await namesVictim(group, victim, story)) - struckAt);
      }
      await asleep.settled();
      t.diagnostic(`the slowest report of a kill took ${slowest} ms`);
    });

    /** All others must name the victim. Returns when the last of them did. */
    const namesVictim = async (started: FaultGroup, victim: number, story: string) => {
      await using group = started;
      const survivors = [0, 1, 2].filter((rank) => rank !== victim);
      await Promise.all(survivors.map((rank) => group.hasEnded(rank)));
      group.job.ranks[victim]?.kill("SIGKILL");
      const outcomes = await group.outcomes();
      const failures = survivors.map((rank) => failureOf(outcomes[rank] as Outcome));
      for (const { error } of failures) {
        assert.equal(error.kind, "CollectiveFailed", story);
        assert.deepEqual(error.missingRanks, [victim], `${story}: ${error.message}`);
      }
      assert.deepEqual(leftovers().filter(group.isOurs), [], story);
      return Math.max(...failures.map(({ at }) => at));
    };

    it("whoever waits for a sleeper itself is not named with it", async () => {
      // Rank 2 has sent its array and waits for rank 0 to have read it; rank 1 has, and waits for both.
      const scenario = {
        kind: "loop",
        operation: "broadcast",
        bytes: 1_000_000,
        nappers: [0],
      } as const;
      const timeouts = [PATIENT_SECS, NAP_SECS, PATIENT_SECS];
      await using group = await startGroup(backend, RANKS, scenario, timeouts, env);
      await Promise.all([1, 2].map((rank) => group.hasEnded(rank)));
      group.job.ranks[0]?.kill("SIGKILL");
      for (const outcome of (await group.outcomes()).slice(1)) {
        const { error } = failureOf(outcome);
        assert.deepEqual(error.missingRanks, [0], String(error.message));
      }
    });

    /** Wakes ranks when the others have given up: they must fail too, and never have a wrong result. */
    const wakeLate = async (started: FaultGroup, sleepers: readonly number[], story: string) => {
      await using group = started;
      const others = group.job.ranks.map((_, r) => r).filter((r) => !sleepers.includes(r));
      await Promise.all(others.map((rank) => group.hasEnded(rank)));
      for (const rank of sleepers) group.job.ranks[rank]?.kill("SIGCONT");
      for (const outcome of await group.outcomes()) {
        assert.equal(failureOf(outcome).error.kind, "CollectiveFailed", story);
      }
    };

    for (const { operation, bytes, ranks, nappers } of NAPS) {
      const who = `ranks ${nappers} of ${ranks}`;
      it(`${who} sleep through the deadline before ${operation} of ${bytes} bytes: they see nothing of what comes later`, async () => {
        const scenario = { kind: "loop", operation, bytes, nappers } as const;
        const group = await startGroup(backend, ranks, scenario, NAP_SECS, env);
        await wakeLate(group, nappers, operation);
      });
    }

    it(`${naps} times a rank sleeps through the deadline from a random moment on: nothing is wrong`, async () => {
      const random = new Random(naps);
      const asleep = new SideBySide();
      for (let i = 0; i < naps; i++) {
        const operation = i % 2 === 0 ? "broadcast" : "allgatherv";
        const bytes = random.pick([800_000, 1_600_000]);
        const sleeper = random.below(RANKS);
        const scenario = { kind: "loop", operation, bytes } as const;
        const group = await startGroup(backend, RANKS, scenario, NAP_SECS, env);
        await group.running;
        await new Promise((resolve) => setTimeout(resolve, random.below(15)));
        group.job.ranks[sleeper]?.kill("SIGSTOP");
        await asleep.add(wakeLate(group, [sleeper], `${i}: rank ${sleeper} in ${operation}`));
      }
      await asleep.settled();
    });
  });
}
