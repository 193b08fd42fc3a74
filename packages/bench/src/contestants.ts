import { fileURLToPath } from "node:url";
import { UsageError } from "./options.js";
import { backendNames, prepareBackend } from "./our-backends.js";
import { PEERS, type PeerName, preparePeer } from "./peers.js";
import { type Cell, encodeCell } from "./plan.js";
import { startRanks, TIMEOUT_SECONDS } from "./start-ranks.js";

/** One of our backends, or a peer, that can run a plan. */
export interface Contestant {
  readonly name: string;
  readonly isPeer: boolean;
  /** Why it does not take part with this number of ranks; `undefined` if it does. */
  obstacle(ranks: number): string | undefined;
  /** Runs the plan once, in processes of its own, and returns the output of rank 0. */
  run(ranks: number, plan: readonly Cell[]): Promise<string>;
}

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));

function choose<Name extends string>(
  kind: string,
  names: readonly Name[],
  named: readonly string[] | undefined,
): Name[] {
  const unknown = named?.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) {
    throw new UsageError(`there is no ${kind} ${unknown}; choose from ${names.join(", ")}`);
  }
  return names.filter((name) => named?.includes(name) ?? true);
}

/** Our backends: the default ones, or those that were named. */
export async function backendContestants(
  named: readonly string[] | undefined,
): Promise<Contestant[]> {
  const { all, usual } = backendNames();
  const chosen = choose("backend", all, named ?? usual);
  return Promise.all(
    chosen.map(async (name) => {
      const { backend, env, missing } = await prepareBackend(name);
      return {
        name,
        isPeer: false,
        obstacle: (ranks: number) =>
          name === "local" && ranks > 1 ? "is a group of one" : missing,
        run: (ranks: number, plan: readonly Cell[]) =>
          startRanks({ backend, ranks, program: PROGRAM, args: plan.map(encodeCell), env }),
      };
    }),
  );
}

/** The peers of this machine: all, or those that were named. */
export async function peerContestants(
  named: readonly string[] | undefined,
  cores: number,
): Promise<Contestant[]> {
  const chosen = choose("peer", Object.keys(PEERS) as PeerName[], named);
  return Promise.all(
    chosen.map(async (name) => {
      const peer = await preparePeer(name);
      return {
        name,
        isPeer: true,
        obstacle(ranks: number): string | undefined {
          if ("missing" in peer) return peer.missing;
          if (named !== undefined) return undefined;
          if (ranks === 1) return `is not a peer of a group of one; --peers ${name} runs it`;
          if (ranks <= cores || !PEERS[name].collapsesWhenCrowded) return undefined;
          return `takes milliseconds per call with more ranks than cores; --peers ${name} runs it`;
        },
        async run(ranks: number, plan: readonly Cell[]): Promise<string> {
          if ("missing" in peer) throw new Error(peer.missing);
          return peer.run(ranks, plan, { crowded: ranks > cores, timeoutSecs: TIMEOUT_SECONDS });
        },
      };
    }),
  );
}
