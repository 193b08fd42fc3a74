/** Starts a group of ranks that play a scenario, and tells what became of them. */
import { fileURLToPath } from "node:url";
import type { BackendName } from "@cobre/comm";
import { type LaunchedJob, launch, type RankExit } from "@cobre/comm/launch";
import type { Said, Scenario } from "./scenario.js";

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));

/** What the segments of this process's groups are called; others may run tests at the same time. */
export const SEGMENT_PREFIX = `cobre-fault-${process.pid}-`;

let groups = 0;

/** What became of a rank. */
export interface Outcome {
  readonly exit: RankExit;
  readonly said: readonly Said[];
}

/** A group of ranks that plays a scenario. */
export interface FaultGroup extends AsyncDisposable {
  readonly job: LaunchedJob;
  /** Settles when every rank has said that it runs. */
  readonly running: Promise<void>;
  /** Settles when the given rank has said how it ended. */
  hasEnded(rank: number): Promise<void>;
  outcomes(): Promise<Outcome[]>;
  /** Whether a segment, or the file of a region, was made by this group. */
  readonly isOurs: (file: string) => boolean;
}

export async function startGroup(
  backend: BackendName,
  ranks: number,
  scenario: Scenario,
  /** Of all ranks, or of each. */
  timeoutSecs: number | readonly number[],
  env: Readonly<Record<string, string>> = {},
): Promise<FaultGroup> {
  const lines: Said[][] = Array.from({ length: ranks }, () => []);
  const errors: string[] = new Array(ranks).fill("");
  const waiters: { done: () => boolean; settle: () => void }[] = [];
  const until = (done: () => boolean) =>
    new Promise<void>((settle) => {
      if (done()) settle();
      else waiters.push({ done, settle });
    });
  const name = `${SEGMENT_PREFIX}${++groups}`;
  const timeoutOf = (rank: number) => {
    const seconds = typeof timeoutSecs === "number" ? timeoutSecs : timeoutSecs[rank];
    return { COBRE_SHM_TIMEOUT_SECS: `${seconds}`, COBRE_TCP_TIMEOUT_SECS: `${seconds}` };
  };
  const job = await launch({
    ranks,
    backend,
    command: [process.execPath, PROGRAM, JSON.stringify(scenario)],
    // A name of our own: what the launcher would clean up after its own is then found by the test.
    env: (rank) => ({ COBRE_SHM_NAME: `/${name}`, ...timeoutOf(rank), ...env }),
    timeoutSecs: 120,
    endOnFailure: false,
    output: (rank, stream, text) => {
      if (stream === "stdout" && text.startsWith("{")) lines[rank]?.push(JSON.parse(text) as Said);
      else errors[rank] += `${text}\n`;
      for (const { done, settle } of waiters) if (done()) settle();
    },
  });
  const ended = job.ranks.map(() => false);
  job.ranks.forEach((rank, r) => {
    void rank.exited.then(() => {
      ended[r] = true;
      for (const { done, settle } of waiters) if (done()) settle();
    });
  });
  const hasSaid = (rank: number, what: Said["said"]) =>
    ended[rank] === true || lines[rank]?.some((line) => line.said === what) === true;
  return {
    job,
    running: until(() => lines.every((_, r) => hasSaid(r, "ready"))),
    hasEnded: (rank) => until(() => hasSaid(rank, "failed") || hasSaid(rank, "done")),
    async outcomes() {
      const { ranks: exits } = await job.done;
      return exits.map((exit, r) => ({
        exit: { ...exit, stderr: errors[r] as string },
        said: lines[r] as Said[],
      }));
    },
    isOurs: (file) =>
      file.endsWith(name) || job.ranks.some(({ pid }) => file.startsWith(`cobre-region-${pid}-`)),
    [Symbol.asyncDispose]: () => job[Symbol.asyncDispose](),
  };
}

/** How the rank said that it failed, in one line of the table of mismatches if one is named, or a story of why it did not. */
export function failureOf(
  { exit, said }: Outcome,
  mismatch?: string,
): Extract<Said, { said: "failed" }> {
  for (const line of said) if (line.said === "failed" && line.mismatch === mismatch) return line;
  throw new Error(
    `rank ${exit.rank} did not fail: it said ${JSON.stringify(said)} and ended with ${exit.code ?? exit.signal}\n${exit.stderr}`,
  );
}
