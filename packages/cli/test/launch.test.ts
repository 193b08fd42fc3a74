import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { COBRE, CobreProcess, type Finished } from "./cobre-process.js";

/** Runs a command to its end and makes sure that it left no process. */
async function run(process: CobreProcess): Promise<Finished> {
  const finished = await process.finished;
  assert.deepEqual(process.marked(), []);
  return finished;
}

const cobre = (...args: string[]): Promise<Finished> => run(CobreProcess.start(args));
const shell = (script: string): Promise<Finished> => run(CobreProcess.shell(script));

/** The lines in the order of their prefixes: ranks print when they please. */
const sorted = (text: string): string[] => text.split("\n").filter(Boolean).sort();

describe("cobre launch", { timeout: 300_000 }, () => {
  it("exits at once with the code of the rank that failed, and leaves no process", async () => {
    const program = `if (process.env.COBRE_LAUNCH_RANK === "1") process.exit(5);
      setTimeout(() => {}, 300_000);`;
    const start = performance.now();
    const command = ["--grace", "60", "--", process.execPath, "-e", program];
    const { code, stderr } = await cobre("launch", "-n", "3", ...command);
    assert.equal(code, 5);
    assert.equal(stderr, "cobre launch: rank 1 exited with code 5; ending the other ranks.\n");
    assert.ok(performance.now() - start < 20_000);
  });

  it("refuses to let three ranks believe that each is alone", async () => {
    const program = `const { createCommunicator } = await import("@cobre/comm");
      await createCommunicator({ kind: "auto" });`;
    const command = [process.execPath, "--input-type=module", "-e", program];
    const env = ["env", "-u", "COBRE_COMM_BACKEND", "-u", "COBRE_SHM_NAME"];
    const { code, stderr } = await cobre("launch", "-n", "3", "--", ...env, ...command);
    assert.equal(code, 1);
    assert.match(stderr, /COBRE_LAUNCH_SIZE=3 says that 3 ranks were started/);
  });

  it("puts the rank before every line, also before one without an end", async () => {
    const script = 'echo "a $COBRE_LAUNCH_RANK"; printf "b"; echo >&2 "c"; printf "d" >&2';
    const { code, stdout, stderr } = await cobre("launch", "-n", "2", "--", "sh", "-c", script);
    assert.equal(code, 0);
    assert.deepEqual(sorted(stdout), ["[0] a 0", "[0] b", "[1] a 1", "[1] b"]);
    assert.deepEqual(sorted(stderr), ["[0] c", "[0] d", "[1] c", "[1] d"]);
    assert.ok(stdout.endsWith("\n") && stderr.endsWith("\n"));
  });

  it("never mixes lines, however long they are", async () => {
    const program = `const line = process.env.COBRE_LAUNCH_RANK.repeat(150_000) + "é\\n";
      for (let i = 0; i < 10; i++) process.stdout.write(line);`;
    const { stdout } = await cobre("launch", "-n", "4", "--", process.execPath, "-e", program);
    const expected = [0, 1, 2, 3].flatMap((rank) =>
      new Array<string>(10).fill(`[${rank}] ${String(rank).repeat(150_000)}é`),
    );
    assert.ok(sorted(stdout).join() === expected.join());
  });

  it("lets nobody but its owner write over a line that a return left open", async () => {
    const script = `case $COBRE_LAUNCH_RANK in
      0) printf '10%%\\r20%%\\r'; sleep 0.3; printf '30%%\\n' ;;
      1) sleep 0.15; echo hello ;;
    esac`;
    const { stdout } = await cobre("launch", "-n", "2", "--", "sh", "-c", script);
    assert.deepEqual(
      stdout
        .split(/(?<=\n|\r)/)
        .map((line) => line.replace(/\n$/, ""))
        .filter(Boolean)
        .sort(),
      ["[0] 10%\r", "[0] 20%\r", "[0] 30%", "[1] hello"],
    );
    assert.match(stdout, /^\[1\] hello$/m);
  });

  it("gives its input to rank 0, and none to the others", async () => {
    const script = 'read -r line && echo "got $line" || echo "got nothing"';
    const args = ["launch", "-n", "3", "--", "sh", "-c", script];
    const { stdout } = await run(CobreProcess.start(args, { input: "hello\n" }));
    assert.deepEqual(sorted(stdout), ["[0] got hello", "[1] got nothing", "[2] got nothing"]);
  });

  it("leaves the terminal to a single rank", async () => {
    const inner = `"${process.execPath}" "${COBRE}" launch -n 1 -- sh -c "test -t 1 && echo terminal"`;
    const { stdout } = await shell(`script -qec '${inner}' /dev/null`);
    assert.equal(stdout.trim(), "terminal");
  });

  it("ends the job after --timeout, with 124", async () => {
    const args = ["--timeout", "0.3", "--", "sleep", "300"];
    const { code, stderr } = await cobre("launch", "-n", "2", ...args);
    assert.equal(code, 124);
    assert.match(stderr, /^cobre launch: the job was not done after 0\.3 s .*\n$/);
  });

  it("tells the backends --comm-timeout", async () => {
    const print = "echo $COBRE_SHM_TIMEOUT_SECS $COBRE_TCP_TIMEOUT_SECS";
    const { stdout } = await cobre(
      "launch",
      "-n",
      "1",
      "--comm-timeout",
      "7",
      "--",
      "sh",
      "-c",
      print,
    );
    assert.equal(stdout, "[0] 7 7\n");
  });

  it("leaves the options of the command to the command", async () => {
    const { stdout } = await cobre("launch", "-n", "1", "echo", "-n", "9", "--", "--help");
    assert.equal(stdout, "[0] 9 -- --help\n");
  });

  it("ends quietly when nobody reads its output any more", async () => {
    const { stdout, stderr } = await shell(
      "set -o pipefail; cobre launch -n 2 -- yes | head -n 1; echo $?",
    );
    assert.match(stdout, /^\[[01]\] y\n141\n$/);
    assert.equal(stderr, "");
  });

  it("tells when its output cannot be written", async () => {
    const { code, stderr } = await shell("cobre launch -n 2 -- yes > /dev/full");
    assert.equal(code, 1);
    assert.match(stderr, /^cobre launch: cannot write the output: ENOSPC.*\n$/);
  });
});

describe("cobre launch: mistakes", { timeout: 300_000 }, () => {
  const USAGE = "Usage: cobre launch -n <ranks> [options] [--] <command> [args...]";
  const mistakes: [args: string[], message: RegExp][] = [
    [["-n", "0", "--", "true"], /'0' is invalid\. It must be a whole number from 1 to 1024/],
    [["-n", "1.5", "--", "true"], /'1\.5' is invalid/],
    [["-n", "x", "--", "true"], /'x' is invalid/],
    [["-n", "1e9", "--", "true"], /'1e9' is invalid/],
    [["-n", "1000000000", "--", "true"], /'1000000000' is invalid/],
    [["-n", "-1", "--", "true"], /'-1' is invalid/],
    [["-n", "", "--", "true"], /'' is invalid/],
    [["-n"], /argument missing/],
    [["--", "true"], /how many ranks\?/],
    [["-n", "2"], /missing required argument 'command'/],
    [["-n", "2", "--"], /missing required argument 'command'/],
    [["--no-such", "-n", "2", "--", "true"], /unknown option '--no-such'/],
    [
      ["-n", "2", "--timeout", "0", "--", "true"],
      /'0' is invalid\. It must be a number of seconds/,
    ],
    [["-n", "2", "--timeout", "1d", "--", "true"], /'1d' is invalid/],
    [["-n", "2", "--comm-timeout", "-1", "--", "true"], /'-1' is invalid/],
  ];
  for (const [args, message] of mistakes) {
    it(`launch ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await cobre("launch", ...args);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      const [first = "", second] = stderr.split("\n");
      assert.match(first, /^cobre launch: /);
      assert.match(first, message);
      assert.equal(second, USAGE);
    });
  }

  const others: [args: string[], code: number, message: RegExp][] = [
    [["-n", "2", "--backend", "foo", "--", "true"], 2, /--backend is "foo", .*has .*local/],
    [["-n", "2", "--backend", "", "--", "true"], 2, /--backend is empty/],
    [["-n", "2", "--backend", "local", "--", "true"], 2, /ranks=2 cannot be used: local is/],
    [["-n", "2", "--", ""], 2, /command names no program/],
    [["-n", "2", "--", "no-such-command"], 127, /"no-such-command" was not found in PATH/],
    [["-n", "2", "--", "/etc/passwd"], 126, /"\/etc\/passwd" is not executable/],
  ];
  for (const [args, code, message] of others) {
    it(`launch ${args.join(" ")}`, async () => {
      const result = await cobre("launch", ...args);
      assert.equal(result.code, code);
      assert.match(result.stderr, message);
      assert.equal(result.stderr.split("\n").length, 2, "one line, no stack");
    });
  }

  it("too few descriptors for so many ranks", async () => {
    const { code, stderr } = await shell("ulimit -n 60; cobre launch -n 100 -- sleep 300");
    assert.equal(code, 1);
    assert.match(stderr, /^cobre: .*rank \d+ of 100 could not be started: .*\(EMFILE\)\.\n$/);
  });
});

describe("cobre", { timeout: 300_000 }, () => {
  it("prints its help and its version", async () => {
    const help = await cobre("--help");
    assert.equal(help.code, 0);
    assert.match(help.stdout, /launch .*start the ranks/);
    assert.match(help.stdout, /info /);
    const version = await cobre("--version");
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    const launchHelp = await cobre("launch", "--help");
    assert.equal(launchHelp.code, 0);
    assert.match(launchHelp.stdout, /Examples:/);
  });

  it("asks for a command it knows", async () => {
    for (const args of [[], ["lunch"], ["--no-such"]]) {
      const { code, stdout, stderr } = await cobre(...args);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.match(stderr, /cobre/);
      assert.doesNotMatch(stderr, /^ {4}at /m);
    }
  });

  it("says how to build it if it was not built", () => {
    const folder = mkdtempSync(join(tmpdir(), "cobre-unbuilt-"));
    try {
      copyFileSync(COBRE, join(folder, "cobre.js"));
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      const file = join(folder, "cobre.js");
      const { status, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
      assert.equal(status, 1);
      assert.match(stderr, /^cobre: not built yet; run .*\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
