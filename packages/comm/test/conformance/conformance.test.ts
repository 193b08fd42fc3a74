/**
 * The one suite that every backend must pass. Each group of ranks is started once, as processes,
 * and goes through the whole table; every line of the table is then a test of its own here.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { BackendName } from "@cobre/comm";
import { type LaunchResult, launch } from "@cobre/comm/launch";
import { isMpiInstalled, MPIS, type MpiName, mpiVariables } from "../mpi-installed.js";
import { referenceRandomMix } from "./random-mix.js";
import { MIX_COUNT, MIX_SEED, type Report } from "./report.js";
import { LAST, TABLE } from "./table.js";

interface Contestant {
  readonly backend: BackendName;
  readonly ranks: readonly number[];
  /** What is special, and the variables that make it so. */
  readonly special?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The MPI that has to be installed for it. */
  readonly needs?: MpiName;
}

/** Where MPICH has functions for long messages it waits in them by spinning: there, only with a core for every rank. */
const LONG_WAYS = { openmpi: [3], mpich: [2] } as const;

/** The mpi backend over one of the MPIs. Calls are compared in all but one of these groups. */
function overMpi(needs: MpiName): Contestant[] {
  const mpi = (ranks: readonly number[], what: string, env: Record<string, string>) => ({
    backend: "mpi" as const,
    ranks,
    special: what === "" ? needs : `${needs}, ${what}`,
    env: { ...mpiVariables(needs), COBRE_COMM_CHECK: "1", ...env },
    needs,
  });
  return [
    mpi([1, 2, 3, 4], "", {}),
    mpi([2], "calls not compared", { COBRE_COMM_CHECK: "0" }),
    mpi(LONG_WAYS[needs], "long messages by other ways", { COBRE_MPI_MAX_COUNT: "50" }),
  ];
}

/** Which backends are held to the contract, with how many ranks. A new backend is one line. */
const MATRIX: readonly Contestant[] = [
  { backend: "local", ranks: [1] },
  { backend: "shm", ranks: [1, 2, 3, 4, 7] },
  { backend: "tcp", ranks: [1, 2, 3, 4, 7] },
  {
    backend: "tcp",
    ranks: [4],
    special: "no links between workers",
    env: { COBRE_TCP_LINKS: "0" },
  },
  {
    backend: "tcp",
    ranks: [3],
    special: "memory cannot be lent",
    env: { NODE_OPTIONS: `--import=${new URL("../forbid-splice.js", import.meta.url)}` },
  },
  {
    backend: "tcp",
    ranks: [3],
    special: "links through the network",
    env: { COBRE_TCP_LINKS: "network" },
  },
  {
    backend: "shm",
    ranks: [3],
    special: "steps that wrap, no reading of each other's memory",
    env: { COBRE_SHM_FIRST_STEP: String(2 ** 31 - 5_000), COBRE_SHM_DIRECT: "0" },
  },
  {
    backend: "shm",
    ranks: [2, 4],
    special: "without what only Linux has",
    env: { COBRE_SHM_SYSTEM: "portable" },
  },
  ...MPIS.flatMap(overMpi),
];

const RANK_PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));

/** A group must be done by then; what hangs is ended and reported. */
const LIMIT_SECS = 300;

for (const { backend, ranks: rankCounts, special, env, needs } of MATRIX) {
  for (const ranks of rankCounts) {
    if (needs !== undefined && !mpiIsThere(needs)) continue;
    const group = `${backend} with ${ranks} rank${ranks === 1 ? "" : "s"}`;
    describe(`conformance: ${special === undefined ? group : `${group}, ${special}`}`, () => {
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

      for (const { name } of [...TABLE, ...LAST]) {
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

/** Otherwise one test says that its groups were not run. */
function mpiIsThere(name: MpiName): boolean {
  const isThere = !mpiVariables(name).COBRE_MPI_LIBRARY.startsWith("no ");
  if (!isThere) it(`conformance: mpi, ${name}`, (t) => void isMpiInstalled(t, name));
  return isThere;
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
