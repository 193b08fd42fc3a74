import { parseArgs } from "node:util";
import { DEFAULT_BYTES, DEFAULT_OPERATIONS, OPERATIONS, type OperationName } from "./plan.js";

export const USAGE = `npm run bench -- [options]

  --parts LIST      collectives, layer, local, fold, bandwidth, soak, sockets, training, growth,
                    counts, neighbours, training-beside, cut-memory, dashboard, simulation-output (all)
  --ranks LIST      numbers of ranks, a table each (1,2,4)
  --ops LIST        ${OPERATIONS.join(", ")} (all but the last)
  --bytes LIST      bytes per rank, multiples of 8 (8 to 8 MiB; KiB and MiB are understood)
  --backends LIST   which of our backends (all that can run; also mpi-openmpi-native, mpi-mpich-native)
  --peers LIST      which peers: openmpi-c, mpich-c, mpi4py, each also with -huge after it (arrays in huge
                    pages, as cobre launch sets them up for our ranks), openmpi-tcp-c (all that can run)
  --no-peers        our backends alone
  --rounds N        launches of each contestant, in turn (7; for neighbours 10)
  --quick           one short round, to see whether it works; the figures mean nothing
  --json FILE       where the JSON lines go (out/bench/results.jsonl); "-" for stdout
`;

/** The command line is wrong. */
export class UsageError extends Error {}

export const PARTS = [
  "collectives",
  "layer",
  "local",
  "fold",
  "bandwidth",
  "soak",
  "sockets",
  "training",
  "growth",
  "counts",
  "neighbours",
  "training-beside",
  "cut-memory",
  "dashboard",
  "simulation-output",
] as const;

export type Part = (typeof PARTS)[number];

export interface Options {
  readonly parts: readonly Part[];
  readonly ranks: readonly number[];
  readonly ops: readonly OperationName[];
  readonly bytes: readonly number[];
  /** `undefined`: all. */
  readonly backends: readonly string[] | undefined;
  readonly peers: readonly string[] | undefined;
  readonly rounds: number;
  /** Launches of each starter of the part neighbours. */
  readonly launches: number;
  readonly quick: boolean;
  /** `undefined`: the default file; `"-"`: stdout. */
  readonly json: string | undefined;
}

/** Says what the figures of a table are. */
export function describeRounds({ rounds }: Options): string {
  return rounds === 1 ? "one round" : `medians of ${rounds} rounds`;
}

/** Throws {@link UsageError}; returns `undefined` if only help is asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const quick = values.quick ?? false;
  return {
    parts: list(values.parts)?.map((word) => oneOf("--parts", PARTS, word)) ?? PARTS,
    ranks:
      list(values.ranks)?.map((word) => count("--ranks", word)) ?? (quick ? [1, 2] : [1, 2, 4]),
    ops: list(values.ops)?.map((word) => oneOf("--ops", OPERATIONS, word)) ?? DEFAULT_OPERATIONS,
    bytes: list(values.bytes)?.map(byteCount) ?? DEFAULT_BYTES,
    backends: list(values.backends),
    peers: values["no-peers"] ? [] : list(values.peers),
    rounds: values.rounds === undefined ? (quick ? 1 : 7) : count("--rounds", values.rounds),
    launches: values.rounds === undefined ? (quick ? 1 : 10) : count("--rounds", values.rounds),
    quick,
    json: values.json,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        parts: { type: "string" },
        ranks: { type: "string" },
        ops: { type: "string" },
        bytes: { type: "string" },
        backends: { type: "string" },
        peers: { type: "string" },
        "no-peers": { type: "boolean" },
        rounds: { type: "string" },
        quick: { type: "boolean" },
        json: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function list(text: string | undefined): string[] | undefined {
  return text?.split(",").map((word) => word.trim());
}

function oneOf<Word extends string>(option: string, words: readonly Word[], text: string): Word {
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw new UsageError(`${option}: ${text} is not one of ${words.join(", ")}`);
}

function count(option: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`${option}: ${text} is not a whole number above 0`);
}

const UNITS: Readonly<Record<string, number>> = { "": 1, KiB: 1024, MiB: 1024 * 1024 };

function byteCount(text: string): number {
  const [, digits, unit = ""] = /^([1-9]\d*) ?(KiB|MiB)?$/.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS[unit] ?? 1);
  if (bytes % 8 === 0) return bytes;
  throw new UsageError(`--bytes: ${text} is not a multiple of 8 bytes, as in 8 or 64KiB`);
}
