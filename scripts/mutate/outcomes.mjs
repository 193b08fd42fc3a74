/** What test files said about changes in earlier runs: one line each, so that a run that was interrupted loses nothing. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

export class Outcomes {
  #file;
  #known = new Map();
  /** By test: how many changes it met, and how many of them it noticed. */
  #counts = new Map();

  constructor(file) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    for (const line of lines) {
      const [change, test, noticed] = line.split(" ");
      if (noticed !== undefined) this.#remember(change, test, noticed === "1");
    }
  }

  /** Whether the test noticed the change; `undefined` if they have not met. */
  of(change, test) {
    return this.#known.get(`${change} ${test}`);
  }

  /** The share of the changes it met that a test noticed; half of two more, so that a new test is neither first nor last. */
  shareOf(test) {
    const { met, noticed } = this.#counts.get(test) ?? { met: 0, noticed: 0 };
    return (noticed + 1) / (met + 2);
  }

  add(change, test, noticed) {
    this.#remember(change, test, noticed);
    appendFileSync(this.#file, `${change} ${test} ${noticed ? 1 : 0}\n`);
  }

  #remember(change, test, isNoticed) {
    this.#known.set(`${change} ${test}`, isNoticed);
    const { met, noticed } = this.#counts.get(test) ?? { met: 0, noticed: 0 };
    this.#counts.set(test, { met: met + 1, noticed: noticed + (isNoticed ? 1 : 0) });
  }
}
