import { fileURLToPath } from "node:url";
import type { MemoryOfRank } from "../process-memory.js";
import { launchRanks } from "../training/measure.js";
import type { CutMemoryOfRank, CutMemoryRequest } from "./measurement.js";

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));
const RANKS = [1, 2, 4];
/** 25,000 cuts of 1,001 numbers: 200 MB. */
const LONG: CutMemoryRequest = { stages: 101, cutsPerStage: 250, dimension: 1000 };
const QUICK: CutMemoryRequest = { stages: 11, cutsPerStage: 50, dimension: 100 };

/** What the cuts of a large case take on one machine: once in shared memory, and once in the programs of each rank. */
export async function runCutMemory(quick: boolean, say: (text: string) => void): Promise<void> {
  const request = quick ? QUICK : LONG;
  const cuts = (request.stages - 1) * request.cutsPerStage;
  const bytes = cuts * (1 + request.dimension) * 8;
  say(`\nmemory of ${cuts} cuts of ${1 + request.dimension} numbers, ${mb(bytes)}, over shm`);
  say("  every page counted once (PSS of all ranks); peak is the largest RSS of a rank");
  for (const ranks of RANKS) {
    const measured = await launchRanks<CutMemoryOfRank>("shm", ranks, PROGRAM, request);
    if (measured.some((rank) => rank.cuts !== cuts)) throw new Error("a rank has other cuts");
    const sum = (moment: (rank: CutMemoryOfRank) => MemoryOfRank, of: keyof MemoryOfRank) =>
      1024 * measured.reduce((total, rank) => total + moment(rank)[of], 0);
    const told = (["before", "withCuts", "withPrograms"] as const).map((moment) => {
      const all = sum((rank) => rank[moment], "proportionalKb");
      const shared = sum((rank) => rank[moment], "sharedKb");
      return `${mb(all)} (${mb(shared)} shared)`;
    });
    const peak = 1024 * Math.max(...measured.map(({ peakKb }) => peakKb));
    const [before, withCuts, withPrograms] = told;
    say(
      `  ${ranks} ${ranks === 1 ? "rank " : "ranks"}: without cuts ${before}; with them ${withCuts}; in programs, too, ${withPrograms}; peak ${mb(peak)}`,
    );
  }
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
