import type { Link } from "./link.js";

/** A rank that has joined: its links, and how many ranks share its machine. */
export interface Joined {
  /** To the coordinator, or, on rank 0, to every worker by its rank. */
  readonly star: readonly (Link | undefined)[];
  /** From the next lower and to the next higher rank, if ranks are linked in a ring. */
  readonly ring: Ring | undefined;
  readonly localRanks: number;
}

/** The neighbours of a rank. Rank 0's links to its neighbours are those of the star. */
export interface Ring {
  readonly left: Link;
  readonly right: Link;
}

/** The links of a ring that are not part of the star. */
export function extraLinks(rank: number, ring: Ring | undefined): Link[] {
  if (ring === undefined || rank === 0) return [];
  return [ring.left, ring.right].filter((link) => link.rank !== 0);
}
