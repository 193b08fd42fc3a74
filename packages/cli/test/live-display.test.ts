/** What a run shows on a terminal: the lines themselves, how they are drawn, and a real terminal (tmux) that is looked at. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { StudyEvent } from "@cobre/study";
import { cobreCommand, hasTerminal, Terminal } from "@cobre/testing/terminal";
import { LiveBlock } from "../dist/run/live-block.js";
import { progressLines } from "../dist/run/progress-lines.js";
import { resumeCommand } from "../dist/run/resume-command.js";
import { RunProgress } from "../dist/run/run-progress.js";
import { sparkline } from "../dist/run/sparkline.js";
import { copyExample } from "./example-case.js";

const TITLE = { name: "four-regions", details: ["2 × shm", "highs 1.15.1"] };

function iterationDone(iteration: number): StudyEvent {
  const record = {
    iteration,
    lowerBound: 7e10 * (1 - 1 / (iteration + 1)),
    upperBoundMean: 7.31e10,
    upperBoundStd: 9e9,
    forwardPasses: 4,
    cutsAdded: 92,
    cutsActive: 92 * iteration,
    lpSolves: 1026,
    forwardMs: 30,
    backwardMs: 290,
    totalMs: 330,
  };
  const solves = [
    {
      phase: "forward",
      ...{ stage: 0, solves: 500, byAttempts: [500], simplexIterations: 5300 },
      ...{ ms: 1, basesOffered: 500, basisMs: 1, boundsMs: 1 },
    },
  ] as const;
  const times = { waitingMs: 0, movingMs: 10, solvingMs: 300, elapsedMs: 330 * iteration };
  return { type: "iteration_done", record, ...times, simplexIterations: 5300, solves };
}

/** A run in the backward sweep of its iteration 28. */
function inTheMiddle(busy: readonly number[], retriedSolves = 0): RunProgress {
  const progress = new RunProgress();
  progress.onEvent({ type: "run_started", iterationLimit: 40, scenarios: 100 });
  progress.onEvent({
    type: "training_started",
    stages: 24,
    stateDimension: 8,
    forwardPasses: 4,
    ranks: busy.length,
    solver: "highs",
    afterIteration: 0,
    cuts: 0,
    isWarm: false,
    foreignStageIds: [],
    boundCaveats: [],
  });
  for (let iteration = 1; iteration <= 27; iteration++) {
    progress.onEvent(iterationDone(iteration));
    progress.onEvent({ type: "ranks_measured", iteration, busy, retriedSolves });
  }
  const place = { iteration: 28, stageId: 14, done: 9, of: 23 };
  progress.onEvent({ type: "working", phase: "backward", ...place });
  return progress;
}

function linesAt(columns: number, rows: number, progress: RunProgress, note?: string): string[] {
  const page = { width: columns, hasColors: false };
  return progressLines(page, rows, TITLE, progress, note).map(({ text }) => text);
}

describe("the lines of a run", () => {
  it("answer where it is, how good, how fast, how busy and how long", () => {
    const [title, bound, forward, phase, ranks] = linesAt(120, 30, inTheMiddle([0.93, 0.912]));
    assert.match(title ?? "", /^four-regions · 2 × shm · highs 1\.15\.1 +iteration 28 of 40$/);
    assert.match(
      bound ?? "",
      /^bound {5}67\.5000 G\$ {2}▁[▁-█]{22}█ · \+\d\.\d+ % in the last 10$/,
    );
    assert.match(
      forward ?? "",
      /^forward {3}73\.10 G\$ ± 8\.82 G\$ · 4 passes: a sample, not a bound$/,
    );
    assert.match(
      phase ?? "",
      /^backward {2}▕█{9}[▉-▏] +▏ stage 14 · 3,109 LP\/s · 10\.6 simplex iterations each · no retries$/,
    );
    assert.match(
      ranks ?? "",
      /^ranks {5}left about 4\.3 s · 0 ▕█{9}[▉-▏]▏ 93 % · 1 ▕█{9}▏? *▏ 91 %$/,
    );
  });

  it("are never wider than the terminal, and fewer where it is small", () => {
    const progress = inTheMiddle([0.93, 0.91, 0.5, 1, 0.2, 0.3]);
    for (let columns = 10; columns <= 200; columns++) {
      for (const rows of [3, 24]) {
        const lines = linesAt(columns, rows, progress, "stopping after this iteration");
        for (const text of lines) assert.ok(text.length < columns, `${columns}: ${text}`);
        assert.equal(lines.length, columns < 40 || rows < 8 ? 2 : 6);
      }
    }
    assert.deepEqual(linesAt(39, 24, progress), ["iteration 28 of 40 · left about 4.3 s"]);
    const wide = progressLines(
      { width: 60, hasColors: false },
      24,
      { ...TITLE, name: "流域流域" },
      progress,
    );
    assert.ok((wide[0]?.columns ?? 99) <= 59);
  });

  it("mark programs that were solved again, and sum up many ranks", () => {
    const many = linesAt(
      120,
      30,
      inTheMiddle(
        Array.from({ length: 64 }, (_, i) => 0.5 + i / 200),
        1,
      ),
    );
    assert.match(many[3] ?? "", /LP\/s · † 27 solved again · 10\.6 simplex iterations each$/);
    assert.match(
      many[4] ?? "",
      /^ranks {5}left about 4\.3 s · 64 ranks, busy 50 % to 82 % · median 66 %$/,
    );
  });

  it("tell the scenarios of a simulation", () => {
    const progress = new RunProgress();
    progress.onEvent({ type: "simulation_started", scenarios: 100 });
    progress.onEvent({ type: "scenario_done", done: 25, of: 100, cost: 1 });
    const [title, scenarios] = linesAt(100, 30, progress);
    assert.match(title ?? "", /simulation 25 of 100$/);
    assert.match(scenarios ?? "", /^scenarios ▕█{6} {18}▏ 25 of 100 · left about \d+\.\d s$/);
  });

  it("draw the bound from its lowest to its highest value", () => {
    assert.equal(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 8), "▁▂▃▄▅▆▇█");
    assert.equal(sparkline([5, 5, 5], 8), "▁▁▁");
    assert.equal(sparkline([0, 9, 0, 9, 0, 7], 3), "██▁");
    assert.equal(sparkline([], 8), "");
  });
});

describe("a live block", () => {
  const drawn = (columns: () => number) => {
    const written: string[] = [];
    const stream = {
      isTTY: true,
      get columns() {
        return columns();
      },
      write: (text: string) => written.push(text),
    };
    return { block: new LiveBlock(stream), written };
  };
  const line = (text: string) => ({ text, columns: text.length });
  const up = (rows: number) => `\x1b[1G\x1b[${rows}A\x1b[0J`;

  it("is drawn over itself, and below what is printed", () => {
    const { block, written } = drawn(() => 80);
    block.draw(() => [line("a"), line("b")]);
    block.draw(() => [line("c")], true);
    block.print("said");
    block.clear();
    block.clear();
    assert.deepEqual(written, ["a\nb\n", `${up(2)}c\n`, `${up(1)}said\nc\n`, up(1)]);
  });

  it("is not drawn again at once, unless it must be", () => {
    const { block, written } = drawn(() => 80);
    block.draw(() => [line("a")]);
    block.draw(() => assert.fail("drawn"));
    assert.equal(written.length, 1);
  });

  it("is taken away whole when the terminal has become narrower", () => {
    let columns = 80;
    const { block, written } = drawn(() => columns);
    block.draw(() => [line("x".repeat(70)), line("y".repeat(20)), line("")]);
    columns = 30;
    block.clear();
    assert.equal(written[1], up(3 + 1 + 1));
  });
});

describe("the command that goes on", () => {
  it("can be typed as it is", () => {
    const set = [["policy.path", "a b"]] as const;
    const flags = { solver: "clp", set, iterations: 9 } as const;
    assert.equal(
      resumeCommand(join(process.cwd(), "my case"), "/elsewhere/out", flags, 2),
      `cobre run 'my case' --output /elsewhere/out -n 2 --solver clp --set 'policy.path="a b"' --iterations 9 --resume`,
    );
  });
});

describe("a run on a terminal", { timeout: 300_000 }, () => {
  let folder = "";
  let source = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "cobre-live-"));
    source = copyExample("one-reservoir", join(folder, "case"), { iterations: 1e6, scenarios: 2 });
  });
  after(() => rmSync(folder, { recursive: true }));

  const run = (args: readonly string[], columns: number, rows: number) =>
    Terminal.open({ command: [...cobreCommand, "run", ...args], cwd: folder, columns, rows });

  /** The block, which must be there once. */
  const blockIn = (screen: string): string[] => {
    const lines = screen.split("\n").map((text) => text.trimEnd());
    const starts = lines.flatMap((text, i) => (/iteration \d+ of 1000000$/.test(text) ? [i] : []));
    assert.equal(starts.length, 1, screen);
    const block = lines.slice(starts[0], (starts[0] ?? 0) + 5);
    assert.match(block[1] ?? "", /^bound .*[▁-█]/, screen);
    assert.match(block[4] ?? "", /^ranks .*0 ▕/, screen);
    return block;
  };
  const WHOLE = /iteration \d+ of 1000000\s*\n *bound [\s\S]*\n *ranks .*▕/;

  it("lives, follows the size of the terminal, and is stopped by Ctrl-C with what to do next", async (t) => {
    if (!hasTerminal(t)) return;
    await using terminal = run([source, "-n", "2", "-o", "out"], 80, 24);
    const first = blockIn(await terminal.shows(WHOLE));
    assert.ok(first.every((text) => text.length < 80));
    assert.match(first[0] ?? "", /^case · 2 × shm/);
    terminal.resize(200, 60);
    const large = blockIn(await terminal.shows(/^case .{80,}iteration \d+ of/m));
    assert.match(large[4] ?? "", /0 ▕.* 1 ▕.* %$/);
    terminal.resize(50, 20);
    const small = blockIn(
      await terminal.shows(
        /^case .{10,40}iteration \d+ of 1000000 *\n *bound[\s\S]*\n *ranks .*▕/m,
      ),
    );
    assert.ok(small.every((text) => text.length < 50));
    terminal.press("C-c");
    await terminal.shows(/^continue with/m);
    assert.equal(await terminal.ended(), 5);
    assert.match(
      terminal.history(),
      /^interrupted after iteration \d+; continue with --resume *$/m,
    );
    assert.match(terminal.history(), /^lower bound /m);
    assert.match(
      terminal.history(),
      /^continue with {2}cobre run case --output out -n 2 --resume *$/m,
    );
    assert.doesNotMatch(terminal.history(), /^ranks /m, "the block is gone");
  });

  it("has colours, but not with NO_COLOR", async (t) => {
    if (!hasTerminal(t)) return;
    for (const [env, hasColors] of [
      [{ TERM: "screen-256color" }, true],
      [{ TERM: "screen-256color", NO_COLOR: "1" }, false],
    ] as const) {
      const command = [...cobreCommand, "run", "--help"];
      await using terminal = Terminal.open({ command, env, columns: 200, rows: 60 });
      await terminal.shows(/Exit codes:/);
      assert.equal(terminal.styledScreen().includes("\x1b[1m"), hasColors);
    }
  });

  it("stops at once after a second Ctrl-C, within an iteration", async (t) => {
    if (!hasTerminal(t)) return;
    // An iteration that takes minutes.
    const slow = copyExample("four-regions", join(folder, "slow"), { iterations: 9, scenarios: 2 });
    const passes = ["--set", "training.forward_passes=5000"];
    await using terminal = run([slow, "-o", "slow-out", ...passes], 100, 30);
    await terminal.shows(/^passes .*pass \d+ of 5000/m);
    terminal.press("C-c");
    await terminal.shows(/stopping after this iteration; Ctrl-C again stops at once/);
    terminal.press("C-c");
    await terminal.shows(/^cobre: stopped at once/m);
    assert.equal(await terminal.ended(), 5);
  });
});
