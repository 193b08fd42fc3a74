/** How the mpi backend comes to its library and its group, and what it says if it does not. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { isBackendError } from "@cobre/comm";
import { launch } from "@cobre/comm/launch";
import { mpi as backend } from "@cobre/comm/mpi";
import { canMount } from "@cobre/testing/needs";
import { inScope, runsQuick } from "@cobre/testing/scope";
import { bothMpisInstalled, isMpiInstalled, mpiVariables } from "../mpi-installed.js";
import { play, SCENE } from "./run-scene.js";

/** Runs the scene without a launcher, or under the given one, and returns what was said. */
function run(env: Record<string, string>, launcher: readonly string[] = []) {
  const command = [...launcher, process.execPath, SCENE, "join"];
  const [file, ...args] = command as [string, ...string[]];
  const own = Object.entries(process.env).filter(([name]) => !/^(COBRE|PMIX?|OMPI)_/.test(name));
  const root = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
  return spawnSync(file, args, {
    encoding: "utf8",
    env: { ...Object.fromEntries(own), ...root, COBRE_COMM_BACKEND: "mpi", ...env },
    timeout: 120_000,
  });
}

describe("mpi: the library", { timeout: 300_000 }, () => {
  if (!runsQuick) return;

  for (const { what, library, reason } of [
    { what: "is not there", library: "/no/such/libmpi.so.40", reason: /No such file/ },
    { what: "is not MPI", library: "libm.so.6", reason: /is not an MPI-3 library/ },
    { what: "is no library", library: SCENE, reason: /dynamic loader says/ },
  ]) {
    it(`a library that ${what} is refused by name, with the reason`, () => {
      const { status, stderr } = run({ COBRE_MPI_LIBRARY: library });
      assert.equal(status, 1);
      assert.match(stderr, /InitializationFailed/);
      assert.ok(stderr.includes(library), stderr);
      assert.match(stderr, reason);
    });

    it(`the launcher refuses a library that ${what}, too`, async () => {
      const options = { ranks: 2, command: ["true"], env: { COBRE_MPI_LIBRARY: library } };
      await assert.rejects(launch({ ...options, backend: "mpi" }), (error) => {
        assert.ok(isBackendError(error) && error.kind === "InitializationFailed");
        assert.match(error.message, reason);
        return true;
      });
    });
  }

  it("no MPI at all: every name that was tried is listed with its reason, and the cure", (t) => {
    // Where a machine without MPI has nothing, this one has files that are no libraries.
    const script =
      'for f in /usr/lib/*/libmpi*.so.*; do mount --bind /dev/null "$f" || exit 9; done; exec "$@"';
    const unshare = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"];
    if (!canMount(t)) return;
    const { status, stderr } = run({}, unshare);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /no MPI library was found/);
    for (const name of ["libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1"]) {
      assert.match(stderr, new RegExp(`${name.replaceAll(".", "\\.")} \\(.*\\): .*dynamic loader`));
    }
    assert.match(stderr, /apt-get install openmpi-bin.*COBRE_MPI_LIBRARY/);
  });

  it("no mpirun for the library: the launcher says what it looked for", async (t) => {
    if (!isMpiInstalled(t, "mpich")) return;
    const env = { ...mpiVariables("mpich"), COBRE_MPI_MPIRUN: "mpirun.openmpi" };
    await assert.rejects(launch({ ranks: 2, command: ["true"], backend: "mpi", env }), (error) => {
      assert.ok(isBackendError(error) && error.kind === "InitializationFailed");
      assert.match(
        error.message,
        /no mpirun was found for MPICH[\s\S]*mpirun\.openmpi: (is of|cannot)/,
      );
      return true;
    });
  });

  it("settings that cannot be are refused", () => {
    for (const [variable, value] of [
      ["COBRE_MPI_REDUCTION", "fast"],
      ["COBRE_COMM_CHECK", "yes"],
      ["COBRE_MPI_MAX_COUNT", "0"],
      ["COBRE_MPI_LIBRARY", ""],
    ] as const) {
      assert.throws(() => backend.configure({ [variable]: value }), {
        kind: "InvalidConfiguration",
        setting: variable,
        value,
      });
    }
  });
});

describe("mpi: the group", { timeout: 300_000 }, () => {
  for (const mpi of inScope({ quick: ["openmpi"], rest: ["mpich"] } as const)) {
    it(`${mpi} without a launcher is a group of one`, (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { status, stdout, stderr } = run(mpiVariables(mpi));
      assert.equal(status, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), { backend: "mpi", rank: 0, size: 1 });
    });

    it(`${mpi} under an environment that claims two ranks refuses to be alone`, (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const claims = [
        { COBRE_LAUNCH_SIZE: "2" },
        { SLURM_PROCID: "0", SLURM_NTASKS: "2" },
        { COBRE_LAUNCH_SIZE: "1", OMPI_COMM_WORLD_SIZE: "2" }, // a launch of an mpirun
      ];
      for (const claim of claims) {
        const { status, stdout, stderr } = run({ ...mpiVariables(mpi), ...claim });
        assert.equal(status, 1, stdout);
        assert.match(stderr, /InitializationFailed.*=2 says that 2 ranks were started.*sees only/);
        assert.match(
          stderr,
          /cobre launch --backend mpi|srun --mpi=pmix|Give the path of Open MPI/,
        );
      }
    });

    it(`${mpi} in the script of a Slurm job of two tasks is a group of one`, (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const script = { SLURM_JOB_ID: "19", SLURM_PROCID: "0", SLURM_NTASKS: "2" };
      const { status, stdout, stderr } = run({ ...mpiVariables(mpi), ...script });
      assert.equal(status, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), { backend: "mpi", rank: 0, size: 1 });
    });

    it(`${mpi} in a Slurm step without a PMI for it says which --mpi to use`, (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const job = { SLURM_JOB_ID: "19", SLURM_JOBID: "19", SLURM_NODELIST: "node1" };
      const step = { SLURM_STEP_ID: "0", SLURM_STEPID: "0", SLURM_PROCID: "0", SLURM_NTASKS: "2" };
      const { status, stderr } = run({ ...mpiVariables(mpi), ...job, ...step });
      assert.equal(status, 1, stderr);
      assert.match(stderr, /use srun --mpi=pmix/i);
    });

    it(`${mpi}: two communicators of one process are two groups`, async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, result, story } = await play(mpi, "twice", 2);
      assert.equal(result.code, 0, story);
      for (const [line] of lines) assert.deepEqual(line, { sums: [2, 2] });
    });

    for (const [scene, code] of [
      ["mpi of the program", 0],
      ["mpi of the program, which fails", 3],
    ] as const) {
      it(`${mpi}: an MPI that the program starts and ends itself: ${scene}`, async (t) => {
        if (!isMpiInstalled(t, mpi)) return;
        const { lines, result, story } = await play(mpi, scene, 2);
        for (const [line] of lines) assert.deepEqual(line, { sum: 2 }, story);
        assert.equal(result.code, code, story);
        assert.doesNotMatch(story, /MPI_FINALIZE|abort/i);
      });
    }

    it(`${mpi}: ranks that ask for different reductions are all refused`, async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, story } = await play(mpi, "different reductions", 2);
      for (const [line] of lines) {
        const { error } = line as Record<string, Record<string, unknown>>;
        assert.equal(error?.kind, "InitializationFailed", story);
        assert.match(String(error?.message), /rank \d asks for .* reductions, but rank \d for/);
      }
    });

    it(`${mpi}: a region that ranks expect to be of different sizes is refused by all`, async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, story } = await play(mpi, "different regions", 2);
      for (const [line] of lines) {
        const { error } = line as Record<string, Record<string, unknown>>;
        assert.equal(error?.kind, "CollectiveFailed", story);
        assert.match(String(error?.message), /createSharedRegion/);
        assert.match(String(error?.message), /Every rank must make the same calls/);
      }
    });

    it(`${mpi}: a process that has one MPI is refused another`, async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, result, story } = await play(mpi, "another library", 2);
      for (const [line] of lines) {
        const { error } = line as Record<string, Record<string, unknown>>;
        assert.equal(error?.kind, "InvalidConfiguration", story);
        assert.match(String(error?.message), /libelsewhere.*already uses .*libmpi/);
      }
      assert.equal(result.code, 0, story);
    });

    it(`${mpi}: two hundred communicators in turn have one scratch memory`, async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, story } = await play(mpi, "many joins", 2);
      for (const [line] of lines) assert.ok((line?.megabytes as number) < 100, story);
    });
  }

  if (!runsQuick) return;

  for (const [launcher, library] of [
    ["openmpi", "mpich"],
    ["mpich", "openmpi"],
  ] as const) {
    it(`the mpirun of ${launcher} with the library of ${library}: every rank refuses`, (t) => {
      if (!bothMpisInstalled(t)) return;
      const mpirun = launcher === "openmpi" ? "mpirun.openmpi" : "mpiexec.mpich";
      const oversubscribe = launcher === "openmpi" ? ["--oversubscribe"] : [];
      const { status, stdout, stderr } = run(mpiVariables(library), [
        mpirun,
        "-n",
        "2",
        ...oversubscribe,
      ]);
      assert.notEqual(status, 0);
      assert.doesNotMatch(stdout, /"backend"/, "nobody went on alone");
      assert.match(stderr, /(OMPI_COMM_WORLD|PMI)_SIZE=2 says that 2 ranks were started/);
      assert.match(stderr, /start with the mpirun of the library/);
    });
  }
});
