/** A process that runs test files of a copy of the checkout, again and again, until one of them fails or hangs. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const WORKER = fileURLToPath(new URL("worker.mjs", import.meta.url));
const FLAGS = [
  // A change that allocates for ever ends here and not with the memory of the machine.
  "--max-old-space-size=2048",
  // Compiling the solver's module well takes longer than it saves.
  "--liftoff-only",
  "--no-warnings",
];
const LOOKS_EVERY_MS = 100;
const TICKS_PER_SECOND = 100;
/** What a process told before its end may arrive after it. */
const LAST_WORDS_MS = 20;
/** The modules of every change stay in memory. */
const MOST_RUNS = 50;

const running = new Set();

/** Ends what is running, for a run that is interrupted. */
export function endAll() {
  for (const worker of running) worker.kill();
}

export class WorkerProcess {
  #child;
  #temporary;
  #runs = 0;
  #hear = () => {};
  #exited;
  #output = "";

  /** @param fresh the URLs of the folders whose modules a change can affect */
  constructor(copy, fresh, env) {
    this.#temporary = join(copy, "tmp");
    mkdirSync(this.#temporary, { recursive: true });
    this.#child = spawn(process.execPath, [...FLAGS, WORKER, JSON.stringify(fresh)], {
      cwd: copy,
      detached: true, // a group of its own, so that what it starts ends with it
      stdio: ["ignore", "pipe", "pipe", "pipe", "ipc"],
      // The context is that of a run of tests which this may be a part of.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, TMPDIR: this.#temporary, ...env },
    });
    running.add(this);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        this.#output = (this.#output + text).slice(-4000);
      });
    createInterface(this.#child.stdio[3]).on("line", (line) => this.#hear(JSON.parse(line)));
    this.#exited = new Promise((resolve) => {
      this.#child.on("exit", async (code, signal) => {
        this.kill();
        running.delete(this);
        await setTimeout(LAST_WORDS_MS);
        this.#hear({ ended: signal ?? code });
        resolve();
      });
    });
  }

  /** Whether it should run no more. */
  get isUsedUp() {
    return this.#runs >= MOST_RUNS || !running.has(this);
  }

  /**
   * Runs `files` in the order given. `pauses` has for each of them the longest time between two events, in milliseconds.
   *
   * A hang is a much longer pause. The time that counts is that of the processor, because a machine that is busy with something else
   * must not turn every change into a hang; what sleeps for ever is found by the clock.
   *
   * @returns `{ isFine }` or `{ isFine: false, file, name }`, and `ms`, `pause` and `output`
   */
  async run(files, pauses) {
    this.#output = "";
    const started = performance.now();
    let file = files[0];
    let longest = 0;
    let last = { at: started, processor: processorTime(this.#child.pid) };
    const result = await new Promise((resolve) => {
      const watch = setInterval(() => {
        const index = files.indexOf(file);
        // It may be the next file, if that has kept the process too busy to tell.
        const pause = Math.max(...pauses.slice(index, index + 2));
        const waited = performance.now() - last.at;
        const worked = processorTime(this.#child.pid) - last.processor;
        if (waited < 10 * pause + 20_000 && worked < 5 * pause + 3_000) return;
        done({ isFine: false, file, name: "hangs" });
        this.kill();
      }, LOOKS_EVERY_MS);
      const done = (found) => {
        clearInterval(watch);
        this.#hear = () => {};
        resolve(found);
      };
      this.#hear = (message) => {
        longest = Math.max(longest, performance.now() - last.at);
        last = { at: performance.now(), processor: processorTime(this.#child.pid) };
        file = message.failed ?? message.at ?? file;
        if (message.passed) done({ isFine: true });
        if (message.failed !== undefined) done({ isFine: false, file, name: message.name });
        if (message.ended !== undefined)
          done({ isFine: false, file, name: `ends with ${message.ended}` });
      };
      this.#child.send({ change: this.#runs++, files }, () => {});
    });
    if (!running.has(this)) await this.#exited;
    this.#tidy();
    return { ...result, ms: performance.now() - started, pause: longest, output: this.#output };
  }

  /** Lets the process end by itself. */
  async close() {
    if (running.has(this) && this.#child.connected) this.#child.disconnect();
    await this.#exited;
    rmSync(this.#temporary, { recursive: true, force: true });
  }

  kill() {
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // nobody is left
    }
  }

  /** What a test left behind that did not come to its end. */
  #tidy() {
    for (const name of readdirSync(this.#temporary))
      rmSync(join(this.#temporary, name), { recursive: true, force: true });
  }
}

/** The milliseconds of processor that a process used; 0 where the system has no /proc. */
function processorTime(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
