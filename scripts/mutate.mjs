// Changes the built code, one operator at a time, and asks the tests whether they notice.
//
//   npm run mutate                                everything of scripts/mutate/targets.mjs
//   npm run mutate -- sddp core                   some of it: targets, folders or files (sddp/stage/elements)
//   npm run mutate -- sddp --sample 100 --seed 7  a quick look at some changes
//   npm run mutate -- --jobs 1                    as many processes at a time; without it, one per core
//
// Ends with 1 if a target is below its share of noticed changes, or if an entry of scripts/mutate/equivalent.json is stale or wrong.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensureHighs } from "./highs.mjs";
import { applied, listChanges } from "./mutate/changes.mjs";
import { makeCopy } from "./mutate/copy.mjs";
import { coverageOf, executes, hashOf } from "./mutate/coverage.mjs";
import { Equivalents, entryOf } from "./mutate/equivalents.mjs";
import { Outcomes } from "./mutate/outcomes.mjs";
import { loadParser } from "./mutate/parser.mjs";
import { tellPlaces } from "./mutate/places.mjs";
import { describe, tabulate } from "./mutate/report.mjs";
import { affectedBy, codeOf, sourceOf, testsOf } from "./mutate/select.mjs";
import { endAll, WorkerProcess } from "./mutate/worker-process.mjs";
import { prepare, ROOT } from "./prepare.mjs";

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: String(availableParallelism()) },
    // Another checkout, built already: for the test of this program.
    in: { type: "string" },
  },
});
const root = resolve(options.in ?? ROOT);
const out = join(root, "out", "mutate");
// Of this run alone: another one may be under way in the same checkout.
const copies = Array.from({ length: Number(options.jobs) }, (_, i) =>
  join(out, `copy-${process.pid}-${i}`),
);
const cases = process.env.COBRE_REFERENCE_CASES ?? resolve(root, "../shared/cases");
const sharedEnv = {
  COBRE_TEST_SCOPE: "few",
  ...(existsSync(cases) ? { COBRE_REFERENCE_CASES: cases } : {}),
};

process.on("exit", () => {
  endAll();
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

if (options.in === undefined) {
  await prepare();
  await ensureHighs({ skip: (reason, tests) => console.log(`no ${tests}: ${reason}`) });
}
const parse = await loadParser();
if (parse === undefined) process.exit(2);
const { TARGETS, LEAST } = await import(
  pathToFileURL(join(root, "scripts/mutate/targets.mjs")).href
);
for (const copy of copies) makeCopy(root, copy);

const all = TARGETS.flatMap(listTarget);
if (all.length === 0) {
  console.error(`Nothing to change in ${words.join(", ")}; scripts/mutate/targets.mjs has a list.`);
  process.exit(2);
}
const chosen = options.sample === undefined ? all : sampled(all, Number(options.sample));
console.log(`${chosen.length} of ${all.length} changes`);
const coverages = await coverAll([...new Set(chosen.map(({ target }) => target))]);
const outcomes = new Outcomes(join(out, "outcomes.txt"));
const started = performance.now();
let done = 0;
let runs = 0;
const queue = [...chosen];
await Promise.all(copies.map(work));
process.exitCode = report();

/** All changes in the chosen files of a target. */
function listTarget(target) {
  return codeOf(target, words, root).flatMap((path) => {
    const built = join(root, path);
    const text = readFileSync(built, "utf8");
    return tellPlaces(built, text, listChanges(text, parse)).map((change) => ({
      ...change,
      target,
      path,
      text,
      file: sourceOf(path),
      key: hashOf([path, text, change.start, change.end, change.replacement].join("\0")),
    }));
  });
}

/** Some of the changes, always the same for a seed. */
function sampled(changes, count) {
  const order = ({ key }) => hashOf(`${options.seed} ${key}`);
  const few = [...changes].sort((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, count);
  return changes.filter((change) => few.includes(change));
}

/** The coverage of every test file of these targets, by target. */
async function coverAll(targets) {
  const byTarget = new Map();
  const isTestCode = (path) => /^packages\/[^/]+\/dist-test\//.test(path);
  for (const target of targets) {
    const found = [];
    for (const test of testsOf(target, root)) {
      const folder = join(out, "coverage");
      found.push(await coverageOf(test, { copy: copies[0], folder, env: sharedEnv, isTestCode }));
    }
    byTarget.set(target, found);
  }
  return byTarget;
}

/** Takes changes from the queue, one at a time, and makes each in a copy. */
async function work(copy) {
  const place = { copy, worker: undefined, fresh: undefined };
  for (let change = queue.shift(); change !== undefined; change = queue.shift()) {
    const tests = coverages
      .get(change.target)
      .filter((coverage) => executes(coverage, change.path, change.at))
      .sort((a, b) => price(a) - price(b));
    const known = tests.map(({ key }) => outcomes.of(change.key, key));
    change.isExecuted = tests.length > 0;
    if (known.includes(true)) change.isNoticed = true;
    else {
      const open = tests.filter((_, i) => known[i] === undefined);
      change.isNoticed = open.length > 0 && (await isNoticed(change, open, place));
    }
    done++;
    if (done % 100 === 0)
      console.log(`${done} of ${chosen.length}, ${seconds()} s, ${runs} runs of tests`);
  }
  await place.worker?.close();
}

/** What a test file takes for each change that it notices: the cheapest goes first. */
function price({ ms, key }) {
  return ms / outcomes.shareOf(key);
}

async function isNoticed(change, tests, place) {
  const { copy } = place;
  await ensureWorker(place, change.path);
  const file = join(copy, change.path);
  writeFileSync(file, applied(change.text, change));
  const pauses = tests.map(({ pause }) => pause);
  const paths = tests.map(({ test }) => join(copy, test));
  const result = await place.worker.run(paths, pauses);
  writeFileSync(file, change.text);
  runs++;
  const failed = result.isFine ? -1 : Math.max(0, paths.indexOf(result.file));
  const passed = result.isFine ? tests : tests.slice(0, failed);
  for (const { key } of passed) outcomes.add(change.key, key, false);
  if (!result.isFine) outcomes.add(change.key, tests[failed].key, true);
  return !result.isFine;
}

/** A worker that loads for each change whatever the file can affect. */
async function ensureWorker(place, path) {
  // Programs that a test loads take modules of packages with them.
  const folders = [...affectedBy(path, root).map((name) => join("packages", name)), "scripts"];
  const fresh = folders.map((name) => pathToFileURL(join(place.copy, name, "/")).href);
  if (place.worker !== undefined && !place.worker.isUsedUp && `${fresh}` === `${place.fresh}`)
    return;
  await place.worker?.close();
  place.worker = new WorkerProcess(place.copy, fresh, sharedEnv);
  place.fresh = fresh;
}

function report() {
  const equivalents = new Equivalents(join(root, "scripts/mutate/equivalent.json"));
  const wrong = [];
  const found = chosen.map((change) => {
    const isEquivalent = equivalents.has(change);
    if (isEquivalent && change.isNoticed) wrong.push(change);
    const outcome = change.isNoticed ? "noticed" : isEquivalent ? "equivalent" : "survived";
    return { ...change, target: change.target.name, outcome };
  });
  const survivors = found.filter(({ outcome }) => outcome === "survived");
  const { text, low } = tabulate(found, LEAST);
  mkdirSync(out, { recursive: true });
  writeFileSync(
    join(out, "survivors.json"),
    `${JSON.stringify(survivors.map(entryOf), undefined, 2)}\n`,
  );
  const list = (title, lines) => (lines.length === 0 ? [] : [`\n${title}:`, ...lines]);
  const isWhole = options.sample === undefined;
  const stale = isWhole ? equivalents.stale(new Set(all.map(({ file }) => file))) : [];
  const lines = [
    ...list(
      "Nobody noticed",
      survivors.map((one) => `${describe(one)}${one.isExecuted ? "" : "   (never executed)"}`),
    ),
    ...list(
      "In equivalent.json, but no such code",
      stale.map(({ file, before }) => `${file}  ${JSON.stringify(before)}`),
    ),
    ...list("In equivalent.json, but noticed", wrong.map(describe)),
    `\n${text}`,
    `\n${chosen.length} changes in ${seconds()} s, ${runs} runs of tests; survivors in ${join(out, "survivors.json")}`,
    ...(isWhole ? low.map((target) => `${target}: less than ${LEAST} % noticed`) : []),
  ];
  console.log(lines.join("\n"));
  writeFileSync(join(out, "report.txt"), `${lines.join("\n")}\n`);
  return (isWhole && low.length > 0) || stale.length > 0 || wrong.length > 0 ? 1 : 0;
}

function seconds() {
  return Math.round((performance.now() - started) / 1000);
}
