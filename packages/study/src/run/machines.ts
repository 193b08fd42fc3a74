import { hostname } from "node:os";
import type { Communicator } from "@cobre/comm";

/** A machine and the ranks on it. */
export interface MachineRanks {
  readonly host: string;
  readonly ranks: readonly number[];
}

/** POSIX allows 255 bytes for the name of a host. */
const NAME_BYTES = 255;

/** Collective: the ranks of each machine, by host name, in the order of their first ranks. */
export function ranksByMachine(comm: Communicator): MachineRanks[] {
  const name = new Uint8Array(NAME_BYTES);
  new TextEncoder().encodeInto(hostname(), name);
  const ranks = Array.from({ length: comm.size }, (_, rank) => rank);
  const names = new Uint8Array(comm.size * NAME_BYTES);
  comm.allgatherv(
    name,
    names,
    ranks.map(() => NAME_BYTES),
    ranks.map((rank) => rank * NAME_BYTES),
  );
  const machines = new Map<string, number[]>();
  for (const rank of ranks) {
    const bytes = names.subarray(rank * NAME_BYTES, (rank + 1) * NAME_BYTES);
    const host = new TextDecoder().decode(bytes).replace(/\0+$/, "");
    const others = machines.get(host);
    if (others === undefined) machines.set(host, [rank]);
    else others.push(rank);
  }
  return [...machines].map(([host, on]) => ({ host, ranks: on }));
}
