/**
 * Training of a system of real size (`examples/large-system`) on two ranks: the time of each iteration, the peak memory of each rank, and whether
 * the cuts are in memory once. At full size it takes hours.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import type { SolverName } from "@cobre/solver";
import { UsageError } from "../options.js";
import { runProgram } from "../run-program.js";
import type { Selection } from "../training/selection.js";
import { trainBeside } from "./beside.js";
import type { LargeLine, LargeRequest } from "./measurement.js";

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));
const GENERATOR = fileURLToPath(
  new URL("../../../../examples/large-system/generate.mjs", import.meta.url),
);
const RANKS = 2;
const QUICK = {
  hydros: 8,
  thermals: 6,
  stages: 4,
  openings: 3,
  passes: 2,
  order: 2,
  iterations: 2,
};

export interface LargeOptions {
  readonly quick: boolean;
  /** What is smaller or larger than the generator makes it: `{ hydros: 40 }`. */
  readonly size: Readonly<Record<string, number>>;
  readonly solver: SolverName;
  readonly selection: Selection;
  /** Whether the Rust program trains the same case after it. */
  readonly isBesideReference: boolean;
}

type EndOfRank = Extract<LargeLine, { kind: "end" }>;

/** Returns whether it was trained to the end. */
export async function runLarge(
  { quick, size, solver, selection, isBesideReference }: LargeOptions,
  say: (text: string) => void,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "cobre-bench-large-"));
  try {
    const directory = join(folder, "case");
    const sizes = Object.entries({ ...(quick ? QUICK : {}), ...size });
    const words = sizes.flatMap(([name, value]) => [`--${name}`, String(value)]);
    await generate([directory, ...words]);
    const told = sizes.length === 0 ? "full size" : sizes.map((pair) => pair.join(" ")).join(", ");
    say(`\nlarge system, ${told}; ${RANKS} ranks, ${solver}, cut selection ${selection}`);
    const ends = await train({ directory, solver, selection }, say);
    if (ends === undefined) return false;
    const [{ cuts, stateDimension } = { cuts: 0, stateDimension: 0 }] = ends;
    const ofCuts = cuts * (1 + stateDimension) * 8;
    const shared = 1024 * ends.reduce((sum, { memory }) => sum + memory.sharedKb, 0);
    say(
      `  ${cuts} cuts of ${1 + stateDimension} numbers are ${mb(ofCuts)}; shared memory of all ranks, every page counted once: ${mb(shared)}`,
    );
    ends.forEach(({ peakKb, memory }, rank) => {
      const own = 1024 * (memory.proportionalKb - memory.sharedKb);
      say(`  rank ${rank}: peak ${mb(1024 * peakKb)}; at the end ${mb(own)} of its own`);
    });
    if (!isBesideReference) return true;
    const iterations = iterationsOf(directory);
    const request = { directory, folder: join(folder, "beside"), iterations, selection };
    return await trainBeside({ ...request, workers: RANKS }, say);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws {@link UsageError} if the generator knows no such size */
async function generate(words: readonly string[]): Promise<void> {
  try {
    await runProgram(process.execPath, [GENERATOR, ...words]);
  } catch (error) {
    const [, mistake] = (error as Error).message.split("\n");
    throw new UsageError(`--size: ${mistake}`);
  }
}

/** What the generator has written into the case. */
function iterationsOf(directory: string): number {
  const { training } = JSON.parse(readFileSync(join(directory, "config.json"), "utf8"));
  return training.stopping_rules[0].limit;
}

/** Tells each iteration when it is done. Returns what the ranks say at the end, or tells why they do not come to it. */
async function train(
  request: LargeRequest,
  say: (text: string) => void,
): Promise<EndOfRank[] | undefined> {
  const ends: EndOfRank[] = [];
  const errors: string[] = [];
  const job = await launch({
    ranks: RANKS,
    backend: "shm",
    command: [process.execPath, PROGRAM, JSON.stringify(request)],
    // A rank may wait for the other as long as that one works.
    env: { COBRE_SHM_TIMEOUT_SECS: "none" },
    output: (rank, stream, text) => {
      if (stream === "stderr") return void errors.push(text);
      const line = JSON.parse(text) as LargeLine;
      if (line.kind === "end") ends[rank] = line;
      else say(describe(line));
    },
  });
  const { code } = await job.done;
  if (code === 0) return ends;
  say(`failed: large: the ranks exited with ${code}\n${errors.slice(-12).join("\n")}`);
  return undefined;
}

function describe(line: Extract<LargeLine, { kind: "iteration" }>): string {
  const seconds = (value: number) => value.toFixed(1);
  return `  iteration ${line.iteration}: ${seconds(line.seconds)} s (forward ${seconds(line.forwardSeconds)}, backward ${seconds(line.backwardSeconds)}); ${line.lps} LPs, ${line.simplexIterations.toFixed(1)} simplex iterations each; bound ${line.lowerBound.toPrecision(8)}; peak of rank 0 so far ${mb(1024 * line.peakKb)}`;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
