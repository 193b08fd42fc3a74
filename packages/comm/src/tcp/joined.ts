import type { Link } from "./link.js";

/** A rank that has joined: its links, and how many ranks share its machine. */
export interface Joined {
  /** To the coordinator, or, on rank 0, to every worker by its rank. */
  readonly star: readonly (Link | undefined)[];
  /** To every other rank, by its rank, if all ranks are linked to each other. */
  readonly mesh: Mesh | undefined;
  readonly localRanks: number;
}

/** A link to every rank but this one, by rank. */
export type Mesh = readonly (Link | undefined)[];
