/**
 * Systems with the most components, and graphs, whose ranks are killed in training and again in the simulation. Resumed with other ranks each time,
 * they end in the bits of a run that nobody disturbed.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { compareRuns } from "@cobre/study";
import { linesInScope } from "@cobre/testing/scope";
import { CLIMATE, CYCLIC, TREE, tutorial } from "../../sddp/dist-test/graphs/tutorial.js";
import { generateSystem, writeCase } from "../../sddp/dist-test/oracle/index.js";
import { CobreProcess, eventually } from "./cobre-process.js";

const PRELOAD = new URL("./kill-at-solve.js", import.meta.url).href;
const ITERATIONS = 6;
const SCENARIOS = 8;
const FORWARD_PASSES = 4;

const folder = mkdtempSync(join(tmpdir(), "cobre-killed-"));
after(() => rmSync(folder, { recursive: true }));

const DRAWN = { enabled: true, num_scenarios: SCENARIOS };
/** In the words of Cobre 0.18, as the tutorial is. */
const SAMPLED = { enabled: true, selection: { method: "sampled", num_scenarios: SCENARIOS } };
const EVERY_PATH = { enabled: true, selection: { method: "enumerated" } };

/** With a checkpoint after each iteration. */
function withCheckpoints(config: Readonly<Record<string, unknown>>, simulation: object): object {
  const checkpointing = { enabled: true, interval_iterations: 1 };
  return {
    ...config,
    simulation,
    policy: { ...(config.policy as object | undefined), checkpointing },
  };
}

/** A random system as a case directory. `same-bits.test.ts` of sddp tells what is in which. */
function system(seed: number): string {
  const directory = join(folder, `system-${seed}`);
  const options = { iterations: ITERATIONS, forwardPasses: FORWARD_PASSES };
  writeCase(generateSystem(seed), directory, options);
  const file = join(directory, "config.json");
  writeFileSync(
    file,
    JSON.stringify(withCheckpoints(JSON.parse(readFileSync(file, "utf8")), DRAWN)),
  );
  return directory;
}

/** A graph as a case in one file. */
function graph(name: string, of: typeof TREE, simulation: object = SAMPLED): string {
  const file = join(folder, `${name}.json`);
  const stopping_rules = [{ type: "iteration_limit", limit: ITERATIONS }];
  const input = tutorial({ ...of, training: { ...of.training, stopping_rules } });
  const config = withCheckpoints(input.config as unknown as Record<string, unknown>, simulation);
  writeFileSync(file, JSON.stringify({ ...input, config }));
  return file;
}

interface Group {
  readonly ranks: number;
  readonly backend: string;
  /** The rank that is killed. */
  readonly victim?: number;
}

const ALONE: Group = { ranks: 1, backend: "local", victim: 0 };
const TWO: Group = { ranks: 2, backend: "shm", victim: 1 };
const THREE: Group = { ranks: 3, backend: "shm", victim: 2 };
const FIRST_OF_TWO: Group = { ranks: 2, backend: "tcp", victim: 0 };

const LINES: readonly {
  readonly name: string;
  readonly write: () => string;
  /** The ranks that train, those that go on, and those that bring it to its end. */
  readonly groups: readonly [training: Group, simulation: Group, end: Group];
  readonly env?: Readonly<Record<string, string>>;
  readonly rest?: boolean;
}[] = [
  { name: "system 175", write: () => system(175), groups: [TWO, ALONE, ALONE] },
  {
    name: "system 358",
    write: () => system(358),
    groups: [ALONE, FIRST_OF_TWO, THREE],
    rest: true,
  },
  {
    name: "system 488, by HiGHS alone as larger ones are",
    write: () => system(488),
    groups: [FIRST_OF_TWO, THREE, ALONE],
    env: { COBRE_SIMPLEX: "solver" },
    rest: true,
  },
  {
    name: "a Markov chain",
    write: () => graph("markov", CLIMATE),
    groups: [THREE, FIRST_OF_TWO, ALONE],
    rest: true,
  },
  {
    name: "every path of a tree",
    write: () => graph("tree", TREE, EVERY_PATH),
    groups: [FIRST_OF_TWO, ALONE, THREE],
    rest: true,
  },
  {
    name: "a cyclic horizon",
    write: () => graph("cyclic", CYCLIC),
    groups: [ALONE, THREE, FIRST_OF_TWO],
    rest: true,
  },
];

async function runToEnd(
  source: string,
  output: string,
  { ranks, backend }: Group,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const args = ["run", source, "-o", output, "-n", String(ranks), "-b", backend];
  if (existsSync(output)) args.push("--resume");
  const { code, stderr } = await CobreProcess.start(args, { env }).finished;
  assert.equal(code, 0, stderr);
}

/** Starts or resumes the run; one of its ranks kills itself. */
async function runUntilKilled(
  source: string,
  output: string,
  { ranks, backend, victim = 0 }: Group,
  at: "training" | "simulation",
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const args = ["run", source, "-o", output, "-n", String(ranks), "-b", backend];
  if (existsSync(output)) args.push("--resume");
  const run = CobreProcess.start(args, {
    env: {
      ...env,
      NODE_OPTIONS: `--import ${PRELOAD}`,
      COBRE_TEST_KILL_AT: at,
      COBRE_TEST_KILL_RANK: String(victim),
    },
  });
  const { code, signal, stdout } = await run.finished;
  assert.ok(code !== 0, `ended with ${code}, ${signal}: nobody was killed\n${stdout}`);
  await eventually("the end of all ranks", () => run.marked().length === 0);
  // A checkpoint of an earlier iteration, or the whole policy; and no result that is not finished.
  assert.ok(existsSync(join(output, "policy/policy.bin")), "no checkpoint");
  assert.equal(existsSync(join(output, "training/_SUCCESS")), at === "simulation");
  assert.ok(!existsSync(join(output, "simulation/_SUCCESS")));
}

describe("a run that is killed in training and in the simulation", { timeout: 600_000 }, () => {
  for (const { name, write, groups, env = {} } of linesInScope(LINES)) {
    it(`is resumed each time, and ends in the same bits: ${name}`, async () => {
      const source = write();
      const [undisturbed, output] = [`${source}-whole`, `${source}-killed`];
      const [training, simulation, end] = groups;
      const whole = runToEnd(source, undisturbed, ALONE, env);
      await runUntilKilled(source, output, training, "training", env);
      await runUntilKilled(source, output, simulation, "simulation", env);
      await runToEnd(source, output, end, env);
      await whole;
      const { difference } = await compareRuns(undisturbed, output);
      assert.equal(difference, null);
    });
  }
});
