import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { isBackendError } from "@cobre/comm";
import { launch } from "@cobre/comm/launch";
import { referenceCases } from "./cases.js";

const RANK = fileURLToPath(new URL("rank.js", import.meta.url));

/** COBRE_TEST_LONG=1 runs the table with ten times the iterations, which takes many minutes. */
const isLong = process.env.COBRE_TEST_LONG === "1";

/** How many iterations each case has with 1, 5 and 7 forward passes. */
const CASES: Readonly<Record<string, readonly [number, number, number]>> = {
  "four-regions": [2, 1, 1],
  ...(referenceCases === undefined
    ? { "one-reservoir": [5, 4, 3] }
    : { "1dtoy": [12, 6, 5], "d16-par1-lag-shift": [6, 3, 3] }),
};

/** case:forward passes:iterations */
const RUNS = Object.entries(CASES).flatMap(([name, iterations]) =>
  [1, 5, 7].map((passes, i) => `${name}:${passes}:${(isLong ? 10 : 1) * iterations[i]}`),
);

/** The MPIs that `npm test` installs; COBRE_MPI_LIBRARY says which one a group uses. */
const MPI_LIBRARIES = { openmpi: "libmpi.so.40", mpich: "libmpich.so.12" } as const;

interface Group {
  readonly backend: "local" | "shm" | "tcp" | "mpi";
  readonly ranks: number;
  readonly mpi?: keyof typeof MPI_LIBRARIES;
}

const GROUPS: readonly Group[] = [1, 2, 3, 4].flatMap((ranks): Group[] => [
  { backend: "shm", ranks },
  { backend: "tcp", ranks },
  { backend: "mpi", ranks, mpi: "openmpi" },
  { backend: "mpi", ranks, mpi: "mpich" },
]);

async function hashesOf({ backend, ranks, mpi }: Group): Promise<string[]> {
  await using job = await launch({
    ranks,
    backend,
    env: mpi === undefined ? {} : { COBRE_MPI_LIBRARY: MPI_LIBRARIES[mpi] },
    command: [process.execPath, RANK, ...RUNS],
    output: "capture",
  });
  const { code, ranks: ended } = await job.done;
  assert.equal(code, 0, ended.map(({ stderr }) => stderr).join("\n"));
  return (ended[0]?.stdout ?? "").trim().split("\n");
}

describe("the same bits of convergence, cuts, policy and simulation", async () => {
  let alone: string[] = [];

  it("local gives a hash for every run, and no two are equal", async () => {
    alone = await hashesOf({ backend: "local", ranks: 1 });
    assert.equal(alone.length, RUNS.length);
    assert.equal(new Set(alone.map((line) => JSON.parse(line).hashes.cuts)).size, RUNS.length);
  });

  for (const group of GROUPS) {
    const { backend, ranks, mpi } = group;
    const name = mpi === undefined ? backend : `${backend} (${mpi})`;
    it(`${name} with ${ranks} ${ranks === 1 ? "rank" : "ranks"}`, async (t) => {
      const hashes = await hashesOf(group).catch((error) => {
        // A machine without that MPI runs the rest; `CI=true` wants all of it.
        if (mpi === undefined || !isBackendError(error) || process.env.CI === "true") throw error;
        t.diagnostic(`not run: ${error.message}`);
        return alone;
      });
      assert.deepEqual(hashes, alone);
    });
  }
});
