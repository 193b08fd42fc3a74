/** The page without a browser: what is in it, what is not, and how large it is. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Script } from "node:vm";
import { renderReport } from "@cobre/report";
import type { Report } from "@cobre/study";
import { clientScript } from "#internal";
import { madeReport } from "./made-report.js";

const report = madeReport({ reservoirs: 3, stages: 24, scenarios: 20 });
const page = renderReport(report);

/** The section with an id. */
function section(html: string, id: string): string {
  const start = html.indexOf(`<section id="${id}"`);
  assert.notEqual(start, -1, `no section ${id}`);
  return html.slice(start, html.indexOf("</section>", start));
}

const figures = (html: string) =>
  [...html.matchAll(/<figure [^>]*id="([^"]+)"/g)].map(([, id]) => id);

describe("the page", () => {
  it("answers every question with charts", () => {
    const counts = {
      convergence: 1,
      costs: 2,
      generation: 4,
      reservoirs: 3,
      "water-values": 6,
      prices: 9,
      exchanges: 9,
      time: 1,
    };
    for (const [id, count] of Object.entries(counts)) {
      assert.equal(figures(section(page, id)).length, count, id);
    }
    assert.equal(new Set(figures(page)).size, figures(page).length, "ids are used once");
  });

  it("shows sources, pumps and contracts where there are some", () => {
    assert.doesNotMatch(page, /other-plants|>imports|non-controllable/);
    const size = { reservoirs: 2, stages: 6, scenarios: 5, others: 2 };
    const whole = renderReport(madeReport(size));
    const others = section(whole, "other-plants");
    assert.equal(figures(others).length, 6);
    for (const text of ["curtailed", "pumped", "contract 1 (export)", "wind 0"]) {
      assert.ok(others.includes(text), text);
    }
    const generation = section(whole, "generation");
    for (const text of ["non-controllable sources", "imports", "load, pumps, exports"]) {
      assert.ok(generation.includes(text), text);
    }
    assert.doesNotMatch(generation.slice(0, generation.indexOf("By bus")), /NaN|undefined/);
  });

  it("tells the verdict and the warnings first", () => {
    const head = page.slice(0, page.indexOf('<section id="convergence"'));
    assert.match(head, /Trained 40 iterations\./);
    assert.match(head, /Mind this\..*Do <code>that<\/code>\./);
  });

  it("draws every chart without a script", () => {
    for (const html of page.split("<figure ").slice(1)) {
      const id = /id="([^"]+)"/.exec(html)?.[1];
      const svg = html.slice(html.indexOf("<svg"), html.lastIndexOf("</svg>"));
      assert.match(svg, /<(?:path|rect) class="(?!grid|mark)|<g class/, `${id} is empty`);
      assert.doesNotMatch(svg, /NaN|Infinity|undefined/, id);
      assert.match(html, /<table>/, `${id} has no table`);
    }
  });

  it("needs no network", () => {
    assert.doesNotMatch(page.replaceAll("http://www.w3.org/2000/svg", ""), /https?:\/\//);
    assert.doesNotMatch(page, /<script[^>]+src=|@import|url\(/);
  });

  it("has the numbers of the report in full precision", () => {
    const { storage } = report.simulation?.hydros ?? assert.fail();
    const { values } = storage.bands();
    const html = section(page, "reservoirs");
    for (const value of values) assert.ok(html.includes(`<td>${value}</td>`), String(value));
    const bounds = section(page, "convergence");
    for (const bound of report.convergence?.lowerBound ?? []) {
      assert.ok(bounds.includes(`<td>${bound}</td>`), String(bound));
    }
  });

  it("gives stages their months", () => {
    assert.match(page, /<th scope="row">Mar 2026<\/th>/);
    assert.match(page, />Jan ’27</);
  });

  it("says why something is missing", () => {
    const trained = renderReport({ ...report, simulation: undefined });
    for (const id of ["costs", "generation", "reservoirs", "water-values", "prices", "exchanges"]) {
      assert.match(section(trained, id), /No simulation in this run/, id);
    }
    assert.doesNotMatch(trained, /id="explorer"/);
    const simulated = renderReport({
      ...report,
      run: { ...report.run, training: undefined },
      convergence: undefined,
      time: undefined,
      values: undefined,
    });
    assert.match(section(simulated, "convergence"), /No training in this run/);
    assert.match(section(simulated, "time"), /No training in this run/);
    assert.match(section(simulated, "water-values"), /No cuts to draw/);
    const uncounted = renderReport({ ...report, collectives: [] });
    assert.match(section(uncounted, "time"), /This run did not count them/);
  });

  it("tells what each rank called, and the command that was typed", () => {
    const row = '<th scope="row">1</th><th scope="row">fence</th><td>960</td><td>0</td><td>90</td>';
    assert.ok(section(page, "time").includes(`${row}<td>80</td>`));
    assert.match(section(page, "time"), /A rank called 963 collectives/);
    assert.match(section(page, "provenance"), /<code>cobre run made -n 2<\/code>/);
    const two = [
      { host: "a", ranks: [0, 1, 2, 5] },
      { host: "b", ranks: [3, 4] },
    ];
    const { training = assert.fail() } = report.run;
    const run = { ...report.run, training: { ...training, nodes: 2, machines: two } };
    const spread = section(renderReport({ ...report, run }), "provenance");
    assert.match(spread, /a: 0–2, 5; b: 3–4 \(ranks\)/);
  });

  it("takes names as text", () => {
    const name = `<script>alert("1")</script>&`;
    const { simulation = assert.fail() } = report;
    const plants = simulation.hydros.plants.map((plant) => ({ ...plant, name }));
    const named: Report = {
      ...report,
      verdict: name,
      simulation: { ...simulation, hydros: { ...simulation.hydros, plants } },
      values: report.values && { ...report.values, reservoirs: plants },
    };
    assert.doesNotMatch(renderReport(named), /<script>alert/);
  });

  it("tells a run that has not measured its waiting apart", () => {
    const { time = assert.fail() } = report;
    const unknown = time.waiting.map(() => Number.NaN);
    const old = renderReport({ ...report, time: { ...time, waiting: unknown, moving: unknown } });
    assert.match(section(old, "time"), /in collectives, waiting included/);
    assert.match(section(page, "time"), /waiting for other ranks/);
  });

  it("has a script whose names are used once", () => {
    new Script(clientScript());
    assert.doesNotMatch(clientScript(), /^\s*(?:import|export) /m);
    assert.ok(clientScript().length < 60_000);
  });

  it("stays below 15 MB with 200 scenarios, 60 stages and 30 reservoirs", (t) => {
    const start = performance.now();
    const large = renderReport(madeReport({ reservoirs: 30, stages: 60, scenarios: 200 }));
    t.diagnostic(
      `${(large.length / 1e6).toFixed(1)} MB in ${Math.round(performance.now() - start)} ms`,
    );
    assert.ok(Buffer.byteLength(large) < 15e6);
    assert.match(large, /data-search/, "more than twelve charts can be searched");
  });
});
