/** What the ranks of a fault test do; the test tells each rank by its arguments. */
export type Scenario =
  | LoopScenario
  /** Ranks make calls that do not belong together. */
  | { kind: "mismatch"; name: string }
  /** All of the table, each on a communicator of its own, which has a port of its own if it is a tcp one. */
  | { kind: "mismatches"; ports: readonly number[] }
  /** The last rank ends in some way while the others wait for it. */
  | { kind: "ending"; how: "throw" | "reject" | "exit" | "close" | "finish" }
  /** The last rank comes later than the others. */
  | { kind: "late"; milliseconds: number };

export const OPERATIONS = ["barrier", "allreduce", "allgatherv", "broadcast", "region"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What a rank says, one line of JSON each. */
export type Said =
  | { said: "ready" }
  | { said: "done" }
  | { said: "wrong"; detail: string }
  | { said: "failed"; error: Record<string, unknown>; at: number; next: string; mismatch?: string };

/** One collective after the other, each result checked, until something breaks. */
export interface LoopScenario {
  readonly kind: "loop";
  readonly operation: Operation;
  readonly bytes: number;
  /** Ranks that stop themselves before one of the calls. */
  readonly nappers?: readonly number[];
}
