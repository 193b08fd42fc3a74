import type { CallStatistics, Collective, CommStatistics, Communicator } from "../communicator.js";
import { debug } from "./debug.js";

/** On `local` and `tcp`, the fence of a region waits for no one: there is nothing to measure. */
type Measured = Pick<Communicator, Exclude<Collective, "fence">> & { fence?(): void };
type Bytes = { readonly byteLength: number };

/** How many bytes a rank contributes to a call of each collective. */
const BYTES: Readonly<Record<Collective, (args: readonly unknown[]) => number>> = {
  allgatherv: ([send]) => (send as Bytes).byteLength,
  allreduce: ([send]) => (send as Bytes).byteLength,
  broadcast: ([buf]) => (buf as Bytes).byteLength,
  barrier: () => 0,
  fence: () => 0,
};
const COLLECTIVES = Object.keys(BYTES) as Collective[];

/**
 * Counts and times the collectives of one communicator. It replaces the methods of that object alone:
 * a communicator that is not measured pays nothing.
 */
export class Meter {
  /** How long this rank has waited for others so far. The waiting loops add to it. */
  waitedMs = 0;
  private readonly totals: Record<Collective, Totals>;
  private readonly canTellWaiting: boolean;

  /** Measures `comm` if `COBRE_COMM_STATISTICS=1` says so. */
  static start(comm: Measured, canTellWaiting = true): Meter | undefined {
    if (process.env.COBRE_COMM_STATISTICS !== "1") return undefined;
    return new Meter(comm, canTellWaiting);
  }

  private constructor(comm: Measured, canTellWaiting: boolean) {
    this.canTellWaiting = canTellWaiting;
    const totals = () => ({ calls: 0, bytes: 0, ms: 0, waitingMs: 0 });
    this.totals = {
      allgatherv: totals(),
      allreduce: totals(),
      broadcast: totals(),
      barrier: totals(),
      fence: totals(),
    };
    for (const name of COLLECTIVES) this.measure(comm, name);
  }

  private measure(comm: Measured, name: Collective): void {
    const call = comm[name]?.bind(comm) as ((...args: unknown[]) => void) | undefined;
    if (call === undefined) return;
    const bytesOf = BYTES[name];
    const total = this.totals[name];
    const measured = (...args: unknown[]): void => {
      const waitedBefore = this.waitedMs;
      const start = performance.now();
      call(...args);
      total.ms += performance.now() - start;
      total.waitingMs += this.waitedMs - waitedBefore;
      total.calls++;
      total.bytes += bytesOf(args);
    };
    Object.defineProperty(comm, name, { value: measured });
  }

  /** The measurements so far. */
  statistics(): CommStatistics {
    const { allgatherv, allreduce, broadcast, barrier, fence } = this.totals;
    const copy = (total: Totals): CallStatistics =>
      this.canTellWaiting ? { ...total } : { ...total, waitingMs: null };
    return {
      allgatherv: copy(allgatherv),
      allreduce: copy(allreduce),
      broadcast: copy(broadcast),
      barrier: copy(barrier),
      fence: copy(fence),
    };
  }

  /** Writes a debug line for each collective that was called. */
  report(rank: number): void {
    for (const [name, { calls, bytes, ms, waitingMs }] of Object.entries(this.statistics())) {
      if (calls === 0) continue;
      const waiting = waitingMs === null ? "" : `, ${waitingMs.toFixed(1)} of them waiting`;
      debug(rank, `${name}: ${calls} calls, ${bytes} bytes, ${ms.toFixed(1)} ms${waiting}`);
    }
  }
}

type Totals = { -readonly [Field in keyof CallStatistics]: number };
