/**
 * The Python part of `npm test`: style, types and tests of python/, then the wheel in an empty virtual environment, where the lines of
 * README.md run as they stand there.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ROOT } from "./prepare.mjs";
import { ensurePackages } from "./system-packages.mjs";

const FOLDER = join(ROOT, "python");
const REQUIREMENTS = join(FOLDER, "requirements.txt");
const MADE = join(ROOT, "out", "python");
const SYSTEM_PACKAGES = ["python3", "python3-venv"];
/** What the versions in requirements.txt need; the package itself is satisfied with 3.10. */
const OLDEST = [3, 11];
const WHEEL = "python/wheel";

/** What of Python the words choose, as `npm test -- WORD` does with test files. */
export function choosePython(words) {
  const isChosen = (path) => words.length === 0 || words.some((word) => path.includes(word));
  const tests = readdirSync(join(FOLDER, "tests"), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /^test_.*\.py$/.test(name))
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
  return {
    checks: words.length === 0 || words.includes("python"),
    tests: tests.filter(isChosen),
    wheel: isChosen(WHEEL),
  };
}

/** Runs what was chosen. Returns what failed, and why something could not be run. */
export function testPython({ checks, tests, wheel }) {
  const failed = [];
  const { python, reason } = findPython();
  if (python === undefined) return { failed, notRun: [`tests of Python: ${reason}`] };
  const venv = makeEnvironment(python);
  if (venv === undefined) {
    return { failed, notRun: ["tests of Python: python/requirements.txt could not be installed"] };
  }
  const step = (name, file, args, options = {}) => {
    console.log(`\nPython: ${name}`);
    if (!succeeds(file, args, options)) failed.push(`Python: ${name}`);
  };
  const tool = (name) => join(venv, "bin", name);
  if (checks) {
    step("style", tool("ruff"), ["check", "."]);
    step("format", tool("ruff"), ["format", "--check", "."]);
    step("types", tool("mypy"), []);
  }
  if (tests.length > 0) {
    const files = tests.map((file) => relative("python", file));
    step("tests", tool("python"), ["-m", "pytest", "-p", "no:cacheprovider", ...files]);
  }
  if (wheel) {
    console.log("\nPython: wheel");
    const why = tryWheel(python, tool("pip"));
    if (why !== undefined) failed.push(`Python: wheel: ${why}`);
  }
  return { failed, notRun: [] };
}

/** A Python that can make virtual environments: that of PATH, or else that of the distribution, which is installed if it may be. */
function findPython() {
  const usable = () => ["python3", "/usr/bin/python3"].find(canBeUsed);
  let python = usable();
  if (python !== undefined) return { python };
  const { missing, reason, command } = ensurePackages(SYSTEM_PACKAGES, { log: console.log });
  python = usable();
  if (python !== undefined) return { python };
  const wanted = `Python ${OLDEST.join(".")} or later with venv`;
  const remedy = missing.length > 0 ? `: ${reason}. To have it: ${command}` : "";
  return { reason: `there is no ${wanted}${remedy}` };
}

function canBeUsed(python) {
  const script = `import ensurepip, sys, venv; sys.exit(sys.version_info < (${OLDEST.join(", ")}))`;
  return spawnSync(python, ["-c", script], { stdio: "ignore" }).status === 0;
}

/** The virtual environment of the tests; made again if Python or the versions have changed. */
function makeEnvironment(python) {
  const version = spawnSync(python, ["-VV"], { encoding: "utf8" }).stdout;
  const hash = createHash("sha256").update(version).update(readFileSync(REQUIREMENTS));
  const venv = join(MADE, `venv-${hash.digest("hex").slice(0, 12)}`);
  const done = join(venv, "complete");
  if (existsSync(done)) return venv;
  console.log("\nPython: installing python/requirements.txt …");
  rmSync(MADE, { recursive: true, force: true });
  mkdirSync(MADE, { recursive: true });
  const isMade =
    succeeds(python, ["-m", "venv", venv]) &&
    succeeds(join(venv, "bin/pip"), [...PIP_INSTALL, "-r", REQUIREMENTS]);
  if (!isMade) return undefined;
  mkdirSync(done);
  return venv;
}

const PIP_INSTALL = ["install", "--quiet", "--disable-pip-version-check", "--no-input"];

/** Builds the wheel, installs it where nothing else is, and runs the lines of the README. Returns what went wrong. */
function tryWheel(python, pip) {
  const folder = mkdtempSync(join(tmpdir(), "cobre-wheel-"));
  try {
    const build = ["wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, FOLDER];
    if (!succeeds(pip, build)) return "it could not be built";
    const wheel = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith(".whl")),
    );
    const venv = join(folder, "venv");
    if (!succeeds(python, ["-m", "venv", venv])) return "there is no virtual environment for it";
    if (!succeeds(join(venv, "bin/pip"), [...PIP_INSTALL, wheel]))
      return "it could not be installed";
    const lines = readmeLines();
    if (lines.length === 0) return "README.md has no Python lines";
    const run = (args) => succeeds(join(venv, "bin/python"), args, { cwd: ROOT, source: false });
    const isBundled =
      "import cobre.engine as e; assert '_engine' in e.find_engine(), e.find_engine()";
    if (!run(["-c", isBundled])) return "the engine is not in it";
    for (const block of lines) {
      if (!run(["-I", "-c", block])) return `these lines of README.md failed:\n${block}`;
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

/** Runs a program. Without `source`, the package must be an installed one: the checkout is no help. */
function succeeds(file, args, { cwd = FOLDER, source = true } = {}) {
  const PYTHONPATH = source ? join(FOLDER, "src") : undefined;
  const env = { ...process.env, PYTHONPATH, COBRE_COMM_BACKEND: undefined };
  return spawnSync(file, args, { cwd, stdio: "inherit", env }).status === 0;
}
