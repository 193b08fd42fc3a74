/** Views are functions of a state: they are looked at without a terminal. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  asciiText,
  columnsOf,
  FIRST_SCREEN,
  hasUtf8,
  lastSentence,
  lineColumns,
  NOTHING_KNOWN,
  plainText,
  type RunState,
  type ScreenState,
  type StageCuts,
  type Surroundings,
  screenLines,
  sentenceOf,
  svgOf,
  VIEWS,
} from "#internal";
import { iterationDone, runAfter, trainingEvents } from "./made-run.js";

const SMALL = { columns: 80, rows: 24 };
const CUTS: StageCuts = {
  stage: 2,
  label: "2 2026-03-01",
  iteration: 27,
  passes: 4,
  atLimits: ["upper full in 3 of 4"],
  cuts: [
    {
      iteration: 27,
      pass: 1,
      intercept: 7.4e10,
      slopes: [{ name: "upper", value: -1.2e6, unit: "$/hm³" }],
      other: { name: "inflow upper -1", value: -3e6, unit: "$/(m³/s)" },
      highestAt: 3,
    },
    { iteration: 12, pass: 0, intercept: 7e10, slopes: [], other: undefined, highestAt: 0 },
  ],
};

function shown(
  run: RunState,
  screen: Partial<ScreenState> = {},
  around: Partial<Surroundings> = {},
  area = SMALL,
): string[] {
  const known = { ...NOTHING_KNOWN, title: "four-regions", ...around };
  return screenLines(run, { ...FIRST_SCREEN, ...screen }, known, area).map(plainText);
}

const inTheMiddle = () => runAfter(trainingEvents(27));

describe("the screen", () => {
  it("fills the terminal and no more, in every view, size and moment", () => {
    const simulated = inTheMiddle();
    simulated.take({ rank: 0, type: "simulation_started", scenarios: 3 });
    for (const cost of [1e9, 2e9, 7e9])
      simulated.take({ rank: 0, type: "scenario_done", done: 1, of: 3, cost });
    const runs = [
      runAfter([]),
      runAfter(trainingEvents(0)),
      runAfter(trainingEvents(1)),
      inTheMiddle(),
      simulated,
    ];
    const memory = new Map([[0, 3e8]]);
    for (const run of runs) {
      for (const area of [SMALL, { columns: 133, rows: 37 }, { columns: 200, rows: 60 }]) {
        for (const view of VIEWS) {
          for (const isInspecting of [false, true]) {
            for (const title of ["four-regions", "流域".repeat(60)]) {
              const lines = screenLines(
                run,
                { ...FIRST_SCREEN, view, isInspecting },
                { ...NOTHING_KNOWN, title, memory, cuts: CUTS },
                area,
              );
              assert.equal(lines.length, area.rows);
              for (const line of lines)
                assert.ok(lineColumns(line) <= area.columns, plainText(line));
            }
          }
        }
      }
    }
  });

  it("is a polite line where the terminal is too small", () => {
    const lines = shown(inTheMiddle(), {}, {}, { columns: 60, rows: 10 });
    assert.equal(lines.length, 10);
    assert.match(lines[0] ?? "", /please make the terminal at least 80 × 24/);
  });

  it("tells in its head what runs, how far it is, and whether it waits", () => {
    const run = inTheMiddle();
    const head = (screen: Partial<ScreenState> = {}, around: Partial<Surroundings> = {}) =>
      shown(run, screen, around)[0] ?? "";
    assert.match(
      head(),
      /^ cobre · four-regions · 2 × shm +27\/40 · 8\.9 s · left 4\.3 s {2}\[running\] $/,
    );
    assert.match(head({ isPaused: true }), /\[pausing\] $/);
    assert.match(head({ isPaused: true }, { pauses: "display" }), /\[display paused\] $/);
    assert.match(head({ isPaused: true }, { pauses: "replay" }), /\[paused\] $/);
    assert.match(head({ iteration: 12 }), /at 12 · 27\/40/);
    run.take({ rank: 0, type: "held", iteration: 27, policy: "p" });
    assert.match(head({ isPaused: true }), /\[paused\] $/);
    run.end(5);
    assert.match(head(), /\[interrupted\] $/);
  });

  it("marks the view and the chosen row without a style", () => {
    const lines = shown(inTheMiddle(), { view: "iterations", iteration: 25 });
    assert.match(lines[1] ?? "", / 1 Convergence \[2 Iterations\] 3 Stages /);
    const marked = lines.filter((line) => line.startsWith("▸"));
    assert.equal(marked.length, 1);
    assert.match(marked[0] ?? "", /^▸ +25 +67\.3077 G\$ +\+0\.16 %/);
  });
});

describe("the views", () => {
  it("1: draw the bound as a line that rises, and the forward costs as points", () => {
    const lines = shown(inTheMiddle());
    const chart = lines.filter((line) => line.includes("┤"));
    const firstLine = chart.findIndex((line) => line.includes("─"));
    assert.match(chart[firstLine] ?? "", /╭─+ │$/, "the highest part of the line is its end");
    assert.ok(chart.some((line) => line.includes("•")));
    assert.ok(
      lines.some((line) => / The bound rose \+\d\.\d %? ?.*in the last 10 iterations\./.test(line)),
      lines.join("\n"),
    );
    const looked = shown(inTheMiddle(), { iteration: 3 });
    assert.ok(looked.some((line) => line.includes("▲")));
    assert.ok(
      looked.some((line) => /^ +3 +52\.5000 G\$/.test(line)),
      looked.join("\n"),
    );
    assert.match(shown(runAfter([]))[3] ?? "", /first iteration has not ended/);
  });

  it("2: have a row for each iteration, more columns where there is room, and a mark for retries", () => {
    const run = inTheMiddle();
    const wide = shown(run, { view: "iterations" }, {}, { columns: 160, rows: 40 });
    assert.match(
      wide[2] ?? "",
      /iteration +bound +rise +forward \(mean\) +± 95 % +cuts +LPs +time +forward +backward +solve +collectives/,
    );
    assert.equal(wide.filter((line) => /^[▸ ] +\d+ +\d+\.\d+ G\$/.test(line)).length, 27);
    assert.match(
      wide[29] ?? "",
      /^▸ +27 +67\.5000 G\$ .* 8\.82 G\$ +2,484 +1,026 +330 ms +30\.0? ?ms|^▸ +27 /,
    );
    run.take({ rank: 0, type: "ranks_measured", iteration: 27, busy: [1, 1], retriedSolves: 2 });
    assert.ok(shown(run, { view: "iterations" }).some((line) => line.includes("27†")));
  });

  it("3: list the stages with their cuts and programs", () => {
    const lines = shown(
      inTheMiddle(),
      { view: "stages", stage: 2 },
      { stageLabels: ["0 2026-01-01"] },
    );
    assert.match(lines[2] ?? "", /2,484 cuts in 24 stages; programs of iteration 27, rank 0/);
    assert.ok(
      lines.some((line) => /^ {2}0 2026-01-01 +108 +20 +5\.0 +0\.5 ms/.test(line)),
      lines.join("\n"),
    );
    assert.ok(
      lines.some((line) => /^▸ 2 +108 +20 .* 40 ms +15 %/.test(line)),
      lines.join("\n"),
    );
    const warm = runAfter(
      trainingEvents(2).map((event) =>
        event.type === "training_started" ? { ...event, cuts: 5 } : event,
      ),
    );
    const unknown = shown(warm, { view: "stages" });
    assert.ok(
      unknown.some((line) => /^▸ 0 +- +20/.test(line)),
      "no number rather than a wrong one",
    );
  });

  it("3, inside: list the cuts of a stage and what binds", () => {
    const screen = { view: "stages", stage: 2, isInspecting: true } as const;
    const lines = shown(inTheMiddle(), screen, { cuts: CUTS });
    assert.match(lines[2] ?? "", /stage 2 2026-03-01: 2 cuts after iteration 27/);
    assert.ok(
      lines.some((line) => /^▸ +27 +1 +74\.00 G\$ +3 states +upper -1\.20 M\$\/hm³/.test(line)),
      lines.join("\n"),
    );
    const text = lines.join(" ").replaceAll(/ +/g, " ");
    assert.match(
      text,
      /At the 4 states that the last forward passes reached, 1 cut is the highest/,
    );
    assert.match(text, /Reservoirs at their limits: upper full in 3 of 4\./);
    const early = shown(inTheMiddle(), { ...screen, iteration: 20 }, { cuts: CUTS });
    assert.ok(!early.some((line) => /^▸ +27 /.test(line)));
    assert.match(
      shown(inTheMiddle(), screen, { cuts: "no checkpoint yet" })[3] ?? "",
      /no checkpoint yet/,
    );
  });

  it("4: tell how busy each rank was, and what was not measured", () => {
    const lines = shown(inTheMiddle(), { view: "ranks" }, { memory: new Map([[1, 3.12e8]]) });
    assert.ok(
      lines.some((line) => /^▸ +0 +90 % .* 90 % +260 ms +33 ms +- /.test(line)),
      lines.join("\n"),
    );
    assert.ok(
      lines.some((line) => /^ +1 +80 % .* 80 % +240 ms +66 ms +- .*312 MB/.test(line)),
      lines.join("\n"),
    );
    assert.ok(lines.some((line) => /with cobre run --report only/.test(line)));
  });

  it("5: tell the progress of the simulation and its costs so far", () => {
    const run = inTheMiddle();
    assert.match(
      shown(run, { view: "simulation" })[3] ?? "",
      /10 scenarios will be simulated after training/,
    );
    run.take({ rank: 0, type: "simulation_started", scenarios: 10 });
    for (let i = 1; i <= 4; i++)
      run.take({ rank: 0, type: "scenario_done", done: i, of: 5, cost: i * 1e9 });
    const lines = shown(run, { view: "simulation" });
    assert.ok(lines.some((line) => / 4 of 10 scenarios · 40 %/.test(line)));
    assert.ok(
      lines.some((line) => /^ mean +2\.500 G\$ ± 1\.27 G\$ \(95 %\)/.test(line)),
      lines.join("\n"),
    );
    assert.ok(lines.some((line) => /^ all +1\.000 G\$ to 4\.000 G\$/.test(line)));
  });

  it("5: tell no mean of paths that are not equally likely before it is known", () => {
    const run = inTheMiddle();
    run.take({ rank: 0, type: "simulation_started", scenarios: 2, isExact: true });
    run.take({ rank: 0, type: "scenario_done", done: 1, of: 2, cost: 1e9 });
    const done = { rank: 0, type: "scenario_done", done: 2, of: 2, cost: 3e9 } as const;
    run.take(done);
    assert.match(sentenceOf(run, done) ?? "", /^Path 2 of 2( of rank 0)? is simulated\.$/);
    const before = shown(run, { view: "simulation" });
    assert.ok(before.some((line) => /^ mean +when all paths are simulated/.test(line)));
    assert.ok(before.some((line) => /^ all +1\.000 G\$ to 3\.000 G\$/.test(line)));
    const probabilities = [0.75, 0.25];
    const costs = [1e9, 3e9];
    const result = { mean: 1.5e9, std: 1e9, ci95: null, costs, probabilities, hash: "" };
    run.take({ rank: 0, type: "simulation_result", ...result });
    const after = shown(run, { view: "simulation" });
    assert.ok(
      after.some((line) => /^ mean +1\.500 G\$, the cost of the policy/.test(line)),
      after.join("\n"),
    );
  });

  it("6: log what happened, the newest last, and scroll back", () => {
    const run = inTheMiddle();
    for (let i = 0; i < 50; i++) run.note(`note ${i}`);
    const last = shown(run, { view: "log" });
    assert.ok(last.some((line) => line.includes("note 49")));
    const back = shown(run, { view: "log", offset: 20 });
    assert.ok(!back.some((line) => line.includes("note 49")));
    assert.ok(back.some((line) => line.includes("note 29")));
  });
});

describe("the dashboard without a screen", () => {
  it("says an iteration in a sentence", () => {
    const run = inTheMiddle();
    assert.equal(
      sentenceOf(run, iterationDone(27)),
      "Iteration 27 of 40: the lower bound is 67.5000 G$, +0.14 %; 4 forward passes cost 73.10 G$ on average; 8.9 s so far, about 4.3 s left.",
    );
    run.take({ rank: 0, type: "error", error: { message: "no solution" }, code: 1 });
    assert.equal(
      sentenceOf(run, { rank: 0, type: "error", error: { message: "no solution" }, code: 1 }),
      "Error: rank 0: no solution.",
    );
    assert.equal(lastSentence(run), "The run has failed.");
  });

  it("has the same columns in ASCII", () => {
    for (const view of VIEWS) {
      for (const line of shown(inTheMiddle(), { view }, { cuts: CUTS })) {
        const ascii = asciiText(line);
        assert.equal(ascii.length, columnsOf(line));
        assert.doesNotMatch(ascii, /[^ -~]|\?(?! help)/, line);
      }
    }
    assert.equal(asciiText("Três Marias 流"), "Tres Marias ?");
  });

  it("knows which locales have UTF-8", () => {
    assert.equal(hasUtf8({ LANG: "pt_BR.UTF-8" }), true);
    assert.equal(hasUtf8({ LANG: "pt_BR.UTF-8", LC_ALL: "C" }), false);
    assert.equal(hasUtf8({ LC_ALL: "", LC_CTYPE: "C.utf8" }), true);
    assert.equal(hasUtf8({}), false);
  });

  it("draws a picture of the screen with everything that is on it", () => {
    const lines = screenLines(
      inTheMiddle(),
      FIRST_SCREEN,
      { ...NOTHING_KNOWN, title: "a<b&c" },
      SMALL,
    );
    const svg = svgOf(lines, 80);
    assert.match(svg, /^<svg [^>]*width="696"/);
    assert.match(svg, /a&lt;b&amp;c/);
    assert.match(svg, /\[running\]/);
    assert.equal(svg.match(/<text /g)?.length, svg.match(/<\/text>/g)?.length);
  });
});
