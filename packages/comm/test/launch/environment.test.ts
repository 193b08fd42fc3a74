import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LaunchOptions, launch } from "@cobre/comm/launch";

const isTuned = process.platform === "linux" && process.arch === "x64";

const PRINT_ENVIRONMENT = [process.execPath, "-p", "JSON.stringify(process.env)"];

/** The environments of the ranks, if the launcher's own has `outer` on top. */
async function environments(
  options: Partial<LaunchOptions>,
  outer: Record<string, string> = {},
): Promise<Record<string, string>[]> {
  const before = { ...process.env };
  Object.assign(process.env, outer);
  try {
    const command = PRINT_ENVIRONMENT;
    const job = await launch({ ranks: 1, command, output: "capture", ...options });
    const { code, ranks } = await job.done;
    assert.equal(code, 0);
    return ranks.map((exit): Record<string, string> => JSON.parse(exit.stdout));
  } finally {
    for (const name of Object.keys(outer)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

describe("launch: the ranks' environment", { timeout: 300_000 }, () => {
  it("tells each rank its number and how many there are", async () => {
    const ranks = await environments({ ranks: 3 });
    assert.deepEqual(
      ranks.map((env) => [env.COBRE_LAUNCH_RANK, env.COBRE_LAUNCH_SIZE]),
      [0, 1, 2].map((rank) => [String(rank), "3"]),
    );
  });

  describe("the settings of its C library", () => {
    const arrays =
      "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=134217728";
    const copies = "glibc.cpu.x86_non_temporal_threshold=4194304";
    /** What is expected where there are such settings; elsewhere, what was there before. */
    const onX64 = (settings: string, before?: string) => (isTuned ? settings : before);
    const tunables = async (
      options: Partial<LaunchOptions>,
      outer: Record<string, string> = {},
    ) => {
      const [env] = await environments(options, outer);
      return env?.GLIBC_TUNABLES;
    };

    it("put arrays in huge pages on every backend", async () => {
      for (const backend of ["local", "tcp"] as const) {
        assert.equal(await tunables({ backend }), onX64(arrays), backend);
      }
    });

    it("have long copies on shm go around the caches", async () => {
      assert.equal(await tunables({ backend: "shm" }), onX64(`${arrays}:${copies}`));
    });

    it("leave arrays in ordinary pages if they are told to", async () => {
      assert.equal(await tunables({ backend: "tcp", hugePages: false }), undefined);
      assert.equal(await tunables({ backend: "shm", hugePages: false }), onX64(copies));
    });

    it("leave alone what somebody has decided about", async () => {
      const options = { backend: "shm" } as const;
      const arena = "glibc.malloc.arena_max=1";
      const withCopies = onX64(`${arena}:${copies}`, arena);
      assert.equal(await tunables(options, { GLIBC_TUNABLES: arena }), withCopies);
      const caches = "glibc.cpu.x86_non_temporal_threshold=99999999";
      const withArrays = onX64(`${caches}:${arrays}`, caches);
      assert.equal(await tunables(options, { GLIBC_TUNABLES: caches }), withArrays);
      const own = { ...options, env: { GLIBC_TUNABLES: arena } };
      assert.equal(await tunables(own, { GLIBC_TUNABLES: caches }), arena);
    });
  });

  it("has nothing of an outer launch", async () => {
    const outer = {
      PMI_RANK: "3",
      PMI_SIZE: "4",
      PMI_FD: "9",
      PMI2_X: "1",
      PMIX_RANK: "3",
      PMIX_SERVER_URI41: "x",
      OMPI_COMM_WORLD_RANK: "3",
      OMPI_COMM_WORLD_SIZE: "4",
      OMPI_MCA_orte_ess_num_procs: "4",
      PRTE_LAUNCHED: "1",
      MPI_LOCALRANKID: "3",
      MPI_LOCALNRANKS: "4",
      HYDI_CONTROL_FD: "8",
      I_MPI_HYDRA_X: "1",
      SLURM_PROCID: "3",
      SLURM_LOCALID: "3",
      SLURM_NTASKS: "4",
      SLURM_NPROCS: "4",
      SLURM_STEP_ID: "0",
      SLURM_STEPID: "0",
      SLURM_TASKS_PER_NODE: "4",
      COBRE_COMM_BACKEND: "tcp",
      COBRE_LAUNCH_RANK: "7",
      COBRE_LAUNCH_SIZE: "8",
      COBRE_SHM_NAME: "/outer",
      COBRE_SHM_RANK: "7",
      COBRE_SHM_SIZE: "8",
      COBRE_TCP_COORDINATOR: "outer:29500",
      COBRE_TCP_PORT: "1",
      COBRE_TCP_RANK: "7",
      COBRE_TCP_SIZE: "8",
      COBRE_TCP_TOKEN: "secret",
    };
    const [env = {}] = await environments({ ranks: 1, backend: "local" }, outer);
    const ours = { COBRE_COMM_BACKEND: "local", COBRE_LAUNCH_RANK: "0", COBRE_LAUNCH_SIZE: "1" };
    const left = Object.keys(outer).filter((name) => name in env);
    assert.deepEqual(Object.fromEntries(left.map((name) => [name, env[name]])), ours);
  });

  it("names a segment that all ranks of a job share, and no other job", async () => {
    const shmOf = (env: Record<string, string>) => [
      env.COBRE_COMM_BACKEND,
      env.COBRE_SHM_NAME,
      env.COBRE_SHM_RANK,
      env.COBRE_SHM_SIZE,
    ];
    const ranks = await environments({ ranks: 2, backend: "shm" });
    const name = ranks[0]?.COBRE_SHM_NAME;
    assert.match(name ?? "", /^\/cobre-\d+-[0-9a-f]{12}$/);
    assert.deepEqual(ranks.map(shmOf), [
      ["shm", name, "0", "2"],
      ["shm", name, "1", "2"],
    ]);
    const [other] = await environments({ ranks: 2, backend: "shm" });
    assert.notEqual(other?.COBRE_SHM_NAME, name);
  });

  it("keeps what is the user's", async () => {
    const outer = {
      COBRE_SHM_TIMEOUT_SECS: "11",
      COBRE_TCP_TIMEOUT_SECS: "12",
      COBRE_MPI_LIBRARY: "/opt/libmpi.so",
      I_MPI_ROOT: "/opt/intel",
      SLURM_JOB_ID: "42",
      SLURM_CPUS_ON_NODE: "8",
      MY_OWN: "üñí",
    };
    const [env = {}] = await environments({}, outer);
    const kept = Object.keys(outer).map((name) => [name, env[name]]);
    assert.deepEqual(Object.fromEntries(kept), outer);
  });

  it("has the time limit of collectives that was asked for", async () => {
    const [env] = await environments({ commTimeoutSecs: 2.5 }, { COBRE_SHM_TIMEOUT_SECS: "11" });
    assert.equal(env?.COBRE_SHM_TIMEOUT_SECS, "2.5");
    assert.equal(env?.COBRE_TCP_TIMEOUT_SECS, "2.5");
  });

  it("gives the caller the last word, rank by rank", async () => {
    const ranks = await environments(
      {
        ranks: 2,
        env: (rank) => ({ DELAY: String(10 * rank), COBRE_LAUNCH_SIZE: "9", GONE: undefined }),
      },
      { GONE: "1" },
    );
    assert.deepEqual(
      ranks.map((env) => [env.DELAY, env.COBRE_LAUNCH_SIZE, env.GONE]),
      [
        ["0", "9", undefined],
        ["10", "9", undefined],
      ],
    );
  });
});
