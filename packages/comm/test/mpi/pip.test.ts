/** MPIs that pip installs without root: each is found by itself and gives the bytes of every other backend. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import { inScope } from "@cobre/testing/scope";
import { casesFor } from "../conformance/case.js";
import { referenceRandomMix } from "../conformance/random-mix.js";
import { MIX_COUNT, MIX_SEED, type Report } from "../conformance/report.js";
import { LAST, SHORT_TABLE } from "../conformance/table.js";
import { isPipMpiInstalled, PIP_VERSIONS, type PipMpi, pipRoot, pipVariables } from "./pip-mpi.js";

const RANK_PROGRAM = fileURLToPath(new URL("../conformance/rank.js", import.meta.url));
const RANKS = 3;
const LIMIT_SECS = 300;

interface Line {
  readonly mpi: PipMpi;
  readonly abi: "openmpi" | "mpich" | "mpi-5";
  /** The library, where it is not the one that is found first. */
  readonly library?: string;
}

const LINES: readonly Line[] = [
  { mpi: "openmpi", abi: "openmpi" },
  { mpi: "mpich", abi: "mpich" },
  { mpi: "mpich", abi: "mpi-5", library: "libmpi_abi.so.1" },
  { mpi: "impi-rt", abi: "mpich" },
  { mpi: "impi-rt", abi: "mpi-5", library: "libmpi_abi.so.1" },
];

for (const { mpi, abi, library } of inScope({ quick: [], rest: LINES })) {
  const title = `${mpi} ${PIP_VERSIONS[mpi]} of pip, ${abi} interface: the bytes of every backend with ${RANKS} ranks`;
  it(title, { timeout: 900_000 }, async (t) => {
    if (!isPipMpiInstalled(t, mpi)) return;
    const lib = join(pipRoot(mpi), "lib");
    const named = library === undefined ? {} : { COBRE_MPI_LIBRARY: join(lib, library) };
    const directory = mkdtempSync(join(tmpdir(), "cobre-pip-mpi-"));
    try {
      const job = await launch({
        ranks: RANKS,
        backend: "mpi",
        command: [process.execPath, RANK_PROGRAM, directory, "short"],
        env: { ...pipVariables(mpi), COBRE_COMM_CHECK: "1", ...named },
        timeoutSecs: LIMIT_SECS,
        output: "capture",
      });
      const { code, ranks } = await job.done;
      const story = ranks.map(({ rank, stderr }) => `rank ${rank}: ${stderr}`).join("\n");
      assert.equal(code, 0, story);
      const hash = referenceRandomMix(RANKS, MIX_SEED, MIX_COUNT);
      const cases = casesFor(RANKS, [...SHORT_TABLE, ...LAST]).map(({ name }) => name);
      for (const { stdout } of ranks) {
        const reports = stdout
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .map((line) => JSON.parse(line) as Report);
        const description = reports.find((line) => "description" in line)?.description;
        assert.equal(description?.paths.library?.startsWith(`${lib}/`), true);
        assert.match(description?.paths.library ?? "", new RegExp(`\\(${abi}\\)$`));
        assert.deepEqual(
          reports.flatMap((line) => ("case" in line ? [line.case] : [])),
          cases,
        );
        assert.equal(reports.find((line) => "hash" in line)?.hash, hash);
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
}
