/** `cobre report`: for people on pages of any width, for programs as JSON. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createCommunicator } from "@cobre/comm";
import { renderReport } from "@cobre/report";
import { loadCase } from "@cobre/sddp";
import { openRun, type Report, reportOf, runStudy, summaryOfReport } from "@cobre/study";
import { chart } from "../dist/report/chart.js";
import { exactMoney, money, share } from "../dist/report/numbers.js";
import { bar, type Page, pageOf, table, wrapped } from "../dist/report/page.js";
import { reportText } from "../dist/report/report-text.js";
import { CobreProcess } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

const PLAIN: Page = { width: 100, hasColors: false };
/** The escape sequences of styles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are
const STYLE = /\x1b\[\d+m/g;

let folder = "";
let output = "";
let report: Report;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-report-"));
  output = join(folder, "out");
  const size = { iterations: 4, scenarios: 6 };
  const source = await loadCase(copyExample("four-regions", join(folder, "case"), size));
  using comm = await createCommunicator({ kind: "local" });
  await runStudy(comm, source, { output });
  report = await reportOf(await openRun(output));
});
after(() => rmSync(folder, { recursive: true }));

const textOn = (page: Page, of = report) => reportText(page, of, summaryOfReport(of));

describe("cobre report", { timeout: 60_000 }, () => {
  it("prints the report for people in a pipe: no colours, no control characters", async () => {
    const { code, stdout, stderr } = await CobreProcess.start(["report", output]).finished;
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(stdout, textOn(PLAIN));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    assert.doesNotMatch(stdout, /[\x00-\x09\x0b-\x1f]/);
  });

  it("prints JSON for programs", async () => {
    const { code, stdout } = await CobreProcess.start(["report", output, "--json"]).finished;
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(summaryOfReport(report))));
  });

  it("writes a page to look at, or says why it cannot", async () => {
    const file = join(folder, "pages", "report.html");
    const { code, stdout, stderr } = await CobreProcess.start(["report", output, "--html", file])
      .finished;
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^.*report\.html \(\d\.\d MB\)\n$/);
    assert.equal(readFileSync(file, "utf8"), renderReport(report));
    const refused = await CobreProcess.start(["report", output, "--html", join(file, "below")])
      .finished;
    assert.equal(refused.code, 4);
    assert.match(refused.stderr, /cannot be written/);
    const both = await CobreProcess.start(["report", output, "--html", file, "--json"]).finished;
    assert.equal(both.code, 2);
  });

  it("calls nothing but the lower bound a bound", () => {
    const lines = textOn(PLAIN).split("\n");
    const line = (name: string) => lines.find((one) => one.startsWith(name)) ?? assert.fail(name);
    assert.match(line("  lower bound"), /no policy costs less on average/);
    assert.match(line("  simulated mean"), / ± .*what the policy costs: 6 scenarios/);
    assert.match(textOn(PLAIN), /forward mean .*16 forward passes .*a sample, not a\s+bound/);
    assert.doesNotMatch(textOn(PLAIN), /upper bound/i);
  });

  it("does not compare a risk-adjusted bound with a mean, nor an estimate", () => {
    const averse = { ...report, run: { ...report.run, isRiskNeutral: false } };
    assert.match(textOn(PLAIN), /costs .* more than the bound/);
    assert.doesNotMatch(textOn(PLAIN, averse), /more than the bound/);
    assert.match(textOn(PLAIN, averse), /risk-adjusted cost: a mean cannot be compared with it/);
    const training = report.run.training ?? assert.fail();
    const warm = {
      ...report,
      run: { ...report.run, training: { ...training, lowerBoundCaveats: ["foreign_cuts"] } },
    };
    assert.doesNotMatch(textOn(PLAIN, warm), /more than the bound|no policy costs less/);
  });

  it("fits every terminal, and says everything without colours", () => {
    for (let width = 40; width <= 120; width++) {
      for (const line of textOn({ width, hasColors: false }).split("\n")) {
        assert.ok(line.length <= width, `${line.length} of ${width}: ${line}`);
        assert.equal(line, line.trimEnd());
      }
    }
    const coloured = textOn({ width: 100, hasColors: true });
    assert.match(coloured, STYLE);
    assert.equal(coloured.replaceAll(STYLE, "").replaceAll(/ +$/gm, ""), textOn(PLAIN));
  });

  it("says what is not there", () => {
    const nothing = { ...report, simulation: undefined };
    assert.match(textOn(PLAIN, nothing), /no simulation in this run/);
  });

  it("tells how busy the ranks were", () => {
    assert.doesNotMatch(textOn(PLAIN), /waiting and moving|ranks are/);
    const times = [90, 70].map((solving, rank) => {
      return { rank, solving, communication: 10, waiting: 8, rest: 0, lpSolves: 5 };
    });
    const training = { ...(report.run.training ?? assert.fail()), ranks: 2 };
    const two = textOn(PLAIN, {
      ...report,
      run: { ...report.run, training },
      time: { ...(report.time ?? assert.fail()), ranks: times },
    });
    assert.match(two, /waiting and moving/);
    assert.match(two, /ranks are in the solver 88 % to 90 % of their time/);
  });
});

describe("the page of a report", () => {
  it("is that of the terminal, within limits; elsewhere it has a width of its own", () => {
    const hasColors = () => true;
    const terminal = (columns: number) => pageOf({ isTTY: true, columns, hasColors });
    assert.deepEqual(terminal(80), { width: 80, hasColors: true });
    assert.deepEqual([terminal(20).width, terminal(500).width], [40, 120]);
    assert.deepEqual(pageOf({ hasColors, columns: 80 }), { width: 100, hasColors: false });
    assert.equal(pageOf({ isTTY: true, hasColors: () => false }).hasColors, false);
  });

  it("breaks lines between words, but not before a unit", () => {
    const page = { width: 30, hasColors: false };
    assert.deepEqual(wrapped(page, "the mean of all scenarios is 12 G$ ± 3 %", "! "), [
      "! the mean of all scenarios is",
      "  12 G$ ± 3 %",
    ]);
  });

  it("leaves out the columns that can be spared when a table is too wide", () => {
    const column = (title: string, need?: "needed" | "spare") => ({
      title,
      cells: ["x".repeat(10)],
      ...(need && { need }),
    });
    const columns = [column("a", "needed"), column("b", "spare"), column("c"), column("d")];
    const shown = (width: number) =>
      table({ width, hasColors: false }, columns)[0]?.split(/ +/).join("");
    assert.deepEqual([shown(48), shown(47), shown(35), shown(20)], ["abcd", "acd", "ac", "a"]);
  });

  it("has numbers that people read", () => {
    const amounts = [0, 999.6, 1000, 75_400_000_000, -1234.5, 1e-9, Number.NaN].map(money);
    const expected = ["0 $", "1.00 k$", "1.00 k$", "75.4 G$", "-1.23 k$", "1.00e-9 $", "–"];
    assert.deepEqual(amounts, expected);
    assert.equal(exactMoney(101_877_001_163), "101.9 G$");
    const shares = [0, 0.01, 0.44, 12.3, 99.4, 99.95, 100].map(share);
    assert.deepEqual(shares, ["0 %", "< 0.1 %", "0.4 %", "12 %", "99.4 %", "> 99.9 %", "100 %"]);
    assert.deepEqual(
      [0, 0.001, 0.5, 1, 2].map((part) => bar(part, 4)),
      ["", "▏", "██", "████", "████"],
    );
  });
});

describe("a chart in characters", () => {
  const draw = (line: number[], points: number[], level?: number) =>
    chart(
      { width: 20, hasColors: false },
      { x: line.map((_, i) => i + 1), line, points, level, rows: 3, label: String },
    );

  it("goes up in steps, with points beside the line and at the edges", () => {
    assert.deepEqual(draw([0, 5, 5, 10], [10, 0, 5, 99]), [
      "  10 ┤ ·       ╭─^─",
      "   5 ┤   ╭─────╯",
      "   0 ┤───╯·",
      "     └─────────────",
      "      1           4",
    ]);
  });

  it("has a level to compare with", () => {
    const [top] = draw([1, 2], [1, 1], 3);
    assert.match(top ?? "", /^ +3 ┤┄+$/);
  });

  it("shows a line that does not move, and nothing if there is nothing", () => {
    assert.match(draw([7, 7], [7, 7])[1] ?? "", /^ +7 ┤─+$/);
    assert.deepEqual(draw([], []), []);
  });
});
