/**
 * Python's part of the tests: style, types and tests of python/, then the wheel in an empty virtual environment, where the lines of
 * README.md run as they stand there.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ROOT } from "./prepare.mjs";
import { ensurePackages } from "./system-packages.mjs";
import { testEnvironment } from "./test-environment.mjs";
import { isChosen } from "./test-files.mjs";
import { runAside } from "./test-lanes.mjs";

const FOLDER = join(ROOT, "python");
const REQUIREMENTS = join(FOLDER, "requirements.txt");
const MADE = join(ROOT, "out", "python");
const SYSTEM_PACKAGES = ["python3", "python3-venv"];
/** The versions in requirements.txt need this Python. The package itself supports 3.10. */
const OLDEST = [3, 11];
const WHEEL = "python/wheel";

/** What of Python the words choose in a scope: style and types are quick, the wheel belongs to the rest. */
export function choosePython(words, scope) {
  const tests = readdirSync(join(FOLDER, "tests"), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /^test_.*\.py$/.test(name))
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
  return {
    checks: scope !== "rest" && (words.length === 0 || words.includes("python")),
    tests: tests.filter((path) => isChosen(path, words)),
    wheel: scope !== "quick" && isChosen(WHEEL, words),
  };
}

/** What was chosen of Python, with the environment it needs. */
export class PythonTests {
  #chosen;
  #scope;
  #results;
  #python;
  #environment;

  /** Begins to make the environment, and returns at once. */
  static prepare(chosen, scope, results) {
    return new PythonTests(chosen, scope, results);
  }

  constructor(chosen, scope, results) {
    this.#chosen = chosen;
    this.#scope = scope;
    this.#results = results;
    const { python, reason } = findPython();
    this.#python = python;
    if (python === undefined) results.skip(reason, "tests of Python");
    else this.#environment = makeEnvironment(python);
  }

  /** Runs what was chosen; adds what became of it to the results. */
  async run() {
    if (this.#python === undefined) return;
    const venv = await this.#environment;
    if (venv === undefined) {
      this.#results.skip("python/requirements.txt could not be installed", "tests of Python");
      return;
    }
    const { checks, tests, wheel } = this.#chosen;
    const tool = (name) => join(venv, "bin", name);
    if (checks) {
      await this.#check("style", tool("ruff"), ["check", "."]);
      await this.#check("format", tool("ruff"), ["format", "--check", "."]);
      await this.#check("types", tool("mypy"), []);
    }
    if (tests.length > 0) await this.#runTests(tool("python"), tests);
    if (wheel) {
      console.log("\nPython: wheel");
      this.#note("wheel", await tryWheel(this.#python, tool("pip")));
    }
  }

  async #check(name, file, args) {
    console.log(`\nPython: ${name}`);
    this.#note(name, (await succeeds(file, args)) ? undefined : "see above");
  }

  #note(name, why) {
    this.#results.add(why === undefined ? { passed: 1 } : { failed: [`Python: ${name}: ${why}`] });
  }

  async #runTests(python, tests) {
    const folder = mkdtempSync(join(tmpdir(), "cobre-pytest-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const found = await this.#tryTests(python, tests, folder);
    this.#results.add(found);
    if (found.failed.length === 0) return;
    this.#results.mayRunAgain("python/tests", found, async () => {
      const again = await this.#tryTests(python, tests, folder, ["--last-failed"]);
      return { ...again, passed: again.passed + found.passed };
    });
  }

  async #tryTests(python, tests, folder, more = []) {
    const report = join(folder, "report.xml");
    const options = [
      "--durations=10",
      "-o",
      `cache_dir=${join(folder, "cache")}`,
      `--junit-xml=${report}`,
      ...more,
    ];
    const files = tests.map((file) => relative("python", file));
    const start = performance.now();
    const env = { ...environment(true), COBRE_TEST_SCOPE: this.#scope };
    const args = ["-m", "pytest", ...options, ...files];
    const { output, code, failure } = await runAside(python, args, { cwd: FOLDER, env });
    process.stdout.write(`\nPython: tests\n${output}`);
    this.#results.addTime("python/tests", performance.now() - start);
    const found = readReport(existsSync(report) ? readFileSync(report, "utf8") : "");
    // Nothing to run in these files is no failure.
    const hasPassed = failure === undefined || code === NO_TESTS;
    if (!hasPassed && found.failed.length === 0) found.failed.push(`Python: tests: ${failure}`);
    return found;
  }
}

/** Counts what pytest has written, in the form that JUnit began. */
function readReport(report) {
  const found = { passed: 0, failed: [], skipped: [] };
  for (const [, attributes, content = ""] of report.matchAll(TEST_CASE)) {
    const name = unescaped(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? "");
    const [, how, why = ""] =
      /<(failure|error|skipped)\b[^>]*?message="([^"]*)"/.exec(content) ?? [];
    if (how === undefined) found.passed++;
    else if (how === "skipped") found.skipped.push({ reason: unescaped(why), name });
    else found.failed.push(`Python: ${name}: ${unescaped(why)}`);
  }
  return found;
}

/** How pytest ends when there was nothing to run. */
const NO_TESTS = 5;

const TEST_CASE = /<testcase\b([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs;

function unescaped(text) {
  const characters = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#10;": "\n", "&amp;": "&" };
  return text.replace(/&(?:lt|gt|quot|#10|amp);/g, (found) => characters[found]);
}

/** A Python that can create virtual environments: the one on PATH, or the distribution's, which is installed if that is allowed. */
export function findPython() {
  const usable = () => ["python3", "/usr/bin/python3"].find(canBeUsed);
  let python = usable();
  if (python !== undefined) return { python };
  const { missing, reason, command } = ensurePackages(SYSTEM_PACKAGES, { log: console.log });
  python = usable();
  if (python !== undefined) return { python };
  const wanted = `Python ${OLDEST.join(".")} or later with venv`;
  const remedy = missing.length > 0 ? `: ${reason}. To install it: ${command}` : "";
  return { reason: `there is no ${wanted}${remedy}` };
}

function canBeUsed(python) {
  const script = `import ensurepip, sys, venv; sys.exit(sys.version_info < (${OLDEST.join(", ")}))`;
  return spawnSync(python, ["-c", script], { stdio: "ignore" }).status === 0;
}

/** The virtual environment of the tests; made again if Python or the versions have changed. */
async function makeEnvironment(python) {
  const version = spawnSync(python, ["-VV"], { encoding: "utf8" }).stdout;
  const hash = createHash("sha256").update(version).update(readFileSync(REQUIREMENTS));
  const venv = join(MADE, `venv-${hash.digest("hex").slice(0, 12)}`);
  const done = join(venv, "complete");
  if (existsSync(done)) return venv;
  console.log("\nPython: installing python/requirements.txt …");
  rmSync(MADE, { recursive: true, force: true });
  mkdirSync(MADE, { recursive: true });
  // One process for both steps: this one may be busy with installing and building meanwhile.
  const script = '"$1" -m venv "$2" && pip="$2/bin/pip" && shift 2 && exec "$pip" "$@"';
  const args = ["-c", script, "sh", python, venv, ...PIP_INSTALL, "-r", REQUIREMENTS];
  const { output, failure } = await runAside("sh", args, { cwd: FOLDER, env: environment() });
  process.stdout.write(output);
  if (failure !== undefined) return undefined;
  mkdirSync(done);
  return venv;
}

export const PIP_INSTALL = ["install", "--quiet", "--disable-pip-version-check", "--no-input"];

/** Builds the wheel, installs it in an empty environment, and runs the examples of the README. Returns what went wrong. */
async function tryWheel(python, pip) {
  const folder = mkdtempSync(join(tmpdir(), "cobre-wheel-"));
  try {
    const build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, FOLDER];
    if (!(await succeeds(pip, build))) return "it could not be built";
    const wheel = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith(".whl")),
    );
    const venv = join(folder, "venv");
    if (!(await succeeds(python, ["-m", "venv", venv])))
      return "there is no virtual environment for it";
    if (!(await succeeds(join(venv, "bin/pip"), [...PIP_INSTALL, wheel])))
      return "it could not be installed";
    const lines = readmeLines();
    if (lines.length === 0) return "README.md has no Python examples";
    const run = (args) => succeeds(join(venv, "bin/python"), args, { cwd: ROOT, source: false });
    const isBundled =
      "import cobre.engine as e; assert '_engine' in e.find_engine(), e.find_engine()";
    if (!(await run(["-c", isBundled]))) return "the engine is not in it";
    for (const block of lines) {
      if (!(await run(["-I", "-c", block]))) return `this example of README.md failed:\n${block}`;
    }
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The Python programs in README.md. */
function readmeLines() {
  const text = readFileSync(join(ROOT, "README.md"), "utf8");
  return [...text.matchAll(/^```python\n(.*?)^```$/gms)].map(([, block]) => block);
}

/** Runs a program; whether it succeeded. Without `source`, the package must be an installed one: the checkout is no help. */
async function succeeds(file, args, { cwd = FOLDER, source = true } = {}) {
  const { output, failure } = await runAside(file, args, { cwd, env: environment(source) });
  process.stdout.write(output);
  return failure === undefined;
}

function environment(source = true) {
  const PYTHONPATH = source ? join(FOLDER, "src") : undefined;
  return testEnvironment({ PYTHONPATH });
}
