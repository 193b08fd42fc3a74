/** The page of a real run in a real Chromium: its numbers, and what mouse and keys do. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCommunicator } from "@cobre/comm";
import { renderReport } from "@cobre/report";
import { loadCase } from "@cobre/sddp";
import { openRun, type Run, reportOf, runStudy } from "@cobre/study";
import { runsRest } from "@cobre/testing/scope";
import { describePage, rowsOf, untilReady } from "./chromium.js";

const CASE = fileURLToPath(new URL("../../../examples/cases/four-regions", import.meta.url));
const SETTINGS = {
  training: { stopping_rules: [{ type: "iteration_limit", limit: 2 }] },
  simulation: { enabled: true, num_scenarios: 8 },
};

let run: Run;

async function pageOfRun(folder: string): Promise<string> {
  const output = join(folder, "out");
  using comm = await createCommunicator({ kind: "local" });
  await runStudy(comm, await loadCase(CASE, SETTINGS), { output });
  run = await openRun(output);
  return renderReport(await reportOf(run));
}

describePage("the page of a run", runsRest, pageOfRun, (onPage) => {
  /** The storages of a plant by stage, each over the scenarios in ascending order, from the Parquet files. */
  async function storages(plant: number): Promise<number[][]> {
    const stages: number[][] = [];
    const columns = ["stage_id", "hydro_id", "block_id", "storage_final_hm3"] as const;
    const { simulation = assert.fail() } = run;
    for await (const { columns: of, rows } of simulation.scenariosOf("hydros", columns)) {
      for (let row = 0; row < rows; row++) {
        if (of.hydro_id[row] !== plant || of.block_id[row] !== 0) continue;
        const stage = of.stage_id[row] as number;
        stages[stage] = [...(stages[stage] ?? []), of.storage_final_hm3[row] as number];
      }
    }
    return stages;
  }

  onPage("draws all charts", async (page) => {
    const seen = await page.$$eval("figure.chart", (figures) =>
      figures.map((figure) => ({
        id: figure.id,
        isDrawn: [...figure.querySelectorAll<SVGSVGElement>(".plot svg[viewBox]")].some(
          (svg) => svg.getBoundingClientRect().height > 60,
        ),
      })),
    );
    assert.ok(seen.length > 40, `${seen.length} charts`);
    assert.deepEqual(
      seen.filter(({ isDrawn }) => !isDrawn),
      [],
    );
  });

  onPage("shows the numbers of the Parquet files", async (page) => {
    const { training = assert.fail() } = run;
    const { columns } = await training.convergence();
    const bounds = (await rowsOf(page, "bounds")).map((row) => Number(row[1]));
    assert.deepEqual(bounds, [...columns.lower_bound]);
    const mean = await page.textContent('#cost-statistics [data-key="mean"]');
    const metadata = run.simulation?.metadata.mean as number;
    assert.ok(Math.abs(Number(mean) - metadata) <= 1e-12 * metadata);
    const rows = await rowsOf(page, "storage-0");
    for (const [stage, values] of (await storages(0)).entries()) {
      const sorted = [...values].sort((a, b) => a - b);
      const median = ((sorted[3] as number) + (sorted[4] as number)) / 2;
      assert.equal(Number(rows[stage]?.[1]), sorted[0]);
      assert.ok(Math.abs(Number(rows[stage]?.[4]) - median) <= 1e-9 * median);
      assert.equal(Number(rows[stage]?.[7]), sorted.at(-1));
    }
  });

  onPage(
    "draws a chosen scenario into all charts, where the Parquet files have it",
    async (page) => {
      await untilReady(page);
      await page.click('[data-jump="1"]');
      const output = await page.textContent('[data-chosen="a"]');
      const scenario = Number(/^(\d+): costs .*, 8 of 8 by cost$/.exec(output ?? "")?.[1]);
      const { lines, drawn } = await page.evaluate(() => {
        const figures = [...document.querySelectorAll<HTMLElement>("figure[data-scenario]")];
        const lines = figures.filter(({ dataset }) => !dataset.scenario?.includes("stack"));
        return {
          lines: lines.length,
          drawn: lines.filter((f) => f.querySelector(".path.a")).length,
        };
      });
      assert.ok(lines > 30);
      assert.equal(drawn, lines);
      const path = (await page.getAttribute("#storage-0 .path.a", "d")) ?? "";
      const scale = (await page.getAttribute("#storage-0 svg", "data-y")) ?? "";
      const [from = 0, to = 0, low = 0, high = 0] = scale.split(" ").map(Number);
      const ys = path
        .split(/[ML]/)
        .slice(2)
        .map((point) => Number(point.split(" ")[1]));
      const expected = (await storages(0)).map(
        (values) => low + (((values[scenario] as number) - from) / (to - from)) * (high - low),
      );
      assert.equal(ys.length, expected.length);
      ys.forEach((y, stage) => {
        assert.ok(Math.abs(y - (expected[stage] as number)) < 0.06, `stage ${stage}`);
      });
      assert.match((await page.textContent("#generation-all h3")) ?? "", /scenario \d+ instead/);
      await page.click("[data-compare]");
      assert.equal(await page.locator("#storage-0 .path").count(), 2);
      await page.click("[data-clear]");
      assert.equal(await page.locator(".path").count(), 0);
    },
  );

  onPage("stacks the bars of the scenario, and those of the mean again", async (page) => {
    await untilReady(page);
    const bars = () =>
      page.$$eval("#generation-all .wide rect", (rects) =>
        rects.map((rect) => `${rect.getAttribute("y")} ${rect.getAttribute("height")}`),
      );
    const means = await bars();
    await page.click('[data-jump="0"]');
    assert.notDeepEqual(await bars(), means);
    await page.click("[data-clear]");
    assert.deepEqual(await bars(), means);
  });

  onPage("answers the mouse", async (page) => {
    await untilReady(page);
    const plot = page.locator("#storage-0 .plot");
    await plot.hover();
    const tip = page.locator("#tip");
    assert.match((await tip.textContent()) ?? "", /20\d\d.*median.*hm³/);
    await plot.click();
    assert.match((await page.textContent('[data-chosen="a"]')) ?? "", /by cost$/);
    assert.match((await tip.textContent()) ?? "", /median/);
    await plot.hover();
    assert.match((await tip.textContent()) ?? "", /scenario \d+/);
    await page.mouse.move(2, 2);
    assert.equal(await tip.isVisible(), false);
  });

  onPage("answers the keys", async (page) => {
    await page.focus("#storage-0 .plot");
    const title = () => page.textContent("#tip b");
    const stages = (await rowsOf(page, "storage-0")).map(([name]) => name);
    await page.keyboard.press("ArrowRight");
    assert.equal(await title(), stages[0]);
    await page.keyboard.press("ArrowRight");
    assert.equal(await title(), stages[1]);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await title(), stages[0]);
    await page.keyboard.press("End");
    assert.equal(await title(), stages.at(-1));
    await page.keyboard.press("Escape");
    assert.equal(await page.isVisible("#tip"), false);
  });

  onPage("shows convergence on a logarithmic axis on request", async (page) => {
    await page.check(".log-switch");
    assert.equal(await page.isVisible("#bounds .wide .log svg"), true);
    assert.equal(await page.isVisible("#bounds .wide .linear svg"), false);
  });

  onPage("draws the value functions of any stage", async (page) => {
    const shape = () => page.getAttribute('[data-reservoir="0"] .value', "d");
    const table = () => page.textContent('[data-reservoir="0"] tbody');
    const before = [await shape(), await table()];
    await page.locator("[data-value-stage]").fill("5");
    const now = [await shape(), await table()];
    assert.notEqual(now[0], before[0]);
    assert.notEqual(now[1], before[1]);
    assert.doesNotMatch(now[0] ?? "", /NaN/);
  });

  onPage("shows one bus in the chart of the system, and the system again", async (page) => {
    await untilReady(page);
    const bars = () =>
      page.$$eval("#generation-all .wide rect", (rects) =>
        rects.map((rect) => Number(rect.getAttribute("height"))),
      );
    const columns = (id: string) =>
      page.$$eval(`#${id} thead th`, (cells) =>
        cells.map((c) => c.firstChild?.textContent?.trim()),
      );
    const unit = () => page.textContent("#generation-all .wide .unit");
    const whole = {
      bars: await bars(),
      rows: await rowsOf(page, "generation-all"),
      unit: await unit(),
    };
    const options = await page.$$eval("[data-places] option", (all) =>
      all.map((option) => [(option as HTMLOptionElement).value, option.textContent] as const),
    );
    assert.deepEqual(options[0], ["", "all buses"]);
    assert.ok(options.length > 3);
    for (const [id, name] of options.slice(1)) {
      await page.selectOption("[data-places]", id);
      assert.match((await page.textContent("#generation-all h3")) ?? "", new RegExp(`· ${name}$`));
      const own = await columns(id);
      const all = await columns("generation-all");
      const expected = (await rowsOf(page, id)).map((row) =>
        all.map((column) => row[own.indexOf(column)] ?? "0"),
      );
      assert.deepEqual(await rowsOf(page, "generation-all"), expected, name ?? "");
      const drawn = await bars();
      assert.ok(drawn.every((height) => height >= 0 && height < 300));
      assert.ok(Math.max(...drawn) > 60, `${name} has an axis that suits it`);
    }
    // The first bus: its bars have the height of the numbers, on an axis that suits them.
    const [, [first = ""] = []] = options;
    await page.selectOption("[data-places]", first);
    const heights = await bars();
    const hydro = (await rowsOf(page, "generation-all")).map((row) => Number(row[1]));
    const perPixel = (hydro[0] as number) / (heights[0] as number);
    hydro.forEach((value, stage) => {
      assert.ok(Math.abs(value / perPixel - (heights[stage] as number)) < 0.2, `stage ${stage}`);
    });
    await page.click('[data-jump="1"]');
    assert.notDeepEqual(await bars(), heights, "the scenario of this bus");
    await page.click("[data-clear]");
    assert.deepEqual(await bars(), heights);
    await page.selectOption("[data-places]", "");
    const again = {
      bars: await bars(),
      rows: await rowsOf(page, "generation-all"),
      unit: await unit(),
    };
    assert.deepEqual(again, whole);
  });

  onPage("saves tables and drawings", async (page) => {
    const saved = async (label: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.click(`#storage-0 .tools button:has-text("${label}")`),
      ]);
      assert.equal(download.suggestedFilename(), `storage-0.${label.toLowerCase()}`);
      return readFileSync(await download.path());
    };
    const [head, ...lines] = String(await saved("CSV"))
      .trim()
      .split("\n");
    assert.equal(head?.split(",")[4], "median (hm³)");
    assert.deepEqual(
      lines.map((line) => line.split(",")),
      await rowsOf(page, "storage-0"),
    );
    const svg = String(await saved("SVG"));
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.match(svg, /--hydro:\s*#0072b2/);
    const png = (await saved("PNG")).toString("base64");
    const { width, height, colours } = await page.evaluate(coloursOf, png);
    assert.deepEqual([width, height], [2 * 343, 2 * (28 + 190)]); // the title has 28 pixels
    assert.ok(colours.includes("0,114,178"), "the median is blue");
    assert.ok(colours.includes("255,255,255"), "on white");
  });
});

/** Runs in the page: the size of a picture, and the colours in it. */
async function coloursOf(base64: string) {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await image.decode();
  const { width, height } = image;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const pixels = new Set(new Uint32Array(data.buffer));
  const colours = [...pixels].map((rgba) => [0, 8, 16].map((bit) => (rgba >> bit) & 255).join(","));
  return { width, height, colours };
}
