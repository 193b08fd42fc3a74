import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The command, as npm links it. */
export const COBRE = fileURLToPath(new URL("../bin/cobre.js", import.meta.url));

/** A time that only a hang takes. */
const LIMIT_MS = 120_000;

/** How a command ended. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What to start differently. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads. */
  readonly input?: string;
  /** Whether its stdout is read at all. */
  readonly reads?: boolean;
}

/** A `cobre` command that runs, and everything it started: they all carry a mark. */
export class CobreProcess {
  readonly pid: number;
  readonly finished: Promise<Finished>;
  stdout = "";
  stderr = "";
  readonly #child: ChildProcess;
  readonly #mark: string = randomUUID();

  /** Starts `cobre` with the arguments. */
  static start(args: readonly string[], options: StartOptions = {}): CobreProcess {
    return new CobreProcess([process.execPath, COBRE, ...args], options);
  }

  /** Starts a shell in which `cobre` stands for the command. */
  static shell(script: string, options: StartOptions = {}): CobreProcess {
    const prelude = `cobre() { "${process.execPath}" "${COBRE}" "$@"; }`;
    return new CobreProcess(["bash", "-c", `${prelude}\n${script}`], options);
  }

  constructor([file = "", ...args]: readonly string[], options: StartOptions) {
    const { env = {}, input, reads = true } = options;
    const child = spawn(file, args, {
      env: { ...process.env, ...env, COBRE_TEST_MARK: this.#mark },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    this.#child = child;
    this.pid = child.pid ?? 0;
    if (reads)
      child.stdout?.setEncoding("utf8").on("data", (text) => {
        this.stdout += text;
      });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.stderr += text;
    });
    child.stdin?.end(input);
    this.finished = once(child, reads ? "close" : "exit").then(([code, signal]) => {
      child.stdout?.destroy();
      return { code, signal, stdout: this.stdout, stderr: this.stderr };
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits until it has printed as many lines that match. */
  async printed(pattern: RegExp, times = 1): Promise<void> {
    const count = (): number => this.stdout.split("\n").filter((line) => pattern.test(line)).length;
    await eventually(`${pattern} in\n${this.stdout}\n${this.stderr}`, () => count() >= times);
  }

  /** The processes that carry the mark and run: `[pid, command line]`. */
  marked(): [pid: number, command: string][] {
    const found: [number, string][] = [];
    for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const isZombie = /^State:\s*Z/m.test(readFileSync(`/proc/${entry}/status`, "latin1"));
        const environment = readFileSync(`/proc/${entry}/environ`, "latin1");
        if (isZombie || !environment.includes(this.#mark)) continue;
        const command = readFileSync(`/proc/${entry}/cmdline`, "latin1").replaceAll("\0", " ");
        found.push([Number(entry), command]);
      } catch {
        // it ended in between, or is not ours to read
      }
    }
    return found;
  }

  /** The state of one process: `T` if it is stopped. */
  stateOf(pid: number): string | undefined {
    return /^State:\s*(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  }
}

/** Waits until `condition` holds; throws after a time that only a hang takes. */
export async function eventually(what: string, condition: () => boolean): Promise<void> {
  const start = performance.now();
  while (!condition()) {
    if (performance.now() - start > LIMIT_MS) throw new Error(`never happened: ${what}`);
    await sleep(10);
  }
}
