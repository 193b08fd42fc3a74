import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { isBackendError, isCommError } from "@cobre/comm";
import { CommandNotRunnable, type LaunchOptions, launch, MAX_RANKS } from "@cobre/comm/launch";

/** What a JavaScript caller might pass. */
function launchAnything(options: unknown) {
  return launch(options as LaunchOptions);
}

describe("launch: misuse", { timeout: 300_000 }, () => {
  const good = { ranks: 1, command: ["true"], output: "capture" };
  const cases: [what: string, options: object, argument: string, reason: RegExp][] = [
    ["no ranks", { ranks: 0 }, "ranks", /from 1 to 1024, not 0\./],
    ["a negative number of ranks", { ranks: -1 }, "ranks", /not -1/],
    ["a fraction of a rank", { ranks: 1.5 }, "ranks", /not 1\.5/],
    ["NaN ranks", { ranks: Number.NaN }, "ranks", /not NaN/],
    ["text for a number", { ranks: "2" }, "ranks", /whole number/],
    ["too many ranks", { ranks: MAX_RANKS + 1 }, "ranks", /to 1024, not 1025/],
    ["no command", { command: [] }, "command", /names no program/],
    ["an empty command", { command: [""] }, "command", /names no program/],
    ["a command line", { command: "node x.mjs" }, "command", /must be an array/],
    ["a NUL in an argument", { command: ["true", "a\0b"] }, "command", /NUL/],
    ["a time limit of 0", { timeoutSecs: 0 }, "timeoutSecs", /above 0/],
    ["a time limit beyond timers", { timeoutSecs: 3e6 }, "timeoutSecs", /up to 2147483/],
    ["a NaN time limit", { commTimeoutSecs: Number.NaN }, "commTimeoutSecs", /not NaN/],
    ["a negative grace time", { graceSecs: -1 }, "graceSecs", /not -1/],
    ["a folder that is not there", { cwd: "/no/such/folder" }, "cwd", /"\/no\/such\/folder"/],
    ["a variable that cannot be", { env: { "A=B": "1" } }, "env", /"A=B"/],
  ];
  for (const [what, options, argument, reason] of cases) {
    it(`${what} is an InvalidArgument`, async () => {
      await assert.rejects(launchAnything({ ...good, ...options }), (error) => {
        assert.ok(isCommError(error) && error.kind === "InvalidArgument");
        assert.equal(error.operation, "launch");
        assert.equal(error.argument, argument);
        assert.match(error.reason, reason);
        return true;
      });
    });
  }

  it("a backend that does not exist is an InvalidBackend that names those that do", async () => {
    for (const backend of ["nonsense", ""]) {
      await assert.rejects(launchAnything({ ...good, backend }), (error) => {
        assert.ok(isBackendError(error) && error.kind === "InvalidBackend");
        assert.equal(error.requested, backend);
        assert.ok(error.available.includes("local"));
        assert.match(error.message, /local/);
        return true;
      });
    }
  });

  it("local with several ranks is an InvalidConfiguration", async () => {
    await assert.rejects(launchAnything({ ...good, ranks: 2, backend: "local" }), (error) => {
      assert.ok(isBackendError(error) && error.kind === "InvalidConfiguration");
      assert.equal(error.setting, "ranks");
      assert.equal(error.value, "2");
      return true;
    });
  });
});

describe("launch: a command that cannot be run", { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "cobre-launch-"));
  after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string, mode: number): string => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
    return join(folder, name);
  };
  const plain = file("plain.txt", "hello\n", 0o644);
  const orphan = file("orphan", "#!/no/such/interpreter\n", 0o755);

  const cases: [what: string, command: string, exitCode: number, message: RegExp][] = [
    ["not in PATH", "no-such-command", 127, /"no-such-command" was not found in PATH/],
    ["not there", "/no/such/command", 127, /"\/no\/such\/command" was not found/],
    ["not executable", plain, 126, /plain\.txt" is not executable/],
    ["a folder", folder, 126, /is not executable/],
    ["below a file", `${plain}/command`, 126, /cannot be run/],
    ["without its interpreter", orphan, 127, /the interpreter named in its first line/],
  ];
  for (const [what, command, exitCode, message] of cases) {
    it(`${what} gives ${exitCode}`, async () => {
      await assert.rejects(launch({ ranks: 3, command: [command] }), (error) => {
        assert.ok(error instanceof CommandNotRunnable);
        assert.equal(error.kind, "InvalidArgument");
        assert.equal(error.command, command);
        assert.equal(error.exitCode, exitCode);
        assert.match(error.message, message);
        return true;
      });
    });
  }
});
