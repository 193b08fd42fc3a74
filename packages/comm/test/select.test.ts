/** Which backend runs: what the build has, what the environment shows, what the program says. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type Backend, BackendError, communicatorFactory, createCommunicator } from "@cobre/comm";
import { local } from "@cobre/comm/local";
import { shm } from "@cobre/comm/shm";
import {
  ALL_BACKENDS,
  chooseAutomatically,
  chooseByEnvironment,
  MPI_LAUNCH_VARIABLES,
} from "#internal";

/** The order of the chain needs no connections: descriptors of the given names are enough. */
function build(...names: Backend["name"][]): Backend[] {
  return names.map((name) => ({ ...(local as Backend), name }));
}

const EVERYTHING = build("mpi", "tcp", "shm", "local");

const MPI = { OMPI_COMM_WORLD_RANK: "0", OMPI_COMM_WORLD_SIZE: "2" };
const TCP = { COBRE_TCP_COORDINATOR: "host:29500" };
const SHM = { COBRE_SHM_NAME: "/job" };
/** What Slurm 22.05 sets for the script of sbatch, and srun does not take away. */
const SLURM_JOB = { SLURM_JOB_ID: "19", SLURM_NTASKS: "2" };

describe("auto", () => {
  for (const [story, env, expected] of [
    ["nothing in the environment", {}, "local"],
    ["COBRE_COMM_BACKEND=auto", { COBRE_COMM_BACKEND: "auto" }, "local"],
    ["shm", SHM, "shm"],
    ["tcp before shm", { ...TCP, ...SHM }, "tcp"],
    ["mpi before all", { ...MPI, ...TCP, ...SHM }, "mpi"],
    ["the coordinator of tcp", { COBRE_TCP_RANK: "0" }, "tcp"],
    ["a tcp rank without a coordinator", { COBRE_TCP_RANK: "1" }, "local"],
    ["an explicit choice", { ...MPI, ...SHM, COBRE_COMM_BACKEND: "shm" }, "shm"],
    ["a Slurm batch script", { SLURM_PROCID: "0", SLURM_NTASKS: "1" }, "local"],
    ["the script of a Slurm job of two tasks", { ...SLURM_JOB, SLURM_PROCID: "0" }, "local"],
    ["a step of this job", { ...SLURM_JOB, SLURM_PROCID: "1", SLURM_STEP_ID: "0" }, "mpi"],
    ["Slurm without a number of tasks", { SLURM_PROCID: "0" }, "local"],
    ["a Slurm step of two tasks", { SLURM_PROCID: "0", SLURM_NTASKS: "2" }, "mpi"],
    ["a Slurm step with PMIx", { SLURM_PROCID: "0", PMIX_RANK: "0" }, "mpi"],
    ["a Slurm step with PMI-2", { SLURM_PROCID: "0", PMI_FD: "5" }, "mpi"],
  ] as const) {
    it(`${story}: ${expected}`, () => {
      assert.equal(chooseByEnvironment(EVERYTHING, env).backend.name, expected);
    });
  }

  for (const variable of MPI_LAUNCH_VARIABLES) {
    it(`${variable} is an MPI launch`, () => {
      const env = { [variable]: "1", SLURM_NTASKS: "4" };
      assert.equal(chooseByEnvironment(EVERYTHING, env).backend.name, "mpi");
    });
  }

  it("a build without the backend that the environment shows takes the next that it has", () => {
    const { backend } = chooseAutomatically(build("shm", "local"), { ...TCP, ...SHM });
    assert.equal(backend.name, "shm");
  });

  it("a build that has none of them refuses to run alone", () => {
    assert.throws(() => chooseAutomatically(build("local"), SHM), {
      kind: "BackendNotAvailable",
      requested: "shm",
      available: ["local"],
    });
    assert.throws(() => chooseAutomatically(build("local"), MPI), {
      kind: "BackendNotAvailable",
      requested: "mpi",
    });
  });

  it("a group of one may run alone", () => {
    const env = { PMI_RANK: "0", PMI_SIZE: "1" };
    assert.equal(chooseAutomatically(build("local"), env).backend.name, "local");
  });

  for (const variable of ["COBRE_LAUNCH_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"]) {
    it(`local refuses to be one of three (${variable}), also when asked for by name`, () => {
      for (const extra of [{}, { COBRE_COMM_BACKEND: "local" }]) {
        const env = { [variable]: "3", ...extra };
        assert.throws(() => chooseByEnvironment(build("local"), env), BackendError);
      }
    });
  }
});

describe("COBRE_COMM_BACKEND", () => {
  for (const name of ["", "MPI", " shm", "gloo", "toString"]) {
    it(`"${name}" names nothing`, () => {
      assert.throws(() => chooseByEnvironment(ALL_BACKENDS, { COBRE_COMM_BACKEND: name }), {
        name: "BackendError",
        kind: "InvalidBackend",
        requested: name,
        available: ["mpi", "tcp", "shm", "local"],
      });
    });
  }

  it("names a backend that this build does not have", () => {
    assert.throws(() => chooseByEnvironment(build("shm", "local"), { COBRE_COMM_BACKEND: "mpi" }), {
      kind: "BackendNotAvailable",
      requested: "mpi",
      available: ["shm", "local"],
    });
  });
});

describe("createCommunicator", () => {
  it("by kind ignores COBRE_COMM_BACKEND", async () => {
    const before = process.env.COBRE_COMM_BACKEND;
    process.env.COBRE_COMM_BACKEND = "nonsense";
    try {
      using comm = await createCommunicator({ kind: "local" });
      assert.equal(comm.backend, "local");
      using automatic = await createCommunicator({ kind: "auto" });
      assert.equal(automatic.backend, "local");
      await assert.rejects(createCommunicator(), { kind: "InvalidBackend" });
    } finally {
      if (before === undefined) delete process.env.COBRE_COMM_BACKEND;
      else process.env.COBRE_COMM_BACKEND = before;
    }
  });

  it("refuses a kind that is none, or not in the build", async () => {
    const create = communicatorFactory([]) as (kind?: unknown) => Promise<unknown>;
    await assert.rejects(create({ kind: "gloo" }), { kind: "InvalidBackend" });
    await assert.rejects(create({ kind: "shm" }), { kind: "BackendNotAvailable" });
    for (const nothing of [null, "shm", 7, {}, { kind: 3 }]) {
      await assert.rejects(create(nothing), { kind: "InvalidBackend" });
    }
  });

  it("a group of one on shm", async () => {
    const createShm = communicatorFactory([shm]);
    const config = { name: `/cobre-select-${process.pid}`, rank: 0, size: 1 };
    using comm = await createShm({ kind: "shm", config });
    assert.deepEqual([comm.backend, comm.rank, comm.size], ["shm", 0, 1]);
  });

  it("loads no backend before it is chosen", () => {
    const program = fileURLToPath(new URL("./loads-nothing.js", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
  });
});
