/** Which system shm runs on, and what it says where there is none for it. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { communicatorFactory } from "@cobre/comm";
import { mpi } from "@cobre/comm/mpi";
import { shm } from "@cobre/comm/shm";
import { until } from "../by-hand.js";
import { failureOf, startGroup } from "../faults/group.js";

const CONFIG = { name: "/cobre-never-made", rank: 0, size: 1 };

describe("shm: systems", () => {
  const { platform } = process;
  const { TMPDIR } = process.env;
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "cobre-system-"));
  });

  afterEach(() => {
    Object.defineProperty(process, "platform", { value: platform });
    delete process.env.COBRE_SHM_SYSTEM;
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(directory, { recursive: true });
  });

  it("on Windows it is not available, with the reason", async () => {
    Object.defineProperty(process, "platform", { value: "win32" });
    const { usable, details } = await shm.probe();
    assert.equal(usable, false);
    assert.match(details, /needs Linux or macOS.*win32/);
    await assert.rejects(communicatorFactory([mpi, shm])({ kind: "shm", config: CONFIG }), {
      kind: "BackendNotAvailable",
      message: /needs Linux or macOS.*win32/,
      // What the build has and the platform allows.
      available: ["mpi", "local"],
    });
  });

  it("the portable system is probed in TMPDIR, and leaves nothing there", async () => {
    process.env.COBRE_SHM_SYSTEM = "portable";
    process.env.TMPDIR = directory;
    const { usable, details } = await shm.probe();
    assert.equal(usable, true, details);
    assert.ok(details.includes(directory), details);
    assert.deepEqual(readdirSync(directory), []);
  });

  it("a leader killed while it makes a region: the others leave no file of it behind", async () => {
    const scenario = { kind: "loop", operation: "region", bytes: 200_000_000 } as const;
    const env = { COBRE_SHM_SYSTEM: "portable", TMPDIR: directory };
    await using group = await startGroup("shm", 3, scenario, 60, env);
    await until(() => readdirSync(directory).some((name) => name.startsWith("cobre-region-")));
    group.job.ranks[0]?.kill("SIGKILL");
    const [, ...survivors] = await group.outcomes();
    for (const outcome of survivors) assert.deepEqual(failureOf(outcome).error.missingRanks, [0]);
    assert.deepEqual(readdirSync(directory), []);
  });

  it("a system that does not exist is refused by name", async () => {
    process.env.COBRE_SHM_SYSTEM = "plan9";
    await assert.rejects(communicatorFactory([shm])({ kind: "shm", config: CONFIG }), {
      kind: "InvalidConfiguration",
      setting: "COBRE_SHM_SYSTEM",
      value: "plan9",
    });
  });
});
