/** The memory of a closed region goes back to the system, when no view of it is left and not before. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { BackendName } from "@cobre/comm";
import { launch } from "@cobre/comm/launch";
import { linesInScope } from "@cobre/testing/scope";
import { isMpiInstalled, mpiVariables } from "../mpi-installed.js";
import type { Returned } from "./returned-rank.js";

const PROGRAM = fileURLToPath(new URL("./returned-rank.js", import.meta.url));
const REGION_MIB = 128;
const SLACK_MIB = REGION_MIB / 4;

interface Line {
  readonly backend: BackendName;
  readonly special?: string;
  readonly rest?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  isThere?(t: TestContext): boolean;
}

const LINES: readonly Line[] = [
  { backend: "local" },
  { backend: "shm" },
  { backend: "shm", special: "without what only Linux has", env: { COBRE_SHM_SYSTEM: "portable" } },
  { backend: "tcp" },
  {
    backend: "mpi",
    rest: true,
    env: mpiVariables("openmpi"),
    isThere: (t) => isMpiInstalled(t, "openmpi"),
  },
];

describe("regions: memory goes back", () => {
  for (const { backend, special, env, isThere } of linesInScope(LINES)) {
    it(special === undefined ? backend : `${backend}, ${special}`, async (t) => {
      if (isThere?.(t) === false) return;
      const folder = mkdtempSync(join(tmpdir(), "cobre-returned-"));
      try {
        const job = await launch({
          ranks: backend === "local" ? 1 : 2,
          backend,
          command: [process.execPath, "--expose-gc", PROGRAM, String(REGION_MIB * 2 ** 20)],
          env: { TMPDIR: folder, ...env },
          output: "capture",
          timeoutSecs: 60,
        });
        const { code, ranks } = await job.done;
        const story = ranks.map(({ stdout, stderr }) => stdout + stderr).join("\n");
        assert.equal(code, 0, story);
        for (const { stdout } of ranks) {
          const line = stdout.split("\n").find((candidate) => candidate.startsWith("{"));
          const said = JSON.parse(line ?? "{}") as Returned;
          assert.ok(said.openMiB > REGION_MIB - SLACK_MIB, story);
          assert.ok(said.viewedMiB > REGION_MIB - SLACK_MIB, story);
          assert.ok(said.viewIsReadable, story);
          assert.ok(said.endMiB <= SLACK_MIB, story);
          // A file without a name and without a descriptor, which nobody has mapped, is gone.
          assert.equal(said.newDescriptors, 0, story);
          assert.deepEqual(said.files, []);
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
