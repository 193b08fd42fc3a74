/**
 * Which test file executes which code, and how long it takes. V8 counts; what it counted is kept until the test or a script that it loads
 * has changed.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { WorkerProcess } from "./worker-process.mjs";

/**
 * Runs a test file in an unchanged copy, or remembers how that went.
 *
 * @returns `{ test, ms, pause, key, scripts }`: the key stands for the text of the test and of the test code that it loads; `scripts`
 * has for each script of the copy its hash and the executed intervals as `[start, end, start, end, …]`
 */
export async function coverageOf(test, { copy, folder, env, isTestCode }) {
  const kept = join(folder, `${hashOf(test)}.json`);
  if (existsSync(kept)) {
    const coverage = JSON.parse(readFileSync(kept, "utf8"));
    if (coverage.env === JSON.stringify(env) && isStillTrue(coverage, copy)) return coverage;
  }
  const raw = join(copy, "coverage");
  rmSync(raw, { recursive: true, force: true });
  const fresh = ["packages", "scripts"].map((name) => pathToFileURL(join(copy, name, "/")).href);
  const worker = new WorkerProcess(copy, fresh, { ...env, NODE_V8_COVERAGE: raw });
  const result = await worker.run([join(copy, test)], [Number.POSITIVE_INFINITY]);
  await worker.close();
  if (!result.isFine)
    throw new Error(`${test} fails without any change: ${result.name}\n${result.output}`);
  const scripts = readCoverage(raw, copy);
  rmSync(raw, { recursive: true, force: true });
  const own = Object.entries(scripts).filter(([path]) => isTestCode(path));
  const texts = own.map(([path, { hash }]) => `${path} ${hash}`).sort();
  const key = hashOf([...texts, env.COBRE_TEST_SCOPE].join("\n"));
  const { ms, pause } = result;
  const coverage = { test, ms, pause, key, env: JSON.stringify(env), scripts };
  mkdirSync(folder, { recursive: true });
  writeFileSync(kept, JSON.stringify(coverage));
  return coverage;
}

/** Whether a script executes the code at an offset. */
export function executes({ scripts }, path, offset) {
  const intervals = scripts[path]?.executed ?? [];
  for (let i = 0; i < intervals.length; i += 2)
    if (offset >= intervals[i] && offset < intervals[i + 1]) return true;
  return false;
}

export function hashOf(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function isStillTrue({ scripts }, copy) {
  return Object.entries(scripts).every(([path, { hash }]) => {
    const file = join(copy, path);
    return existsSync(file) && hashOf(readFileSync(file, "utf8")) === hash;
  });
}

/** One file of `raw` per process. */
function readCoverage(raw, copy) {
  const inside = pathToFileURL(`${copy}/`).href;
  const executed = new Map();
  for (const name of readdirSync(raw)) {
    const { result } = JSON.parse(readFileSync(join(raw, name), "utf8"));
    for (const { url, functions } of result) {
      if (!url.startsWith(inside) || url.includes("/node_modules/")) continue;
      const path = relative(copy, fileURLToPath(url));
      if (!existsSync(join(copy, path))) continue;
      if (!executed.has(path)) {
        const text = readFileSync(join(copy, path), "utf8");
        executed.set(path, { hash: hashOf(text), marks: new Uint8Array(text.length) });
      }
      const { marks } = executed.get(path);
      const one = new Uint8Array(marks.length);
      const ranges = functions.flatMap((each) => each.ranges);
      // Inner ranges come after the outer ones that they correct.
      ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
      for (const { startOffset, endOffset, count } of ranges)
        one.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      for (let i = 0; i < one.length; i++) marks[i] |= one[i];
    }
  }
  const scripts = {};
  for (const [path, { hash, marks }] of executed)
    scripts[path] = { hash, executed: intervalsOf(marks) };
  return scripts;
}

function intervalsOf(marks) {
  const intervals = [];
  for (let i = 0; i <= marks.length; i++)
    if ((marks[i] ?? 0) !== (marks[i - 1] ?? 0)) intervals.push(i);
  return intervals;
}
