/** Links between all ranks: each connects to those above it. They are agreed by all or not used. */
import { closeSync } from "node:fs";
import { PollSet, READABLE, type Sockets } from "../ffi/sockets.js";
import { SystemCallError } from "../ffi/system-call-error.js";
import { Candidate } from "./candidate.js";
import type { CompleteTcpConfig } from "./config.js";
import { MAX_HANDSHAKE_BYTES, PURPOSE, type Whereabouts } from "./handshake.js";
import { connectTo, introduce, NotReached, Refused } from "./introducing.js";
import { Link } from "./link.js";
import { aMoment } from "./moments.js";

/** Larger groups have too many pairs: they use the star alone. */
export const MAX_LINKED_RANKS = 64;

/** Links are made at once or not at all: where a firewall is between ranks, the star is used. */
const LINK_MS = 3000;

/** Where a worker takes links: at a port, and for ranks of its machine under a name. */
export class LinkListener {
  readonly port: number;
  private readonly fds: number[];

  /** Listens where this rank reached rank 0 from: the others can reach it there if anywhere. */
  constructor(
    private readonly sockets: Sockets,
    coordinator: number,
  ) {
    const fd = sockets.listen({ host: sockets.localAddress(coordinator).host, port: 0 });
    this.fds = [fd];
    this.port = sockets.localAddress(fd).port;
    try {
      this.fds.push(sockets.listenWithin(nameOf(this.port)));
    } catch (error) {
      // Somebody else has the name, or the system has no such names: the port is enough.
      if (!(error instanceof SystemCallError)) throw error;
    }
  }

  close(): void {
    for (const fd of this.fds) closeSync(fd);
  }

  /** Takes a link from each of the ranks; fewer, if they do not come in time. */
  async take(
    ranks: ReadonlySet<number>,
    secret: Uint8Array,
    size: number,
    deadline: number,
  ): Promise<Link[]> {
    const { sockets, fds } = this;
    const awaited = new Set(ranks);
    const links: Link[] = [];
    const candidates = new Set<Candidate>();
    const set = new PollSet();
    try {
      while (awaited.size > 0 && performance.now() < deadline) {
        for (const fd of fds.flatMap((listener) => this.accepted(listener))) {
          candidates.add(new Candidate(new Link(sockets, fd, -1, MAX_HANDSHAKE_BYTES), secret));
        }
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
        for (const fd of fds) set.add(fd, READABLE);
        for (const { link } of candidates) set.add(link.fd, READABLE);
        await aMoment(sockets, set);
      }
      return links;
    } finally {
      for (const { link } of candidates) link.close();
    }
  }

  private accepted(listener: number): number[] {
    const { sockets } = this;
    const fds: number[] = [];
    for (let fd = sockets.accept(listener); fd !== undefined; fd = sockets.accept(listener)) {
      sockets.tune(fd);
      fds.push(fd);
    }
    return fds;
  }
}

/** A rank to connect to. */
export interface Target {
  readonly rank: number;
  readonly whereabouts: Whereabouts;
}

/** Connects to ranks above; `undefined` if one cannot be reached. */
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
  const who = { rank, size, machine: 0n, port: 0, purpose: PURPOSE.link };
  const { isLocal, host, port } = target.whereabouts;
  const overNetwork = () => connectTo(sockets, { host, port }, deadline);
  // Within a machine, not through its network: that takes half the time.
  const within = () => sockets.connectWithin(nameOf(port));
  const ways = isLocal && links !== "network" ? [within, overNetwork] : [overNetwork];
  for (const connect of ways) {
    let fd: number | undefined;
    try {
      fd = await connect();
      sockets.tune(fd);
      await introduce(sockets, fd, who, secret, deadline);
      return new Link(sockets, fd, target.rank);
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      const isExpected =
        error instanceof NotReached || error instanceof Refused || error instanceof SystemCallError;
      if (!isExpected) throw error;
    }
  }
  return undefined;
}

/** Until when links must stand. */
export function linkDeadline({ size, timeoutSecs }: CompleteTcpConfig): number {
  return performance.now() + Math.min(LINK_MS + 20 * size, timeoutSecs * 500);
}

/** A port is used once on a machine, or once in each of its networks, and so is such a name. */
function nameOf(port: number): string {
  return `cobre-link-${port}`;
}
