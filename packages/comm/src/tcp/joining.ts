/**
 * How a worker joins: it finds rank 0, introduces itself, and waits until all ranks have joined.
 */

import { lookup } from "node:dns/promises";
import { closeSync } from "node:fs";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { InitializationFailed } from "../errors/backend-error.js";
import { formatAddress, type SocketAddress } from "../ffi/socket-address.js";
import { PollSet, READABLE, type Sockets } from "../ffi/sockets.js";
import { debug } from "../group/debug.js";
import type { CompleteTcpConfig } from "./config.js";
import {
  CHANNEL,
  decodeRoster,
  MAX_ROSTER_BYTES,
  NO_NAME,
  PURPOSE,
  type Roster,
} from "./handshake.js";
import { connectTo, DoubtfulRefusal, introduce, NotReached, Refused } from "./introducing.js";
import type { Joined, Mesh } from "./joined.js";
import { Link } from "./link.js";
import { machineNumber } from "./machine.js";
import { LinkListener, linkDeadline, linkUpwards, MAX_LINKED_RANKS } from "./mesh.js";
import { aMoment } from "./moments.js";
import { meshSecret } from "./proof.js";
import { decodeAbort, frame, HEADER_BYTES, TAG } from "./wire.js";

/** How long to try one address in the first round. The time doubles with each round. */
const FIRST_TRY_MS = 250;
const LONGEST_TRY_MS = 5000;

/** The pause between rounds over all addresses: short at first, for ranks that start together. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/**
 * How long a rank that knows the token goes on trying when somebody refuses it without knowing the
 * token: a stranger in the place of rank 0 must not end it, and a wrong token must be told soon.
 */
const DOUBT_MS = 2000;

/** Rank 0 may have started a little later, and then knows a little later who is missing. */
const VERDICT_MS = 1500;

/** Joins as a worker. */
export async function joinCoordinator(
  sockets: Sockets,
  config: CompleteTcpConfig,
): Promise<Joined> {
  const deadline = performance.now() + config.startSecs * 1000;
  const { fd, listener } = await reachCoordinator(sockets, config, deadline);
  const link = new Link(sockets, fd, 0);
  const star = new Array<Link | undefined>(config.size).fill(undefined);
  star[0] = link;
  try {
    const payload = await hear(sockets, link, TAG.roster, config, deadline + VERDICT_MS);
    const roster = decodeRoster(payload);
    if (roster === undefined) throw unintelligible();
    const { machines } = roster;
    if (machines.length !== config.size) throw unintelligible();
    if (!roster.links || listener === undefined) {
      debug(config.rank, "no links between workers: rank 0 decided against them");
      return { star, mesh: undefined, machines };
    }
    const mesh = await joinMesh(sockets, link, listener, roster, config, deadline);
    return { star, mesh, machines };
  } catch (error) {
    link.close();
    throw error;
  } finally {
    listener?.close();
  }
}

/**
 * Links up with the other ranks, reports to rank 0 whether that worked, and learns whether it
 * worked for all.
 */
async function joinMesh(
  sockets: Sockets,
  coordinator: Link,
  listener: LinkListener,
  { jobNonce, higher, linkFromCoordinator }: Roster,
  config: CompleteTcpConfig,
  deadline: number,
): Promise<Mesh | undefined> {
  const { rank, size } = config;
  const secret = meshSecret(secretOf(config), jobNonce);
  const first = linkFromCoordinator ? 0 : 1;
  const lower = new Set(Array.from({ length: rank - first }, (_, i) => first + i));
  const targets = higher.map((whereabouts, i) => ({ rank: rank + 1 + i, whereabouts }));
  const [below, above] = await Promise.all([
    listener.take(lower, secret, config, linkDeadline(config)),
    linkUpwards(sockets, targets, secret, config),
  ]);
  const stands = below.length === lower.size && above?.length === size - 1 - rank;
  coordinator.sendCopy(frame(TAG.links, Uint8Array.of(stands ? 1 : 0)));
  const verdict = await hear(sockets, coordinator, TAG.links, config, deadline + VERDICT_MS);
  const links = [...below, ...(above ?? [])];
  if (verdict[0] !== 1) {
    for (const link of links) link.close();
    return undefined;
  }
  const mesh = new Array<Link | undefined>(size).fill(undefined);
  mesh[0] = coordinator;
  for (const link of links) mesh[link.rank] = link;
  return mesh;
}

interface Reached {
  readonly fd: number;
  /** Where lower ranks can connect to this rank. */
  readonly listener: LinkListener | undefined;
}

async function reachCoordinator(
  sockets: Sockets,
  config: CompleteTcpConfig,
  deadline: number,
): Promise<Reached> {
  const { host, port, startSecs } = config;
  const secret = secretOf(config);
  let doubtedAt: number | undefined;
  const causes = new Map<string, string>();
  let pauseMs = FIRST_PAUSE_MS;
  for (let tryMs = FIRST_TRY_MS; ; tryMs = Math.min(2 * tryMs, LONGEST_TRY_MS)) {
    for (const address of await addressesOf(host, port, causes)) {
      try {
        const until = Math.min(deadline, performance.now() + tryMs);
        return await tryAddress(sockets, address, config, secret, until, deadline);
      } catch (error) {
        if (error instanceof Refused) throw failed(error.message, [], error);
        if (error instanceof DoubtfulRefusal) {
          doubtedAt ??= performance.now();
          if (performance.now() - doubtedAt > DOUBT_MS) throw failed(error.message, [], error);
        } else if (!(error instanceof NotReached)) throw error;
        causes.set(formatAddress(address), (error as Error).message);
      }
    }
    if (performance.now() + pauseMs > deadline) break;
    await sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
  const tried = [...causes].map(([where, cause]) => `${where}: ${cause}`).join("; ");
  const reason = `rank 0 was not reached at ${formatAddress({ host, port })} within ${startSecs} s (${tried}). Check that rank 0 was started, and that COBRE_TCP_COORDINATOR and COBRE_TCP_PORT are right; COBRE_TCP_TIMEOUT_SECS allows more time.`;
  throw failed(reason, [0]);
}

async function tryAddress(
  sockets: Sockets,
  address: SocketAddress,
  config: CompleteTcpConfig,
  secret: Uint8Array | undefined,
  until: number,
  deadline: number,
): Promise<Reached> {
  const fd = await connectTo(sockets, address, until);
  let listener: LinkListener | undefined;
  try {
    const { rank, size, links } = config;
    if (links !== false && size <= MAX_LINKED_RANKS) listener = new LinkListener(sockets, fd);
    const machine = machineNumber();
    const who = {
      rank,
      size,
      machine,
      port: listener?.port ?? 0,
      purpose: PURPOSE.join,
      target: 0,
      channel: CHANNEL.network,
      name: listener?.name ?? NO_NAME,
    };
    await introduce(sockets, fd, who, secret, deadline);
    return { fd, listener };
  } catch (error) {
    closeSync(fd);
    listener?.close();
    throw error;
  }
}

function secretOf({ token }: CompleteTcpConfig): Uint8Array | undefined {
  return token === undefined ? undefined : Buffer.from(token, "utf8");
}

/** Every address the name has now; it may have more, or others, in the next round. */
async function addressesOf(
  host: string,
  port: number,
  causes: Map<string, string>,
): Promise<SocketAddress[]> {
  if (isIP(host) !== 0) return [{ host, port }];
  try {
    const found = await lookup(host, { all: true, verbatim: true });
    causes.delete(host);
    return found.map(({ address }) => ({ host: address, port }));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    causes.set(host, `the name cannot be resolved (${code})`);
    return [];
  }
}

/**
 * The payload of the next frame, which must have the given tag. Throws if rank 0 gives up instead.
 */
async function hear(
  sockets: Sockets,
  link: Link,
  tag: number,
  config: CompleteTcpConfig,
  deadline: number,
): Promise<Uint8Array> {
  const set = new PollSet();
  set.add(link.fd, READABLE);
  for (;;) {
    link.fill();
    const bytes = link.frameBytes(link.start);
    if (bytes !== undefined && bytes > HEADER_BYTES + MAX_ROSTER_BYTES) throw unintelligible();
    if (bytes !== undefined && link.available >= bytes) {
      const payload = link.input.slice(link.start + HEADER_BYTES, link.start + bytes);
      const found = link.input[link.start + 4];
      link.start += bytes;
      if (found === tag) return payload;
      if (found !== TAG.abort) throw unintelligible();
      const { text, missingRanks } = decodeAbort(payload);
      throw failed(text, missingRanks);
    }
    if (link.hasEnded) throw failed("rank 0 died before all ranks had come.", [0]);
    if (performance.now() > deadline) {
      const reason = `rank 0 accepted this rank, but did not report within ${config.startSecs} s that all ranks had joined. COBRE_TCP_TIMEOUT_SECS allows more time.`;
      throw failed(reason, [0]);
    }
    await aMoment(sockets, set);
  }
}

function unintelligible(): InitializationFailed {
  return failed("rank 0 sent an unexpected message. Use one version of Cobre for all ranks.", []);
}

function failed(
  reason: string,
  missingRanks: readonly number[],
  cause?: unknown,
): InitializationFailed {
  return new InitializationFailed("tcp", reason, { missingRanks, cause });
}
