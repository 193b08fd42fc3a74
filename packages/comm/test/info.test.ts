import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { collectInfo, type Info, type MpiLibraryInfo } from "@cobre/comm/info";
import { bothMpisInstalled } from "./mpi-installed.js";

const directory = mkdtempSync(join(tmpdir(), "cobre-info-"));
after(() => rmSync(directory, { recursive: true }));

/** A directory with the given files, none of which is a library. */
function installation(name: string, ...files: string[]): string {
  const root = join(directory, name);
  for (const file of files) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), "this is no library", { mode: 0o755 });
  }
  return root;
}

/** The environment of this process without what a launcher may have put there. */
function environment(extra: Record<string, string>): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(COBRE|PMIX?|OMPI)_/.test(name));
  return { ...Object.fromEntries(own), ...extra };
}

function libraryOf(info: Info, origin: string): MpiLibraryInfo {
  const library = info.mpi.libraries.find((candidate) => candidate.origin === origin);
  assert.ok(library, `nothing from ${origin} in ${JSON.stringify(info.mpi.libraries)}`);
  return library;
}

/** Node.js options that run `code` at the start of a process. */
function runFirst(code: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

describe("collectInfo", () => {
  it("describes the machine and survives JSON", async () => {
    const info = await collectInfo();
    assert.match(info.version, /^\d+\.\d+\.\d+/);
    assert.equal(info.machine.node, process.version);
    assert.ok(info.machine.cores.available >= 1);
    assert.ok(info.machine.cores.total >= info.machine.cores.available);
    assert.ok(info.machine.memory.freeBytes <= info.machine.memory.totalBytes);
    if (process.platform === "linux") {
      assert.ok(info.machine.libc);
      assert.ok(info.machine.processors && info.machine.processors.nodes >= 1);
      assert.ok(info.sharedMemory.sizeBytes && info.sharedMemory.freeBytes !== null);
    }
    assert.deepEqual(JSON.parse(JSON.stringify(info)), info);
  });

  it("says how the launcher would bind ranks", async () => {
    const { processors } = (await collectInfo({ env: { COBRE_LAUNCH_BIND: "none" } })).machine;
    if (processors !== null) {
      assert.deepEqual([processors.bind, processors.ofTwoRanks], ["none", null]);
    }
  });

  it("lists all four backends, and local as usable", async () => {
    const { backends } = await collectInfo();
    assert.deepEqual(
      backends.map(({ name }) => name),
      ["mpi", "tcp", "shm", "local"],
    );
    for (const backend of backends) assert.notEqual(backend.details, "");
    const local = backends.find(({ name }) => name === "local");
    assert.deepEqual([local?.inBuild, local?.usable], [true, true]);
  });

  it("says what would be chosen, and why nothing could be", async () => {
    const alone = await collectInfo({ env: environment({}) });
    assert.equal(alone.selection.backend, "local");
    const misspelt = await collectInfo({ env: environment({ COBRE_COMM_BACKEND: "smh" }) });
    assert.equal(misspelt.selection.backend, null);
    assert.match(misspelt.selection.reason, /smh/);
  });

  it("shows launch variables by name, and no secret", async () => {
    const env = environment({
      SLURM_NTASKS: "1",
      PMIX_RANK: "0",
      COBRE_TCP_TOKEN: "open sesame",
      COBRE_TCP_PORT: "",
      UNRELATED: "x",
    });
    const info = await collectInfo({ env });
    assert.deepEqual(info.variables, [
      { name: "COBRE_TCP_PORT", value: "" },
      { name: "COBRE_TCP_TOKEN", value: "(set, not shown)" },
      { name: "PMIX_RANK", value: "0" },
      { name: "SLURM_NTASKS", value: "1" },
    ]);
    assert.doesNotMatch(JSON.stringify(info), /sesame/);
  });

  it("finds launchers in the order of PATH", async () => {
    const first = installation("first", "bin/mpirun");
    const second = installation("second", "bin/mpirun", "bin/orterun");
    symlinkSync("orterun", join(second, "bin/mpiexec"));
    const { mpi } = await collectInfo({
      env: environment({ PATH: `${first}/bin:${second}/bin` }),
    });
    assert.deepEqual(
      mpi.launchers.map(({ name, path }) => [name, path]),
      [
        ["mpirun", join(first, "bin/mpirun")],
        ["mpiexec", join(second, "bin/mpiexec")],
      ],
    );
    assert.match(mpi.launchers[1]?.target ?? "", /\/orterun$/);
  });
});

describe("the search for MPI libraries", {
  skip: process.platform !== "linux" && "needs Linux",
}, () => {
  it("recognises Open MPI and MPICH", async (t) => {
    if (!bothMpisInstalled(t)) return;
    const { mpi } = await collectInfo({ env: environment({}) });
    const byAbi = (abi: string) => mpi.libraries.find((library) => library.abi === abi);
    const [openmpi, mpich] = [byAbi("openmpi"), byAbi("mpich")];
    assert.match(openmpi?.version ?? "", /^Open MPI v\d+\.\d+/);
    assert.match(openmpi?.file ?? "", /^\/.*libmpi\.so\.40/);
    assert.match(mpich?.version ?? "", /^MPICH Version: \d+\.\d+/);
    assert.match(mpich?.file ?? "", /^\/.*libmpi(ch)?\.so\.12/);
  });

  it("puts the family of the launcher first and lists a file once", async (t) => {
    if (!bothMpisInstalled(t)) return;
    const under = async (variable: string) => {
      const { mpi } = await collectInfo({ env: environment({ [variable]: "0" }) });
      return mpi.libraries.map(({ abi }) => abi);
    };
    assert.deepEqual(await under("OMPI_COMM_WORLD_RANK"), ["openmpi", "mpich"]);
    assert.deepEqual(await under("PMI_RANK"), ["mpich", "openmpi"]);
  });

  it("looks where the launcher, conda and Intel MPI keep theirs", async () => {
    const launcher = installation("opt", "bin/mpiexec", "lib/libmpi.so.12");
    const conda = installation("conda", "lib/libmpi.so.40");
    const intel = installation("intel", "lib/release/libmpi.so.12");
    const env = { PATH: `${launcher}/bin`, CONDA_PREFIX: conda, I_MPI_ROOT: intel };
    const info = await collectInfo({ env });
    for (const [origin, file] of [
      ["PATH", `${launcher}/lib/libmpi.so.12`],
      ["CONDA_PREFIX", `${conda}/lib/libmpi.so.40`],
      ["I_MPI_ROOT", `${intel}/lib/release/libmpi.so.12`],
    ] as const) {
      const library = libraryOf(info, origin);
      assert.equal(library.file, file);
      assert.match(library.reason ?? "", /dynamic loader says: \S/);
    }
  });

  const refused = [
    { title: "a library that is not MPI", file: "libm.so.6", reason: /is not an MPI-3 library/ },
    { title: "a file that is no library", file: "no-library.so", reason: /dynamic loader says: / },
    { title: "a file that does not exist", file: "/does/not/exist.so", reason: /No such file/ },
    { title: "a directory", file: directory, reason: /dynamic loader says: / },
  ];
  for (const { title, file, reason } of refused) {
    it(`says why COBRE_MPI_LIBRARY cannot be ${title}`, async () => {
      const path = file === "no-library.so" ? join(installation("named", file), file) : file;
      const info = await collectInfo({ env: environment({ COBRE_MPI_LIBRARY: path }) });
      const library = libraryOf(info, "COBRE_MPI_LIBRARY");
      assert.equal(library.file, path);
      assert.deepEqual([library.abi, library.version], [null, null]);
      assert.match(library.reason ?? "", reason);
    });
  }

  it("reports a library that crashes the process that loads it", async () => {
    const NODE_OPTIONS = runFirst("process.kill(process.pid, 'SIGSEGV'); while (true);");
    const env = environment({ COBRE_MPI_LIBRARY: "libm.so.6", NODE_OPTIONS });
    const library = libraryOf(await collectInfo({ env }), "COBRE_MPI_LIBRARY");
    assert.match(library.reason ?? "", /the process that loaded it ended with SIGSEGV/);
  });

  it("gives up on a library that takes too long", async () => {
    const NODE_OPTIONS = runFirst("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)");
    const env = environment({ COBRE_MPI_LIBRARY: "libm.so.6", NODE_OPTIONS });
    const info = await collectInfo({ env, mpiTimeoutMs: 300 });
    assert.match(libraryOf(info, "COBRE_MPI_LIBRARY").reason ?? "", /longer than 300 ms/);
  });
});
