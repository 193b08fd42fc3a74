/** What the launcher finds out before it starts an mpirun. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import { CommandNotRunnable } from "@cobre/comm/launch";
import { type LaunchPlan, planLaunch } from "#internal";
import { isMpiInstalled, mpiVariables } from "../mpi-installed.js";

type Score = Parameters<NonNullable<LaunchPlan["conduct"]>>[0];

describe("launch: the plan of mpi", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "cobre-mpi-plan-"));
  after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string, mode: number): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  const plain = file("plain.txt", "hello\n", 0o644);
  const folders = ["empty", "with-a-folder"].map((name) => join(folder, name));
  for (const name of folders) mkdirSync(name);
  mkdirSync(join(folders[1] as string, "command"));

  /** A plan for an Open MPI, with an mpirun that starts nothing. */
  const plan = async (t: TestContext): Promise<LaunchPlan> => {
    const mpirun = file("mpirun", "#!/bin/sh\necho Open MPI\n", 0o755);
    const env = { ...process.env, ...mpiVariables("openmpi"), COBRE_MPI_MPIRUN: mpirun };
    const made = await planLaunch("mpi", 2, env, "none");
    t.after(() => made.close());
    return made;
  };
  const refusal = (made: LaunchPlan, command: string, PATH?: string): [number, string] => {
    const settings = { file: command, cwd: folder };
    const environments = [PATH === undefined ? {} : { PATH }, {}];
    try {
      made.conduct?.({ settings, environments } as unknown as Score);
    } catch (error) {
      assert.ok(error instanceof CommandNotRunnable, String(error));
      return [error.exitCode, error.message];
    }
    throw new Error("it was started");
  };

  it("says that a library that was named cannot be used, and why", async () => {
    await assert.rejects(
      planLaunch("mpi", 2, { ...process.env, COBRE_MPI_LIBRARY: plain }, "none"),
      {
        kind: "InitializationFailed",
        message: new RegExp(
          `${plain} cannot be used: .+ \\(cobre info shows what was tried\\.\\)$`,
        ),
      },
    );
  });

  it("tells ranks which library they are to load, and has a folder for what it leaves", async (t) => {
    if (!isMpiInstalled(t, "openmpi")) return;
    const made = await plan(t);
    const { COBRE_MPI_LIBRARY, ...rest } = made.environment(1);
    assert.match(COBRE_MPI_LIBRARY ?? "", /libmpi\.so/);
    assert.deepEqual(rest, { COBRE_COMM_BACKEND: "mpi" });
    const [left = ""] = made.leftovers ?? [];
    assert.match(left, new RegExp(`/cobre-mpi-${process.pid}-\\w+$`));
    writeFileSync(join(left, "something"), "");
    made.close();
    assert.equal(existsSync(left), false);
    made.close(); // the watchdog may have been first
  });

  it("refuses a command that mpirun could not run, and says which of the two it is", async (t) => {
    if (!isMpiInstalled(t, "openmpi")) return;
    const made = await plan(t);
    const [empty = "", withFolder = ""] = folders;
    const path = (...names: string[]) => names.join(delimiter);
    for (const [command, PATH, code, message] of [
      ["command", empty, 127, /was not found in PATH/],
      ["command", undefined, 127, /was not found in PATH/],
      ["command", path(withFolder, empty), 126, /is not executable/],
      ["plain.txt", path(folder, empty), 126, /is not executable/],
      ["plain.txt", path(empty, folder), 126, /is not executable/],
      ["plain.txt", empty, 127, /was not found/],
      ["./plain.txt", empty, 126, /is not executable/],
      [`${plain}/command`, empty, 126, /cannot be run/],
      ["./no-such-command", path(folder), 127, /was not found/],
    ] as const) {
      const [exitCode, told] = refusal(made, command, PATH);
      assert.equal(exitCode, code, `${command} in ${PATH}: ${told}`);
      assert.match(told, message);
    }
  });
});
