/** How a worker joins: it finds rank 0, makes itself known, and waits until all others have come. */

import { lookup } from "node:dns/promises";
import { closeSync } from "node:fs";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { InitializationFailed } from "../errors/backend-error.js";
import { formatAddress, type SocketAddress } from "../ffi/socket-address.js";
import { PollSet, READABLE, type Sockets } from "../ffi/sockets.js";
import type { CompleteTcpConfig } from "./config.js";
import { decodeRoster, MAX_ROSTER_BYTES, PURPOSE, type Roster } from "./handshake.js";
import { connectTo, introduce, NotReached, Refused } from "./introducing.js";
import type { Joined, Mesh } from "./joined.js";
import { Link } from "./link.js";
import { machineNumber } from "./machine.js";
import { LinkListener, linkDeadline, linkUpwards, MAX_LINKED_RANKS } from "./mesh.js";
import { aMoment } from "./moments.js";
import { decodeAbort, frame, HEADER_BYTES, TAG } from "./wire.js";

/** How long one address may take at first; twice as long in each further round. */
const FIRST_TRY_MS = 250;
const LONGEST_TRY_MS = 5000;

/** Between rounds over all addresses: short at first, for ranks that start together. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/** Rank 0 may have started a little later, and then knows a little later who is missing. */
const VERDICT_MS = 1500;

/** Joins as a worker. */
export async function joinCoordinator(
  sockets: Sockets,
  config: CompleteTcpConfig,
): Promise<Joined> {
  const deadline = performance.now() + config.timeoutSecs * 1000;
  const { fd, listener } = await reachCoordinator(sockets, config, deadline);
  const link = new Link(sockets, fd, 0);
  const star = new Array<Link | undefined>(config.size).fill(undefined);
  star[0] = link;
  try {
    const payload = await hear(sockets, link, TAG.roster, config, deadline + VERDICT_MS);
    const roster = decodeRoster(payload);
    if (roster === undefined) throw unintelligible();
    const { localRanks } = roster;
    if (!roster.links || listener === undefined) return { star, mesh: undefined, localRanks };
    const mesh = await joinMesh(sockets, link, listener, roster, config, deadline);
    return { star, mesh, localRanks };
  } catch (error) {
    link.close();
    throw error;
  } finally {
    listener?.close();
  }
}

/** Links up with the others, tells rank 0 whether that worked, and hears whether it did for all. */
async function joinMesh(
  sockets: Sockets,
  coordinator: Link,
  listener: LinkListener,
  { secret, higher, linkFromCoordinator }: Roster,
  config: CompleteTcpConfig,
  deadline: number,
): Promise<Mesh | undefined> {
  const { rank, size } = config;
  const first = linkFromCoordinator ? 0 : 1;
  const lower = new Set(Array.from({ length: rank - first }, (_, i) => first + i));
  const targets = higher.map((whereabouts, i) => ({ rank: rank + 1 + i, whereabouts }));
  const [below, above] = await Promise.all([
    listener.take(lower, secret, size, linkDeadline(config)),
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
  /** Where lower ranks can connect to this one. */
  readonly listener: LinkListener | undefined;
}

async function reachCoordinator(
  sockets: Sockets,
  config: CompleteTcpConfig,
  deadline: number,
): Promise<Reached> {
  const { host, port, timeoutSecs } = config;
  const secret = config.token === undefined ? undefined : Buffer.from(config.token, "utf8");
  const causes = new Map<string, string>();
  let pauseMs = FIRST_PAUSE_MS;
  for (let tryMs = FIRST_TRY_MS; ; tryMs = Math.min(2 * tryMs, LONGEST_TRY_MS)) {
    for (const address of await addressesOf(host, port, causes)) {
      try {
        const until = Math.min(deadline, performance.now() + tryMs);
        return await tryAddress(sockets, address, config, secret, until, deadline);
      } catch (error) {
        if (error instanceof Refused) throw failed(error.message, [], error);
        if (!(error instanceof NotReached)) throw error;
        causes.set(formatAddress(address), error.message);
      }
    }
    if (performance.now() + pauseMs > deadline) break;
    await sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
  const tried = [...causes].map(([where, cause]) => `${where}: ${cause}`).join("; ");
  const reason = `rank 0 was not reached at ${formatAddress({ host, port })} within ${timeoutSecs} s (${tried}). Check that rank 0 was started, and COBRE_TCP_COORDINATOR and COBRE_TCP_PORT.`;
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
    const who = { rank, size, machine, port: listener?.port ?? 0, purpose: PURPOSE.join };
    await introduce(sockets, fd, who, secret, deadline);
    return { fd, listener };
  } catch (error) {
    closeSync(fd);
    listener?.close();
    throw error;
  }
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

/** The payload of the next frame, which must have the given tag; or the verdict of rank 0. */
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
      const reason = `rank 0 accepted this rank and did not say within ${config.timeoutSecs} s that all had come.`;
      throw failed(reason, [0]);
    }
    await aMoment(sockets, set);
  }
}

function unintelligible(): InitializationFailed {
  return failed(
    "rank 0 sent what does not belong here. Use one version of Cobre for all ranks.",
    [],
  );
}

function failed(
  reason: string,
  missingRanks: readonly number[],
  cause?: unknown,
): InitializationFailed {
  return new InitializationFailed("tcp", reason, { missingRanks, cause });
}
