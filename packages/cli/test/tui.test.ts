/** The dashboard in a real terminal (tmux), looked at as a person does: what is shown after each key, and what it leaves behind. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { inScope, runsQuick, runsRest } from "@cobre/testing/scope";
import { cobreCommand, hasTerminal, Terminal } from "@cobre/testing/terminal";
import { CobreProcess, eventually } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

const quick: typeof it | typeof ignore = runsQuick ? it : ignore;
const rest: typeof it | typeof ignore = runsRest ? it : ignore;
function ignore(_name: string, _test: (t: TestContext) => Promise<void>): void {}

let folder = "";
/** A case that trains until it is stopped, and the results of a short run. */
let endless = "";
let finished = "";
let events = "";
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-tui-test-"));
  endless = copyExample("one-reservoir", join(folder, "endless"), {
    iterations: 1e6,
    scenarios: 2,
  });
  const short = copyExample("one-reservoir", join(folder, "short"), {
    iterations: 4,
    scenarios: 5,
  });
  finished = join(folder, "finished");
  events = join(folder, "events.jsonl");
  const args = ["run", short, "-o", finished, "-n", "2", "--events", events];
  const { code, stderr } = await CobreProcess.start(args).finished;
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

const cobre = (...args: string[]) => [...cobreCommand, ...args];
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

/** A shell in which a command is typed, so that what comes after it can be looked at. */
function shell(
  columns: number,
  rows: number,
  env: Readonly<Record<string, string>> = {},
): Terminal {
  const command = ["env", "PS1=> ", "bash", "--norc", "--noprofile", "-i"];
  return Terminal.open({ command, cwd: folder, columns, rows, env });
}

/** The number of the last iteration, from the head of the screen. */
function iterationIn(screen: string): number {
  return Number(/ (\d+)\/1000000 /.exec(screen)?.[1]);
}

describe("a run under the dashboard", { timeout: 240_000 }, () => {
  quick("is shown, paused, stepped, left for its log, and stopped", async (t) => {
    if (!hasTerminal(t)) return;
    const command = cobre("run", endless, "-o", "out", "-n", "2", "--tui");
    await using terminal = Terminal.open({ command, cwd: folder, columns: 80, rows: 24 });
    const first = await terminal.shows(/─ lower bound[\s\S]*iteration +bound/);
    assert.match(first, /^ cobre · endless · 2 × shm .*\[running\]/);
    assert.ok(first.split("\n").every((line) => line.trimEnd().length <= 80));
    assert.deepEqual(terminal.modes(), { isAlternate: true, isCursorShown: false });

    terminal.press("Space");
    const held = iterationIn(await terminal.shows(/\[paused\]/));
    terminal.press("2");
    await terminal.shows(/\[2 Iterations\]/);
    terminal.press("6");
    // A later screen shows the same iteration: the run itself waits.
    assert.equal(iterationIn(await terminal.shows(/memory {2}rank 0/)), held);
    terminal.press("s");
    await terminal.shows(new RegExp(` ${held + 1}/1000000 .*\\[paused\\]`));

    terminal.press("3");
    terminal.press("Enter");
    const cuts = await terminal.shows(/▸ +\d+ .*\$\/hm³/);
    assert.match(cuts, new RegExp(`stage 0 [\\d-]+: [\\d,]+ cuts? after iteration ${held + 1}`));
    assert.match(cuts, /At the .* the last forward passes reached, \d+ cuts? (is|are) the highest/);

    terminal.press("q");
    await terminal.shows(/^the run goes on; Ctrl-C stops it after its iteration/m);
    assert.deepEqual(terminal.modes(), { isAlternate: false, isCursorShown: true });
    terminal.press("C-c");
    await terminal.shows(/^continue with/m);
    assert.equal(await terminal.ended(), 5);
    assert.match(terminal.history(), /interrupted after iteration \d+/);
  });

  quick("follows the size of the terminal, and says so where it is too small", async (t) => {
    if (!hasTerminal(t)) return;
    const command = cobre("run", endless, "-o", "sized", "--tui");
    await using terminal = Terminal.open({ command, cwd: folder, columns: 200, rows: 60 });
    const large = await terminal.shows(/─ lower bound/);
    assert.match(large, /^┌ bound and forward cost ─{170,}┐/m);
    assert.equal(large.trimEnd().split("\n").length, 60);
    terminal.resize(80, 24);
    const small = await terminal.shows(/^┌ bound and forward cost ─{40,60}┐/m);
    assert.equal(small.trimEnd().split("\n").length, 24);
    terminal.resize(60, 20);
    await terminal.shows(/please make the terminal at least 80 × 24/);
    terminal.resize(100, 30);
    await terminal.shows(/^┌ bound and forward cost ─{60,80}┐/m);
    terminal.press("C-c");
    assert.equal(await terminal.ended(), 5);
    assert.equal(terminal.modes().isAlternate, false);
    assert.match(terminal.history(), /^continue with/m);
  });

  quick(
    "goes to the background with Ctrl-Z while the run goes on, and comes back with fg",
    async (t) => {
      if (!hasTerminal(t)) return;
      await using terminal = shell(80, 24);
      await terminal.shows(/^> /m);
      terminal.type(`${quoted(cobre("run", endless, "-o", "back", "--tui"))}\n`);
      const before = iterationIn(await terminal.shows(/─ lower bound/));
      terminal.press("C-z");
      await terminal.shows(/Stopped/);
      assert.deepEqual(terminal.modes(), { isAlternate: false, isCursorShown: true });
      terminal.type("fg\n");
      const after = iterationIn(await terminal.shows(/─ lower bound/));
      assert.ok(after >= before);
      assert.deepEqual(terminal.modes(), { isAlternate: true, isCursorShown: false });
      terminal.press("C-c");
      await terminal.shows(/^continue with/m);
      terminal.type("echo code $?\n");
      await terminal.shows(/^code 5/m);
    },
  );

  rest(
    "ends, with its run and its files, when the terminal is closed while it waits",
    async (t) => {
      if (!hasTerminal(t)) return;
      const scratch = mkdtempSync(join(folder, "scratch-"));
      const command = cobre("run", endless, "-o", "closed", "--tui");
      {
        await using terminal = Terminal.open({ command, cwd: folder, env: { TMPDIR: scratch } });
        await terminal.shows(/─ lower bound/);
        terminal.press("Space");
        await terminal.shows(/\[paused\]/);
        assert.equal(
          readdirSync(scratch).filter((name) => name.startsWith("cobre-tui-")).length,
          1,
        );
      }
      await eventually("no file is left", () => readdirSync(scratch).length === 0);
    },
  );

  rest("ends with its error and no screen if the case cannot be run", async (t) => {
    if (!hasTerminal(t)) return;
    const command = cobre("run", join(folder, "nowhere"), "--tui");
    await using terminal = Terminal.open({ command, cwd: folder });
    assert.equal(await terminal.ended(), 3);
    assert.match(terminal.history(), /nowhere/);
    assert.equal(terminal.modes().isAlternate, false);
  });
});

/** In the settings of a terminal (`stty -a`): it is not in raw mode. */
const ECHOES = /(?<!-)\bicanon\b[\s\S]*(?<!-)\becho\b/;

/**
 * The settings of a terminal before, during and after a dashboard that a signal ends. An interactive shell puts the settings right after each
 * command; the one here is a script, which leaves them alone.
 */
async function settingsAround(command: readonly string[], signal: NodeJS.Signals) {
  const place = mkdtempSync(join(folder, "settings-"));
  const file = (name: string) => join(place, name);
  const read = (name: string) => readFileSync(file(name), "utf8");
  const script = `tty > tty; stty -a > before
    sh -c 'echo $$ > pid; exec "$@"' sh "$@"
    stty -a > part; mv part after; read -r`; // tmux shows no cursor where nothing runs
  await using terminal = Terminal.open({
    command: ["bash", "-c", script, "bash", ...command],
    cwd: place,
    columns: 90,
    rows: 30,
  });
  await terminal.shows(/\[1 Convergence\][\s\S]*─ lower bound/);
  const during = execFileSync("stty", ["-a", "-F", read("tty").trim()], { encoding: "utf8" });
  process.kill(Number(read("pid")), signal);
  await eventually("after", () => existsSync(file("after")));
  return { before: read("before"), during, after: read("after"), modes: terminal.modes() };
}

describe("the terminal afterwards", { timeout: 240_000 }, () => {
  for (const [how, command] of [
    ["a replay", () => cobre("tui", finished)],
    ["a run", () => cobre("run", endless, "-o", "killed", "--overwrite", "--tui")],
  ] as const) {
    const isReplay = how === "a replay";
    for (const signal of inScope({
      quick: isReplay ? ["TERM"] : [],
      rest: isReplay ? ["INT", "HUP"] : ["TERM", "INT", "HUP"],
    })) {
      it(`is as it was when ${how} is ended by SIG${signal}`, async (t) => {
        if (!hasTerminal(t)) return;
        const { before, during, after, modes } = await settingsAround(
          command(),
          `SIG${signal}` as NodeJS.Signals,
        );
        assert.match(before, ECHOES);
        assert.doesNotMatch(during, ECHOES);
        assert.equal(after, before);
        assert.deepEqual(modes, { isAlternate: false, isCursorShown: true });
      });
    }
  }

  rest("is not put right by the shell of these tests", async (t) => {
    if (!hasTerminal(t)) return;
    const { after } = await settingsAround(cobre("tui", finished), "SIGKILL");
    assert.doesNotMatch(after, ECHOES);
  });

  rest("is as it was after q, with what was typed before", async (t) => {
    if (!hasTerminal(t)) return;
    await using terminal = shell(80, 24);
    await terminal.shows(/^> /m);
    terminal.type(`echo hello; ${quoted(cobre("tui", finished))}; echo code $?\n`);
    await terminal.shows(/\[done\]/);
    terminal.press("q");
    const screen = await terminal.shows(/^code 0/m);
    assert.match(screen, /^hello/m);
    assert.doesNotMatch(screen, /Convergence/);
  });
});

describe("other ways to the dashboard", { timeout: 240_000 }, () => {
  quick(
    "replays a run that has ended, with its cuts and costs, and writes what is shown",
    async (t) => {
      if (!hasTerminal(t)) return;
      await using terminal = Terminal.open({ command: cobre("tui", finished), cwd: folder });
      await terminal.shows(/short · 2 × shm .* 4\/4 .*\[done\]/);
      terminal.press("Left");
      await terminal.shows(/ at 3 · 4\/4 [\s\S]*^ +3 /m);
      terminal.press("4");
      await terminal.shows(/^ {5}1 +\d+ %/m);
      terminal.press("5");
      await terminal.shows(/5 of 5 scenarios · 100 %[\s\S]*mean +\d/);
      terminal.press("e");
      await terminal.shows(/written: cobre-simulation-3\.txt and cobre-simulation-3\.svg/);
      assert.match(
        readFileSync(join(folder, "cobre-simulation-3.txt"), "utf8"),
        /5 of 5 scenarios/,
      );
      assert.match(
        readFileSync(join(folder, "cobre-simulation-3.svg"), "utf8"),
        /^<svg .*<\/svg>\n$/s,
      );
      terminal.press("q");
      assert.equal(await terminal.ended(), 0);
    },
  );

  rest("reads events from a file, and keys from the terminal", async (t) => {
    if (!hasTerminal(t)) return;
    await using terminal = shell(80, 24);
    await terminal.shows(/^> /m);
    terminal.type(`${quoted(cobre("tui"))} < events.jsonl; echo code $?\n`);
    await terminal.shows(/2 × shm .* 4\/4 .*\[done\]/);
    terminal.press("Tab");
    await terminal.shows(/\[2 Iterations\][\s\S]*▸ +4 /);
    terminal.press("q");
    await terminal.shows(/^code 0/m);
  });

  rest(
    "has styles, but not with NO_COLOR, and only ASCII where the locale has no more",
    async (t) => {
      if (!hasTerminal(t)) return;
      for (const [env, hasColors, isAscii] of [
        [{ TERM: "screen-256color" }, true, false],
        [{ TERM: "screen-256color", NO_COLOR: "1", LC_ALL: "C" }, false, true],
      ] as const) {
        await using terminal = Terminal.open({ command: cobre("tui", finished), env });
        const screen = await terminal.shows(/\[done\]/);
        const styles = terminal.styledScreen();
        // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are escape sequences
        assert.equal(/\x1b\[[\d;]*(3\d|7|1)m/.test(styles), hasColors, JSON.stringify(styles));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters of ASCII
        assert.equal(/^[\x00-\x7f]*$/.test(screen), isAscii, screen);
        terminal.press("q");
        await terminal.ended();
      }
    },
  );
});

describe("the dashboard in sentences", { timeout: 120_000 }, () => {
  quick("tells a run, events and a replay in lines that are never drawn over", async () => {
    const run = cobre("run", join(folder, "short"), "-o", join(folder, "plain")).slice(1);
    const started = await new CobreProcess([process.execPath, ...run, "--tui", "--plain"], {})
      .finished;
    const read = await CobreProcess.shell(`cobre tui --plain < '${events}'`).finished;
    const replayed = await CobreProcess.start(["tui", finished, "--plain"]).finished;
    for (const { code, stdout, stderr } of [started, read, replayed]) {
      assert.equal(code, 0, stderr);
      assert.ok(!stdout.includes("\x1b"), stdout);
      const lines = stdout.trimEnd().split("\n");
      assert.equal(
        lines.filter((line) => /^Iteration \d of 4: the lower bound is/.test(line)).length,
        4,
      );
      assert.match(lines.at(-2) ?? "", /^Simulation done: 5 scenarios, mean /);
      assert.equal(lines.at(-1), "The run is done.");
    }
  });

  rest("stops a run as Ctrl-C does, and leaves nothing behind", async () => {
    const args = ["run", endless, "-o", join(folder, "told"), "-n", "2", "--tui", "--plain"];
    const run = CobreProcess.start(args);
    await run.printed(/^Iteration 3 of/);
    run.kill("SIGINT");
    const { code, stdout } = await run.finished;
    assert.equal(code, 5);
    assert.match(stdout, /The run was interrupted\.\n$/);
    await eventually("no process is left", () => run.marked().length === 0);
  });

  rest("takes its run along when it is killed", async () => {
    const args = ["run", endless, "-o", join(folder, "orphan"), "-n", "2", "--tui", "--plain"];
    const run = CobreProcess.start(args, { env: { TMPDIR: folder } });
    await run.printed(/^Iteration 3 of/);
    run.kill("SIGKILL");
    await run.finished;
    await eventually("no process is left", () => run.marked().length === 0);
    // What a killed process cannot tidy up.
    for (const name of readdirSync(folder).filter((name) => name.startsWith("cobre-tui-")))
      rmSync(join(folder, name), { recursive: true });
  });

  rest("refuses what it cannot show, in a sentence", async () => {
    const empty = join(folder, "empty");
    writeFileSync(empty, "not an event\n");
    const none = await CobreProcess.shell(`cobre tui --plain < '${empty}'`).finished;
    assert.equal(none.code, 1);
    assert.match(none.stdout, /failed/);
    const wrong = await CobreProcess.start(["tui", folder]).finished;
    assert.equal(wrong.code, 4);
    assert.match(wrong.stderr, /is not the output of a run/);
    const piped = await CobreProcess.start(["run", endless, "--tui", "--events", "-"]).finished;
    assert.equal(piped.code, 2);
  });
});
