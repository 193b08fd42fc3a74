/**
 * The one suite that every backend must pass. Each group of ranks is started once, as processes,
 * and goes through the whole table; every line of the table is then a test of its own here.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { BackendName } from "@cobre/comm";
import { type LaunchResult, launch } from "@cobre/comm/launch";
import { inScope, type Split } from "@cobre/testing/scope";
import { isMpiInstalled, MPIS, type MpiName, mpiVariables } from "../mpi-installed.js";
import { casesFor } from "./case.js";
import { referenceRandomMix } from "./random-mix.js";
import { MIX_COUNT, MIX_SEED, type Report } from "./report.js";
import { LAST, TABLE } from "./table.js";

interface Contestant {
  readonly backend: BackendName;
  readonly ranks: Split<readonly number[]>;
  /** What is special, and the variables that make it so. */
  readonly special?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Which way a group must have agreed on: a setting that changes nothing would test nothing. */
  readonly paths?: (ranks: number) => Readonly<Record<string, RegExp>>;
  /** The MPI that has to be installed for it. */
  readonly needs?: MpiName;
}

const MPI_RANKS = {
  openmpi: { quick: [3], rest: [1, 2, 4] },
  mpich: { quick: [], rest: [1, 2, 3, 4] },
} as const;

const UNCHECKED_RANKS = {
  openmpi: { quick: [], rest: [2] },
  mpich: { quick: [2], rest: [] },
} as const;

/** Where MPICH has functions for long messages it waits in them by spinning: there, only with a core for every rank. */
const LONG_WAYS_RANKS = {
  openmpi: { quick: [], rest: [3] },
  mpich: { quick: [], rest: [2] },
} as const;

/** Whether the kernel lets processes of one user read each other's memory. */
const mayReadOthers = process.getuid?.() === 0 || traceScope() === "0";

function traceScope(): string {
  const file = "/proc/sys/kernel/yama/ptrace_scope";
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "0";
}

/** The mpi backend over one of the MPIs. Calls are compared in all but one of these groups. */
function overMpi(needs: MpiName): Contestant[] {
  const mpi = (ranks: Split<readonly number[]>, what: string, env: Record<string, string>) => ({
    backend: "mpi" as const,
    ranks,
    special: what === "" ? needs : `${needs}, ${what}`,
    env: { ...mpiVariables(needs), COBRE_COMM_CHECK: "1", ...env },
    needs,
    paths: (ranks: number) => {
      // Open MPI's ranks yield by themselves where their mpirun has found too few cores.
      const isCrowded = needs === "mpich" && ranks > availableParallelism();
      return {
        library: needs === "openmpi" ? /\(openmpi\)$/ : /\(mpich\)$/,
        calls: isCrowded ? /^polled$/ : /^blocking$/,
        "calls compared": env.COBRE_COMM_CHECK === "0" ? /^no$/ : /^yes$/,
        "long messages": new RegExp(`from ${Number(env.COBRE_MPI_MAX_COUNT ?? 2 ** 31 - 1) + 1} `),
      };
    },
  });
  return [
    mpi(MPI_RANKS[needs], "", {}),
    mpi(UNCHECKED_RANKS[needs], "calls not compared", { COBRE_COMM_CHECK: "0" }),
    mpi(LONG_WAYS_RANKS[needs], "long messages by other ways", { COBRE_MPI_MAX_COUNT: "50" }),
  ];
}

/** Which backends are held to the contract, with how many ranks. A new backend is one line. */
const MATRIX: readonly Contestant[] = [
  { backend: "local", ranks: { quick: [1], rest: [] } },
  {
    backend: "shm",
    ranks: { quick: [1, 3], rest: [2, 4, 7] },
    paths: () => ({
      memory: /\/dev\/shm$/,
      "long messages": mayReadOthers ? /^read from each other's memory/ : /^/,
    }),
  },
  {
    backend: "tcp",
    ranks: { quick: [3], rest: [1, 2, 4, 7] },
    paths: (ranks) =>
      ranks === 1
        ? { "data travels by": /^nothing$/ }
        : { connections: /^between all ranks$/, "data travels by": /^Unix sockets$/ },
  },
  {
    backend: "tcp",
    ranks: { quick: [], rest: [4] },
    special: "no links between workers",
    env: { COBRE_TCP_LINKS: "0" },
    paths: () => ({ connections: /^to rank 0 only$/, "data travels by": /^TCP$/ }),
  },
  {
    backend: "tcp",
    ranks: { quick: [3], rest: [] },
    special: "links through the network",
    env: { COBRE_TCP_LINKS: "network" },
    paths: () => ({ connections: /^between all ranks$/, "data travels by": /TCP/ }),
  },
  {
    backend: "shm",
    ranks: { quick: [3], rest: [] },
    special: "steps that wrap, no reading of each other's memory",
    env: { COBRE_SHM_FIRST_STEP: String(2 ** 31 - 5_000), COBRE_SHM_DIRECT: "0" },
    paths: () => ({ "long messages": /^through shared memory$/ }),
  },
  {
    backend: "shm",
    ranks: { quick: [2], rest: [4] },
    special: "without what only Linux has",
    env: { COBRE_SHM_SYSTEM: "portable" },
    paths: () => ({
      memory: /^mapped files in /,
      "long messages": /^through shared memory$/,
      announcements: /^fenced$/,
    }),
  },
  ...MPIS.flatMap(overMpi),
];

const RANK_PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));

/** A group must be done by then; what hangs is ended and reported. */
const LIMIT_SECS = 300;

for (const { backend, ranks: rankCounts, special, env, needs, paths } of MATRIX) {
  for (const ranks of inScope(rankCounts)) {
    const group = `${backend} with ${ranks} rank${ranks === 1 ? "" : "s"}`;
    const title = `conformance: ${special === undefined ? group : `${group}, ${special}`}`;
    if (needs !== undefined && !isThere(needs)) {
      it(title, (t) => void isMpiInstalled(t, needs));
      continue;
    }
    describe(title, () => {
      const directory = mkdtempSync(join(tmpdir(), "cobre-conformance-"));
      let result: LaunchResult;
      let reports: Report[][];

      before(async () => {
        const job = await launch({
          ranks,
          backend,
          env,
          command: [process.execPath, RANK_PROGRAM, directory],
          timeoutSecs: LIMIT_SECS,
          output: "capture",
        });
        result = await job.done;
        reports = result.ranks.map((exit) => parseReports(exit.stdout));
      });

      after(() => rmSync(directory, { recursive: true }));

      it("every rank joins, under its own number", () => {
        const joined = reports.map((lines) => lines.find((line) => "joined" in line)?.joined);
        const expected = reports.map((_, rank) => ({ rank, size: ranks, backend }));
        assert.deepEqual(joined, expected, everythingSaid(result));
      });

      it("every rank goes the way that is to be tested", () => {
        reports.forEach((lines, rank) => {
          const line = lines.find((candidate) => "description" in candidate);
          assert.ok(line !== undefined, everythingSaid(result));
          assert.equal(line.description.machines.flat().length, ranks);
          for (const [name, path] of Object.entries(paths?.(ranks) ?? {})) {
            assert.match(line.description.paths[name] ?? "", path, `rank ${rank}: ${name}`);
          }
        });
      });

      for (const { name } of casesFor(ranks, [...TABLE, ...LAST])) {
        it(name, () => {
          reports.forEach((lines, rank) => {
            const line = lines.find((candidate) => "case" in candidate && candidate.case === name);
            assert.ok(line, `rank ${rank} did not get there\n${everythingSaid(result)}`);
            const error = "error" in line ? line.error : undefined;
            assert.equal(error, undefined, `rank ${rank}: ${error}`);
          });
        });
      }

      it("the random mix gives the reference's hash on every rank", (t) => {
        const hashes = reports.map((lines) => lines.find((line) => "hash" in line)?.hash);
        const expected = referenceRandomMix(ranks, MIX_SEED, MIX_COUNT);
        t.diagnostic(`random mix, ${ranks} ranks: ${expected}`);
        assert.deepEqual(hashes, new Array(ranks).fill(expected));
      });

      it("ends well", () => {
        assert.equal(result.code, 0, everythingSaid(result));
      });
    });
  }
}

function isThere(name: MpiName): boolean {
  return !mpiVariables(name).COBRE_MPI_LIBRARY.startsWith("no ");
}

function parseReports(stdout: string): Report[] {
  return stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Report);
}

function everythingSaid(result: LaunchResult): string {
  return result.ranks
    .map((exit) => `rank ${exit.rank}: exit ${exit.code ?? exit.signal}\n${exit.stderr}`)
    .join("\n");
}
