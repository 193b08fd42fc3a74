/** What became of the tests of a run, and how it is told at the end. */

/** How the reason of a skip begins that `CI=true` accepts; packages/testing and Python's tests write it. */
const NOT_REQUIRED = "not required: ";

/** How many names of skipped tests and slow files are told. */
const NAMES = 3;
const SLOWEST = 8;

/** How many files may run again. More than a few do not fail by chance. */
const AGAIN = 2;

export class TestResults {
  passed = 0;
  /** A story each. */
  failed = [];
  /** What failed once and then passed: a story each. */
  #unsteady = [];
  #again = [];
  #skipped = new Map();
  #times = new Map();
  #start = performance.now();

  /** What became of some checks. */
  add({ passed = 0, failed = [], skipped = [] }) {
    this.passed += passed;
    this.failed.push(...failed);
    for (const { reason, name } of skipped) this.skip(reason, name);
  }

  /**
   * Tests that failed, and how to run them again when nothing else runs.
   *
   * @param found what was added of them
   * @param run runs them, and returns what became of them
   */
  mayRunAgain(name, found, run) {
    this.#again.push({ name, found, run });
  }

  /**
   * Runs again what failed, alone. Ten thousand tests with real processes and signals include one now and then that fails by chance, and a
   * change must not wait for it. It is told all the same: what fails once has a defect, in the test or in the code.
   */
  async runAgain() {
    if (this.#again.length > AGAIN) return;
    for (const { name, found, run } of this.#again) {
      console.log(`\nAgain, alone: ${name}`);
      const { passed, failed } = await run();
      if (failed.length > 0) continue;
      this.passed += passed - found.passed;
      this.failed = this.failed.filter((story) => !found.failed.includes(story));
      this.#unsteady.push(...found.failed);
    }
  }

  /** A test, or a number of them under one name, that cannot run here. */
  skip(reason, name) {
    const names = this.#skipped.get(reason) ?? [];
    this.#skipped.set(reason, [...names, name]);
  }

  addTime(file, ms) {
    this.#times.set(file, (this.#times.get(file) ?? 0) + ms);
  }

  /** Prints everything; returns the exit code. */
  tell() {
    const slowest = [...this.#times].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
    printList(
      "What took longest:",
      slowest.map(([file, ms]) => `${duration(ms)}: ${file}`),
    );
    const reasons = [...this.#skipped].map(([reason, names]) => `${reason}${listed(names)}`);
    printList("Not run on this machine:", reasons);
    printList("Unsteady, failed and then passed; mend them:", this.#unsteady);
    printList("Failed:", this.failed);
    const skipped = [...this.#skipped.values()].flat().length;
    const counts = [
      `${this.passed} passed`,
      `${this.failed.length} failed`,
      `${skipped} not run`,
    ].join(", ");
    const unsteady =
      this.#unsteady.length > 0 ? ` (${this.#unsteady.length} only when run again)` : "";
    const all = this.passed + this.failed.length + skipped;
    console.log(
      `\n${all} tests: ${counts}${unsteady}, in ${duration(performance.now() - this.#start)}`,
    );
    const isMissing = [...this.#skipped.keys()].some((reason) => !reason.startsWith(NOT_REQUIRED));
    const isIncomplete = isMissing && process.env.CI === "true";
    if (isIncomplete) console.log("CI=true: a test that was not run is a failure");
    return this.failed.length > 0 || isIncomplete ? 1 : 0;
  }
}

function printList(title, lines) {
  if (lines.length === 0) return;
  console.log(`\n${title}`);
  for (const line of lines) console.log(`- ${line}`);
}

/** A line for each of the first names. */
function listed(names) {
  const more = names.length > NAMES ? [`and ${names.length - NAMES} more`] : [];
  return [...names.slice(0, NAMES), ...more].map((name) => `\n    ${name}`).join("");
}

function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
