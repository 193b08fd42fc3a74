/** The cost of our layer: the mpi backend beside C, which calls the same MPI functions in the same processes. */
import { fileURLToPath } from "node:url";
import { compileCollectives } from "../compile.js";
import { type Comparison, median } from "../measurement.js";
import type { MpiName } from "../mpi-launchers.js";
import { describeRounds, type Options } from "../options.js";
import { prepareBackend } from "../our-backends.js";
import { type Cell, encodeCell, makePlan } from "../plan.js";
import type { Results } from "../results.js";
import { lastWords } from "../run-program.js";
import { startRanks } from "../start-ranks.js";
import { alignColumns, formatBytes, formatTime } from "../table.js";
import type { LayerTimes } from "./measurement.js";

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));
const RANKS = 2;
const MPIS: readonly MpiName[] = ["openmpi", "mpich"];

/** Two batches of the same calls, one right after the other. */
type Pair = Pick<Comparison, "us" | "peerUs">;

interface LayerComparison extends Comparison {
  /** How much longer a call takes than in C. */
  readonly extraUs: number;
}

/** Prints one table for each MPI of the machine. Returns whether all that could start also finished. */
export async function runLayer(options: Options, results: Results): Promise<boolean> {
  let isComplete = true;
  for (const mpi of MPIS) {
    const name = `mpi-${mpi}-native`;
    if (options.backends?.includes(name) === false) continue;
    const rounds = describeRounds(options);
    results.say(`\n${name} beside C in the same ${RANKS} processes, microseconds (${rounds})`);
    try {
      const lines = await measureLayer(mpi, name, options, (text) => results.progress(text));
      results.progress("");
      if (typeof lines === "string") {
        results.say(`not run: ${lines}`);
        continue;
      }
      results.say(`\n${formatLayer(lines)}`);
      results.add(lines);
    } catch (error) {
      results.say(`failed: ${(error as Error).message.trim()}`);
      isComplete = false;
    }
  }
  return isComplete;
}

/** Returns the comparisons, or the reason why nothing can be measured here. */
async function measureLayer(
  mpi: MpiName,
  name: string,
  { rounds, ...options }: Options,
  onProgress: (text: string) => void,
): Promise<LayerComparison[] | string> {
  const { backend, env, missing } = await prepareBackend(name);
  if (missing !== undefined) return missing;
  let library: string;
  try {
    library = await compileCollectives(mpi, "library");
  } catch (error) {
    return `C cannot be compiled: ${lastWords(error)}`;
  }
  const plan = makePlan({ ...options, crowded: false });
  const args = [library, ...plan.map(encodeCell)];
  const launch = { backend, ranks: RANKS, program: PROGRAM, args, env };
  const all: LayerTimes[][] = [];
  for (let round = 0; round < rounds; round++) {
    onProgress(`layer: ${name}, round ${round + 1} of ${rounds}`);
    all.push(parse(await startRanks(launch), plan));
  }
  return compare(name, all);
}

function parse(output: string, plan: readonly Cell[]): LayerTimes[] {
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  if (lines.length !== plan.length) throw new Error("did not answer every cell");
  return lines.map((line) => JSON.parse(line) as LayerTimes);
}

/** The medians of the rounds' medians. Each batch is compared with its neighbour, because what disturbs the machine disturbs both. */
function compare(backend: string, rounds: readonly (readonly LayerTimes[])[]): LayerComparison[] {
  const cells = new Map((rounds[0] ?? []).map((times) => [`${times.op} ${times.bytes}`, times]));
  return [...cells.values()].map(({ op, bytes }) => {
    const pairs = rounds.map((round) =>
      round
        .filter((times) => times.op === op && times.bytes === bytes)
        .flatMap(({ ours, bare }) => ours.map((us, i) => ({ us, peerUs: bare[i] as number }))),
    );
    const middle = (figure: (pair: Pair) => number): number =>
      median(pairs.map((ofRound) => median(ofRound.map(figure))));
    return {
      backend,
      ranks: RANKS,
      op,
      bytes,
      us: middle(({ us }) => us),
      best: Math.min(...pairs.flat().map(({ us }) => us)),
      peer: "C in the same processes",
      peerUs: middle(({ peerUs }) => peerUs),
      ratio: middle(({ us, peerUs }) => us / peerUs),
      extraUs: middle(({ us, peerUs }) => us - peerUs),
    };
  });
}

function formatLayer(lines: readonly LayerComparison[]): string {
  const header = ["operation", "bytes", "ours", "C", "ours - C", "ours / C"];
  const rows = lines.map(({ op, bytes, us, peerUs, extraUs, ratio }) => [
    op,
    formatBytes(bytes),
    formatTime(us),
    formatTime(peerUs),
    extraUs.toFixed(2),
    ratio.toFixed(3),
  ]);
  return alignColumns([header, ...rows]);
}
