/** What the others see when a rank misbehaves; for every backend that connects processes. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { BackendName } from "@cobre/comm";
import { inScope, runsQuick, runsRest, type Split } from "@cobre/testing/scope";
import { freePort } from "../free-port.js";
import { Random } from "../random.js";
import { type FaultGroup, failureOf, type Outcome, SEGMENT_PREFIX, startGroup } from "./group.js";
import { MISMATCHES } from "./mismatches.js";
import { OPERATIONS } from "./scenario.js";
import { SideBySide } from "./side-by-side.js";

interface Storm {
  readonly strokes: number;
  readonly naps: number;
}

interface Contestant {
  readonly backend: BackendName;
  /** Whether all of it repeats in another setting what the others have shown. */
  readonly rest?: boolean;
  /** How often a rank is killed or stopped at a random moment, and how often one sleeps through the deadline from there on. */
  readonly storms: Split<readonly Storm[]>;
  /** What is special, and the variables that make it so. */
  readonly special?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const SHOWER: Storm = { strokes: 5, naps: 1 };

/** A new backend is one more line. */
const CONTESTANTS: readonly Contestant[] = [
  { backend: "shm", storms: { quick: [SHOWER], rest: [{ strokes: 100, naps: 6 }] } },
  { backend: "tcp", storms: { quick: [SHOWER], rest: [{ strokes: 50, naps: 4 }] } },
  {
    backend: "shm",
    special: "without what only Linux has",
    env: { COBRE_SHM_SYSTEM: "portable" },
    storms: { quick: [], rest: [{ strokes: 20, naps: 2 }] },
    rest: true,
  },
];

const RANKS = 3;

/** Who sleeps through the deadline in a long call. */
const NAPS = [
  { operation: "broadcast", bytes: 300_000, ranks: 3, nappers: [1] },
  { operation: "broadcast", bytes: 1_000_000, ranks: 3, nappers: [0, 1] },
  { operation: "broadcast", bytes: 1_000_000, ranks: 4, nappers: [0, 1] },
  { operation: "allgatherv", bytes: 1_048_576, ranks: 3, nappers: [1] },
  { operation: "allreduce", bytes: 1_000_000, ranks: 3, nappers: [1] },
] as const;

const NAP_SECS = 3;

/** Long enough for a busy machine; what must come at once comes long before. */
const PATIENT_SECS = 60;

/** Tests that mostly wait for ranks that sleep: side by side. */
const WAITING = { concurrency: 4 };

for (const { backend, rest = false, storms, special, env: variables } of CONTESTANTS) {
  const stormsNow = inScope(storms);
  const hasTable = rest ? runsRest : runsQuick;
  if (!hasTable && stormsNow.length === 0) continue;

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

    if (hasTable) {
      describeMismatches(backend, env);
      describeEndings(backend, env);
      describeSleepers(backend, env);
    }
    for (const storm of stormsNow) describeStorm(backend, env, storm, leftovers);
  });
}

type Variables = Readonly<Record<string, string>>;

/** One group of ranks goes through the whole table, with a new communicator for each line. */
function describeMismatches(backend: BackendName, env: Variables): void {
  describe("calls that do not belong together", () => {
    const names = Object.keys(MISMATCHES);
    let outcomes: Outcome[];

    before(async () => {
      const ports: number[] = [];
      for (const _ of names) ports.push(await freePort());
      const scenario = { kind: "mismatches", ports } as const;
      await using group = await startGroup(backend, RANKS, scenario, PATIENT_SECS, env);
      outcomes = await group.outcomes();
    });

    for (const name of names) {
      it(`mismatch of ${name}: every rank fails, is told both calls, and stays broken`, () => {
        for (const outcome of outcomes) {
          const { error, next } = failureOf(outcome, name);
          assert.equal(error.kind, "CollectiveFailed");
          assert.match(String(error.message), /rank \d .*call.* rank \d/);
          assert.equal(next, "InvalidCommunicator broken");
        }
      });
    }

    it("a rank whose communicators have failed ends well", () => {
      for (const { exit } of outcomes) assert.equal(exit.code, 0, exit.stderr);
    });
  });
}

function describeEndings(backend: BackendName, env: Variables): void {
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
}

function describeSleepers(backend: BackendName, env: Variables): void {
  describe("while ranks sleep", WAITING, () => {
    it("a rank that is merely late holds nobody up for good, and is named in a warning", async () => {
      // A warning is due after half of the deadline.
      const scenario = { kind: "late", milliseconds: 5000 } as const;
      await using group = await startGroup(backend, RANKS, scenario, 8, env);
      const outcomes = await group.outcomes();
      for (const { said, exit } of outcomes) {
        assert.deepEqual(said, [{ said: "done" }], exit.stderr);
      }
      assert.match(outcomes[0]?.exit.stderr ?? "", /rank 0 has waited \d s in allreduce for rank/);
    });

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

    for (const { operation, bytes, ranks, nappers } of NAPS) {
      const who = `ranks ${nappers} of ${ranks}`;
      it(`${who} sleep through the deadline before ${operation} of ${bytes} bytes: they see nothing of what comes later`, async () => {
        const scenario = { kind: "loop", operation, bytes, nappers } as const;
        const group = await startGroup(backend, ranks, scenario, NAP_SECS, env);
        await wakeLate(group, nappers, operation);
      });
    }
  });
}

function describeStorm(
  backend: BackendName,
  env: Variables,
  { strokes, naps }: Storm,
  leftovers: () => string[],
): void {
  it(`${strokes} kills and stops at random moments: the victim is named, nobody hangs`, async (t) => {
    const random = new Random(strokes);
    const asleep = new SideBySide();
    let slowest = 0;
    for (let i = 0; i < strokes; i++) {
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
      const named = namesVictim(group, victim, story, leftovers);
      if (signal === "SIGSTOP") await asleep.add(named);
      else slowest = Math.max(slowest, (await named) - struckAt);
    }
    await asleep.settled();
    t.diagnostic(`the slowest report of a kill took ${slowest} ms`);
  });

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
}

/** All others must name the victim. Returns when the last of them did. */
async function namesVictim(
  started: FaultGroup,
  victim: number,
  story: string,
  leftovers: () => string[],
): Promise<number> {
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
}

/** Wakes ranks when the others have given up: they must fail too, and never have a wrong result. */
async function wakeLate(
  started: FaultGroup,
  sleepers: readonly number[],
  story: string,
): Promise<void> {
  await using group = started;
  const others = group.job.ranks.map((_, r) => r).filter((r) => !sleepers.includes(r));
  await Promise.all(others.map((rank) => group.hasEnded(rank)));
  for (const rank of sleepers) group.job.ranks[rank]?.kill("SIGCONT");
  for (const outcome of await group.outcomes()) {
    assert.equal(failureOf(outcome).error.kind, "CollectiveFailed", story);
  }
}
