import { parseArgs } from "node:util";
import { SOLVERS, type SolverName } from "@cobre/solver";
import { DEFAULT_BYTES, DEFAULT_OPERATIONS, OPERATIONS, type OperationName } from "./plan.js";
import { SELECTIONS, type Selection } from "./training/selection.js";

export const USAGE = `npm run bench -- [options]

  --parts LIST      collectives, layer, local, fold, bandwidth, soak, sockets, training, growth,
                    counts, neighbours, training-beside, cut-memory, dashboard, simulation-output, large
                    (all but the last)
  --ranks LIST      numbers of ranks, a table each (1,2,4)
  --ops LIST        ${OPERATIONS.join(", ")} (all but the last)
  --bytes LIST      bytes per rank, multiples of 8 (8 to 8 MiB; KiB and MiB are understood)
  --backends LIST   which of our backends (all that can run; also mpi-openmpi-native, mpi-mpich-native)
  --peers LIST      which peers: openmpi-c, mpich-c, mpi4py, each also with -huge after it (arrays in huge
                    pages, as cobre launch sets them up for our ranks), openmpi-tcp-c (all that can run);
                    cobre-rs, the Rust program, takes the place of the other measurements of training, and trains
                    the large case after us
  --no-peers        our backends alone
  --rounds N        launches of each contestant, in turn (7; for neighbours 10, beside cobre-rs and for growth 3)
  --solver NAME     ${SOLVERS.join(", ")}: of the parts growth and large (the first)
  --selections LIST methods of cut selection: ${SELECTIONS.join(", ")}
                    (growth and large: default, a run each; beside cobre-rs: none,level1)
  --size LIST       of the part large, where it differs from its full size: hydros=40,stages=24,passes=8;
                    examples/large-system has all names
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
  "large",
] as const;

/** Takes hours, so it has to be named. */
const LONG_PART = "large";

/** A peer of training, not of the collectives: it is run only if it is named. */
export const TRAINING_PEER = "cobre-rs";

export type Part = (typeof PARTS)[number];

export interface Options {
  readonly parts: readonly Part[];
  readonly ranks: readonly number[];
  readonly ops: readonly OperationName[];
  readonly bytes: readonly number[];
  /** `undefined`: all. */
  readonly backends: readonly string[] | undefined;
  readonly peers: readonly string[] | undefined;
  /** Whether training is measured beside the Rust program. */
  readonly isBesideReference: boolean;
  readonly rounds: number;
  /** `undefined`: not given, and `rounds` is what most parts take. */
  readonly givenRounds: number | undefined;
  /** Launches of each starter of the part neighbours. */
  readonly launches: number;
  readonly quick: boolean;
  readonly solver: SolverName;
  /** `undefined`: those of the part. */
  readonly selections: readonly Selection[] | undefined;
  /** What differs from the full size of the part large. */
  readonly size: Readonly<Record<string, number>>;
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
  const givenRounds = values.rounds === undefined ? undefined : count("--rounds", values.rounds);
  const peers = values["no-peers"] ? [] : list(values.peers);
  return {
    parts:
      list(values.parts)?.map((word) => oneOf("--parts", PARTS, word)) ??
      PARTS.filter((part) => part !== LONG_PART),
    ranks:
      list(values.ranks)?.map((word) => count("--ranks", word)) ?? (quick ? [1, 2] : [1, 2, 4]),
    ops: list(values.ops)?.map((word) => oneOf("--ops", OPERATIONS, word)) ?? DEFAULT_OPERATIONS,
    bytes: list(values.bytes)?.map(byteCount) ?? DEFAULT_BYTES,
    backends: list(values.backends),
    peers: peers?.filter((name) => name !== TRAINING_PEER),
    isBesideReference: peers?.includes(TRAINING_PEER) ?? false,
    rounds: givenRounds ?? (quick ? 1 : 7),
    givenRounds,
    launches: givenRounds ?? (quick ? 1 : 10),
    quick,
    solver: oneOf("--solver", SOLVERS, values.solver ?? SOLVERS[0]),
    selections: list(values.selections)?.map((word) => oneOf("--selections", SELECTIONS, word)),
    size: Object.fromEntries(list(values.size)?.map(sizeOf) ?? []),
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
        solver: { type: "string" },
        selections: { type: "string" },
        size: { type: "string" },
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

function sizeOf(text: string): [name: string, value: number] {
  const [, name, value] = /^([a-z]+)=(\d+)$/.exec(text) ?? [];
  if (name !== undefined) return [name, Number(value)];
  throw new UsageError(`--size: ${text} is not a name and a number, as in hydros=40`);
}

const UNITS: Readonly<Record<string, number>> = { "": 1, KiB: 1024, MiB: 1024 * 1024 };

function byteCount(text: string): number {
  const [, digits, unit = ""] = /^([1-9]\d*) ?(KiB|MiB)?$/.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS[unit] ?? 1);
  if (bytes % 8 === 0) return bytes;
  throw new UsageError(`--bytes: ${text} is not a multiple of 8 bytes, as in 8 or 64KiB`);
}
