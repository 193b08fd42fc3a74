import type { Sockets } from "../ffi/sockets.js";
import type { Link } from "./link.js";

/** What joining gives a rank: its links, and the knowledge of which ranks share a machine. */
export interface Joined {
  /** Links by rank: on a worker only to rank 0, on rank 0 to every worker. */
  readonly star: readonly (Link | undefined)[];
  /** Links to all other ranks, if all ranks are linked to each other. */
  readonly mesh: Mesh | undefined;
  /** The machine of each rank, by rank: the lowest rank on that machine. */
  readonly machines: readonly number[];
}

/** A link to every rank but this one, by rank. */
export type Mesh = readonly (Link | undefined)[];

/** The ranks on this rank's machine, with itself. */
export function localRanks({ machines }: Joined, rank: number): number[] {
  return [...machines.keys()].filter((r) => machines[r] === machines[rank]);
}

/** The processes that Unix sockets lead to, by rank; `undefined` for all other ranks. */
export function visiblePids(sockets: Sockets, { machines, star, mesh }: Joined) {
  return Array.from(machines, (_, rank): number | undefined => {
    const link = mesh?.[rank] ?? star[rank];
    if (link === undefined || !sockets.isWithinMachine(link.fd)) return undefined;
    return sockets.peerPid(link.fd) || undefined;
  });
}
