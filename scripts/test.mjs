// Installs and builds what is missing, then runs tests.
//
//   npm test                         everything a change must pass: every kind of check once
//   npm run test:rest                the same checks in other settings: more ranks, more seeds, the newest Node.js, the wheel
//   npm run test:all                 both
//   npm test -- launch shm           only the test files whose path contains one of the words
//   npm run test:all -- launch       the same files with their whole tables
//   npm test -- python               only Python
//
// What this machine cannot run is listed at the end; under CI=true that is a failure.
import { testDocsAside } from "./docs.mjs";
import { ensureHighs } from "./highs.mjs";
import { newestNode, runTestFile } from "./node-tests.mjs";
import { testPackagesAside } from "./packages.mjs";
import { prepare, run } from "./prepare.mjs";
import { choosePython, PythonTests } from "./python.mjs";
import {
  BROWSER_PACKAGES,
  CLP_PACKAGES,
  ensurePackages,
  MPI_RUNTIME_PACKAGES,
  NETWORK_PACKAGES,
  SHELL_PACKAGES,
  TERMINAL_PACKAGES,
  TRACE_PACKAGES,
} from "./system-packages.mjs";
import { chooseTestFiles } from "./test-files.mjs";
import { LANES, runInLanes } from "./test-lanes.mjs";
import { TestResults } from "./test-results.mjs";

const OPTIONS = { "--rest": "rest", "--all": "all" };

const [option, ...others] = process.argv.slice(2);
const scope = OPTIONS[option] ?? "quick";
const words = scope === "quick" ? process.argv.slice(2).filter(Boolean) : others.filter(Boolean);
const isWhole = words.length === 0;
const runsQuick = scope !== "rest";
const runsRest = scope !== "quick";
const results = new TestResults();

const python = choosePython(words, scope);
const wantsPython = python.checks || python.tests.length > 0 || python.wheel;
// Its packages come from the network while this clone is installed and built.
const pythonTests = wantsPython ? PythonTests.prepare(python, scope, results) : undefined;
await prepare();
if (isWhole && runsQuick) run("npx", ["--no-install", "biome", "check", "."]);

const files = chooseTestFiles(words, scope);
const wantsNode = files.length > 0;
if (!wantsNode && !wantsPython) {
  const all = `npm run test:all -- ${words.join(" ")}`;
  const hint = scope === "all" ? "" : ` in this part; ${all} looks in both`;
  console.error(`No test file has ${words.join(" or ")} in its path${hint}.`);
  process.exit(2);
}
if (wantsNode) {
  installLibraries();
  await ensureHighs(results);
}
const newest = isWhole && runsRest ? newestNode(results) : undefined;
const jobs = [
  ...(wantsPython ? [() => pythonTests.run()] : []),
  ...(isWhole && runsRest ? [testPackagesAside, testDocsAside].map(resultsOf) : []),
  ...files.map((file) => () => runTestFile(file, scope, results)),
  ...(newest === undefined ? [] : filesForNewest().map((file) => () => runOnNewest(file))),
];
console.log(`\n${files.length} test files on Node.js ${process.version}, ${LANES} jobs at a time`);
await runInLanes(jobs);
await results.runAgain();
process.exitCode = results.tell();

/** The command line is the same program on any Node.js: its tests are not repeated. */
function filesForNewest() {
  return chooseTestFiles([], "quick").filter((file) => !file.startsWith("packages/cli/"));
}

/** What is tested in a process of its own. */
function resultsOf(testAside) {
  return async () => results.add(await testAside());
}

async function runOnNewest(file) {
  const node = await newest;
  if (node !== undefined) await runTestFile(file, "few", results, node);
}

function installLibraries() {
  const needed = {
    ...MPI_RUNTIME_PACKAGES,
    clp: CLP_PACKAGES,
    "two machines": NETWORK_PACKAGES,
    strace: TRACE_PACKAGES,
    ...(runsRest && files.some((file) => file.includes("packages/report/"))
      ? { Chromium: BROWSER_PACKAGES }
      : {}),
    "a terminal": TERMINAL_PACKAGES,
    ...(runsRest ? { "other shells": SHELL_PACKAGES } : {}),
  };
  const packages = Object.values(needed).flat();
  const { missing, reason, command } = ensurePackages(packages, { log: console.log });
  for (const [name, wanted] of Object.entries(needed)) {
    if (!wanted.some((one) => missing.includes(one))) continue;
    results.skip(`${reason}; to have it: ${command}`, `tests with ${name}`);
  }
}
