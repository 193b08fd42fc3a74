import type { Contestant } from "./contestants.js";
import { type Comparison, combineRounds, median, parseBatchTimes } from "./measurement.js";
import type { Cell } from "./plan.js";
import { formatTime } from "./table.js";

const MIB = 1024 * 1024;
const RANKS = 2;

/**
 * How close an allgatherv of long vectors comes to the speed of the memory: 64 MiB from each of two
 * ranks, beside both ranks copying 128 MiB into `recv` at the same time with `set`, in one go and
 * in two pieces. The same processes measure all three, one after the other.
 */
export async function measureBandwidth(
  contestant: Contestant,
  rounds: number,
  quick: boolean,
): Promise<Comparison[]> {
  const cell = { bytes: 64 * MIB, calls: 1, warmup: quick ? 1 : 3, batches: quick ? 3 : 15 };
  const plan: Cell[] = [
    { op: "copy", ...cell },
    { op: "copy-pieces", ...cell },
    { op: "allgatherv", ...cell },
  ];
  const all: ReturnType<typeof parseBatchTimes>[] = [];
  for (let round = 0; round < rounds; round++) {
    all.push(parseBatchTimes(await contestant.run(RANKS, plan)));
  }
  const [copy, pieces, gather] = combineRounds(contestant.name, RANKS, all);
  if (copy === undefined || pieces === undefined || gather === undefined) {
    throw new Error("did not answer every cell");
  }
  return [copy, pieces].map((peer, i) => {
    // The ratio within each round: what disturbs a round disturbs both sides.
    const ratios = all.map(
      (round) => median(round[2]?.times ?? []) / median(round[i]?.times ?? []),
    );
    return { ...gather, peer: peer.op, peerUs: peer.us, ratio: median(ratios) };
  });
}

export function canMeasureBandwidth(contestant: Contestant): boolean {
  return contestant.obstacle(RANKS) === undefined;
}

export function formatBandwidth({ backend, us, peer, peerUs, ratio }: Comparison): string {
  const how = peer === "copy" ? "in one go" : "in two pieces";
  return (
    `${backend}: allgatherv of 64 MiB from each of ${RANKS} ranks ${formatTime(us)} µs; ` +
    `both copying 128 MiB with set, ${how}, ${formatTime(peerUs)} µs; ratio ${ratio.toFixed(2)}`
  );
}
