/** Links between all ranks: each connects to those above it. They are agreed by all or not used. */

import { randomBytes } from "node:crypto";
import { closeSync } from "node:fs";
import { reasonOf } from "../errors/reason-of.js";
import { PollSet, READABLE, type Sockets } from "../ffi/sockets.js";
import { SystemCallError } from "../ffi/system-call-error.js";
import { debug } from "../group/debug.js";
import { Candidate } from "./candidate.js";
import type { CompleteTcpConfig } from "./config.js";
import {
  CHANNEL,
  MAX_HANDSHAKE_BYTES,
  NAME_BYTES,
  NO_NAME,
  PURPOSE,
  type Whereabouts,
} from "./handshake.js";
import { connectTo, DoubtfulRefusal, introduce, NotReached, Refused } from "./introducing.js";
import { Link } from "./link.js";
import { aMoment } from "./moments.js";

/** Larger groups have too many pairs of ranks: they use the star alone. */
export const MAX_LINKED_RANKS = 64;

/** Links must be made quickly: behind a firewall they never would be, and the star is used. */
const LINK_MS = 3000;

/**
 * Where a worker accepts links: at a port and, for ranks on its machine, at an abstract Unix
 * socket.
 */
export class LinkListener {
  readonly port: number;
  /** The random part of its name; zeros if it has none. */
  readonly name: Uint8Array;
  private readonly network: number;
  private readonly unix: number | undefined;

  /**
   * Listens at the local address of the connection to rank 0: others are most likely to reach that
   * one.
   */
  constructor(
    private readonly sockets: Sockets,
    coordinator: number,
  ) {
    this.network = sockets.listen({ host: sockets.localAddress(coordinator).host, port: 0 });
    this.port = sockets.localAddress(this.network).port;
    const name = randomBytes(NAME_BYTES);
    try {
      this.unix = sockets.listenWithin(nameOf(name));
      this.name = name;
    } catch (error) {
      this.name = NO_NAME;
      // The system has no such names: the port is enough.
      if (!(error instanceof SystemCallError)) throw error;
      debug(undefined, `accepts no links by Unix socket: ${reasonOf(error)}`);
    }
  }

  close(): void {
    closeSync(this.network);
    if (this.unix !== undefined) closeSync(this.unix);
  }

  /** Accepts a link from each of the ranks. Returns fewer if some do not connect in time. */
  async take(
    ranks: ReadonlySet<number>,
    secret: Uint8Array,
    { rank: own, size }: CompleteTcpConfig,
    deadline: number,
  ): Promise<Link[]> {
    const { sockets, network, unix } = this;
    const doors = [{ fd: network, channel: CHANNEL.network as number }];
    if (unix !== undefined) doors.push({ fd: unix, channel: CHANNEL.unix });
    const awaited = new Set(ranks);
    const links: Link[] = [];
    const candidates = new Set<Candidate>();
    const set = new PollSet();
    try {
      while (awaited.size > 0 && performance.now() < deadline) {
        for (const { fd: door, channel } of doors) {
          for (const fd of this.accepted(door, own)) {
            const link = new Link(sockets, fd, -1, MAX_HANDSHAKE_BYTES);
            candidates.add(new Candidate(link, secret, own, channel));
          }
        }
        dropOldest(candidates);
        for (const candidate of candidates) {
          const verdict = candidate.proceed();
          if (verdict.kind === "open") continue;
          candidates.delete(candidate);
          const rank = verdict.kind === "proven" ? verdict.introduction.rank : -1;
          if (!awaited.delete(rank)) {
            candidate.link.close();
            continue;
          }
          candidate.accept(size);
          links.push(new Link(sockets, candidate.link.fd, rank));
        }
        if (awaited.size === 0) break;
        set.clear();
        for (const { fd } of doors) set.add(fd, READABLE);
        for (const { link } of candidates) set.add(link.fd, READABLE);
        await aMoment(sockets, set);
      }
      return links;
    } catch (error) {
      if (!(error instanceof SystemCallError && error.call === "accept")) throw error;
      debug(own, `no more links from other ranks: ${error.message}`);
      return links;
    } finally {
      for (const { link } of candidates) link.close();
    }
  }

  private accepted(listener: number, rank: number): number[] {
    const { sockets } = this;
    const fds: number[] = [];
    for (let fd = sockets.accept(listener); fd !== undefined; fd = sockets.accept(listener)) {
      const stranger = strangerBehind(sockets, fd);
      if (stranger !== undefined) {
        debug(rank, `refused a Unix socket: ${stranger}`);
        closeSync(fd);
        continue;
      }
      sockets.tune(fd);
      fds.push(fd);
    }
    return fds;
  }
}

/** So many may be asked at once who they are; more come only from somebody who means ill. */
const MAX_CANDIDATES = 2 * MAX_LINKED_RANKS;

function dropOldest(candidates: Set<Candidate>): void {
  for (const candidate of candidates) {
    if (candidates.size <= MAX_CANDIDATES) return;
    candidate.link.close();
    candidates.delete(candidate);
  }
}

/**
 * Whose process is at the other end of a Unix socket, if it is not this user's; any user may bind or
 * call such a name. A name that is taken by another user could otherwise relay and change everything.
 */
function strangerBehind(sockets: Sockets, fd: number): string | undefined {
  if (!sockets.isWithinMachine(fd)) return undefined;
  const uid = sockets.peerUid(fd);
  return uid === process.getuid?.() ? undefined : `it belongs to another user (uid ${uid})`;
}

/** A rank to connect to. */
interface Target {
  readonly rank: number;
  readonly whereabouts: Whereabouts;
}

/** Connects to the ranks above this one. Returns `undefined` if one of them cannot be reached. */
export async function linkUpwards(
  sockets: Sockets,
  targets: readonly Target[],
  secret: Uint8Array,
  config: CompleteTcpConfig,
): Promise<Link[] | undefined> {
  const deadline = linkDeadline(config);
  const links: Link[] = [];
  for (const target of targets) {
    const link = await linkTo(sockets, target, secret, config, deadline);
    if (link === undefined) {
      for (const made of links) made.close();
      return undefined;
    }
    links.push(link);
  }
  return links;
}

async function linkTo(
  sockets: Sockets,
  target: Target,
  secret: Uint8Array,
  { rank, size, links }: CompleteTcpConfig,
  deadline: number,
): Promise<Link | undefined> {
  const { isLocal, host, port, name } = target.whereabouts;
  const overNetwork = () => connectTo(sockets, { host, port }, deadline);
  // Within a machine, not through its network: that takes half the time.
  const within = () => {
    const fd = sockets.connectWithin(nameOf(name));
    const stranger = strangerBehind(sockets, fd);
    if (stranger === undefined) return fd;
    closeSync(fd);
    throw new NotReached(stranger);
  };
  const hasName = name.some((byte) => byte !== 0);
  const ways = isLocal && hasName && links !== "network" ? [within, overNetwork] : [overNetwork];
  for (const connect of ways) {
    const channel = connect === within ? CHANNEL.unix : CHANNEL.network;
    const who = {
      rank,
      size,
      machine: 0n,
      port: 0,
      purpose: PURPOSE.link,
      target: target.rank,
      channel,
      name: NO_NAME,
    };
    let fd: number | undefined;
    try {
      fd = await connect();
      await introduce(sockets, fd, who, secret, deadline);
      return new Link(sockets, fd, target.rank);
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      const isExpected =
        error instanceof NotReached ||
        error instanceof Refused ||
        error instanceof DoubtfulRefusal ||
        error instanceof SystemCallError;
      if (!isExpected) throw error;
      const way = connect === within ? "Unix socket" : "network";
      debug(rank, `no link to rank ${target.rank} by the ${way}: ${reasonOf(error)}`);
    }
  }
  return undefined;
}

/** When links must be complete: soon enough to leave half of the start-up time. */
export function linkDeadline({ size, startSecs }: CompleteTcpConfig): number {
  return performance.now() + Math.min(LINK_MS + 20 * size, startSecs * 500);
}

/** Nobody can guess the name, and so nobody can have taken it before. */
function nameOf(name: Uint8Array): string {
  return `cobre-link-${Buffer.from(name).toString("hex")}`;
}
