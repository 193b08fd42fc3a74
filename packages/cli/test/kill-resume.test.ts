/**
 * A run whose ranks are killed at random moments and that is resumed each time, over other backends and with other numbers of ranks,
 * ends in the bits of a run that nobody disturbed. Any moment is right: before there is a checkpoint the run begins again, and one that had
 * ended already is compared and begun anew. COBRE_TEST_SEED repeats the moments of a run of this test that failed.
 */
import assert from "node:assert/strict";
import { createHash, randomInt } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { needs } from "@cobre/testing/needs";
import { inScope } from "@cobre/testing/scope";
import { CobreProcess, eventually } from "./cobre-process.js";

const EXAMPLE = fileURLToPath(new URL("../../../examples/cases/one-reservoir", import.meta.url));

type Group = readonly [backend: string, ranks: number];

const GROUPS: readonly Group[] = [
  ["shm", 2],
  ["tcp", 3],
  ["local", 1],
  ["shm", 3],
  ["tcp", 2],
];

const GROUPS_WITH_MPI: readonly Group[] = [
  ["mpi", 2],
  ["tcp", 3],
  ["mpi", 3],
];

/** How often a rank is killed. */
const KILLS = inScope({ quick: [1], rest: [12] });
const KILLS_WITH_MPI = inScope({ quick: [], rest: [4] });

let folder = "";
let source = "";
let undisturbed: unknown;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-kill-"));
  source = join(folder, "case");
  cpSync(EXAMPLE, source, { recursive: true });
  const file = join(source, "config.json");
  const config = JSON.parse(readFileSync(file, "utf8"));
  config.training.stopping_rules = [{ type: "iteration_limit", limit: 30 }];
  config.training.selection.forward_passes = 4;
  config.simulation.selection.num_scenarios = 12;
  config.policy = { checkpointing: { enabled: true, interval_iterations: 1 } };
  writeFileSync(file, JSON.stringify(config));
  const whole = join(folder, "whole");
  const { code, stderr } = await CobreProcess.start(["run", source, "-o", whole]).finished;
  assert.equal(code, 0, stderr);
  undisturbed = await hashesOf(whole);
});
after(() => rmSync(folder, { recursive: true }));

async function hashesOf(output: string): Promise<unknown> {
  const { code, stdout, stderr } = await CobreProcess.start(["report", output, "--json"]).finished;
  assert.equal(code, 0, stderr);
  const { hashes, iterations } = JSON.parse(stdout);
  assert.deepEqual(Object.keys(hashes), ["convergence", "cuts", "policy", "simulation"]);
  return { hashes, iterations };
}

describe("a run whose ranks are killed", { timeout: 900_000 }, () => {
  for (const kills of KILLS) {
    it(`${kills === 1 ? "once" : `${kills} times`}, and that is resumed with other ranks, ends in the same bits`, (t) =>
      killAgainAndAgain(t, GROUPS, kills));
  }

  for (const kills of KILLS_WITH_MPI) {
    it(`${kills} times, also over MPI, ends in the same bits`, async (t) => {
      const probe = ["launch", "-n", "1", "-b", "mpi", "--", process.execPath, "-e", ""];
      const { code } = await CobreProcess.start(probe).finished;
      if (needs(t, code === 0, "an MPI")) await killAgainAndAgain(t, GROUPS_WITH_MPI, kills);
    });
  }
});

let chains = 0;

/** Each time, the next group goes on with what the last one has left. */
async function killAgainAndAgain(
  t: TestContext,
  groups: readonly Group[],
  wanted: number,
): Promise<void> {
  const seed = process.env.COBRE_TEST_SEED ?? String(randomInt(2 ** 31));
  const random = drawFrom(seed);
  const story: string[] = [`COBRE_TEST_SEED=${seed}`];
  let kills = 0;
  let output = join(folder, `killed-${++chains}`);
  try {
    // More rounds than kills: one in which the run ended before its rank could be killed does not count.
    for (let round = 0; kills < wanted && round < 3 * wanted; round++) {
      const [backend, ranks] = groups[round % groups.length] as Group;
      const wasKilled = await runAndKill(output, backend, ranks, random, story);
      if (wasKilled) kills++;
      if (!existsSync(join(output, "simulation/_SUCCESS"))) continue;
      assert.deepEqual(await hashesOf(output), undisturbed);
      output = join(folder, `killed-${++chains}`);
    }
    const resume = existsSync(output) ? ["--resume"] : [];
    const last = CobreProcess.start(["run", source, "-o", output, ...resume]);
    const { code, stderr } = await last.finished;
    assert.equal(code, 0, stderr);
    assert.deepEqual(await hashesOf(output), undisturbed);
    assert.equal(kills, wanted, "most runs ended before a rank could be killed");
  } catch (error) {
    t.diagnostic(story.join("\n"));
    throw error;
  }
}

/** Starts or resumes the run and kills one of its ranks; returns whether there was one to kill. */
async function runAndKill(
  output: string,
  backend: string,
  ranks: number,
  random: () => number,
  story: string[],
): Promise<boolean> {
  const args = ["run", source, "-o", output, "-n", String(ranks), "-b", backend];
  if (existsSync(output)) args.push("--resume");
  const run = CobreProcess.start(args);
  let hasEnded = false;
  run.finished.then(() => {
    hasEnded = true;
  });
  // The launcher is told with -o, its ranks with --output; one local rank has no launcher.
  const ranksNow = () =>
    run
      .marked()
      .filter(([pid, command]) =>
        backend === "local"
          ? pid === run.pid
          : command.startsWith(process.execPath) && command.includes("--output"),
      )
      .map(([pid]) => pid)
      .sort((a, b) => a - b);
  await eventually("a rank", () => hasEnded || ranksNow().length > 0);
  const moment = await waitForMoment(output, random, () => hasEnded);
  const alive = ranksNow();
  const victim = Math.floor(random() * Math.max(1, alive.length));
  story.push(`${args.slice(2).join(" ")}: ${moment}, victim ${victim} of ${alive.length}`);
  const pid = alive[victim];
  const wasKilled = pid !== undefined && killIfThere(pid);
  const { code } = await run.finished;
  await eventually("the end of all ranks", () => run.marked().length === 0);
  if (!existsSync(join(output, "simulation/_SUCCESS"))) {
    assert.ok(wasKilled && code !== 0, `ended with ${code} and without results`);
  }
  return wasKilled;
}

/** Some checkpoints from now, or some time from now, or when the simulation has begun. */
async function waitForMoment(
  output: string,
  random: () => number,
  hasEnded: () => boolean,
): Promise<string> {
  const kind = random();
  const size = random();
  if (kind < 0.4) {
    const ms = Math.floor(size * 900);
    await sleep(ms);
    return `after ${ms} ms`;
  }
  const policy = join(output, "policy/policy.bin");
  if (kind < 0.95) {
    const checkpoints = 1 + Math.floor(size * 5);
    let seen = 0;
    let last = inodeOf(policy);
    await eventually("checkpoints", () => {
      const now = inodeOf(policy);
      if (now !== last) seen++;
      last = now;
      return hasEnded() || seen >= checkpoints;
    });
    return `after ${checkpoints} checkpoints`;
  }
  await eventually("a simulation", () => hasEnded() || existsSync(join(output, "simulation")));
  return "when the simulation had begun";
}

/** Every checkpoint is a new file with the old name. */
function inodeOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.mtimeMs}`;
}

/** Numbers from 0 to 1 that follow from the seed. */
function drawFrom(seed: string): () => number {
  let drawn = 0;
  return () => createHash("sha256").update(`${seed} ${drawn++}`).digest().readUInt32LE(0) / 2 ** 32;
}

function killIfThere(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    return false;
  }
}
