/** Links between neighbouring workers, for long messages. They are agreed by all or not used. */
import { closeSync } from "node:fs";
import type { SocketAddress } from "../ffi/socket-address.js";
import { PollSet, READABLE, type Sockets } from "../ffi/sockets.js";
import { Candidate } from "./candidate.js";
import type { CompleteTcpConfig } from "./config.js";
import { MAX_HANDSHAKE_BYTES, PURPOSE, type Roster } from "./handshake.js";
import { connectTo, introduce, NotReached, Refused } from "./introducing.js";
import type { Ring } from "./joined.js";
import { Link } from "./link.js";
import { aMoment } from "./moments.js";

/** Links are made at once or not at all: where a firewall is between workers, the star is used. */
const LINK_MS = 3000;

/** Listens where this rank reached rank 0 from: the others can reach it there if anywhere. */
export function listenForNeighbour(sockets: Sockets, fd: number): number {
  return sockets.listen({ host: sockets.localAddress(fd).host, port: 0 });
}

/** Connects to the next higher rank and accepts the next lower one; `undefined` if that fails. */
export async function linkNeighbours(
  sockets: Sockets,
  coordinator: Link,
  listener: number | undefined,
  roster: Roster,
  config: CompleteTcpConfig,
): Promise<Ring | undefined> {
  const { rank, size } = config;
  const deadline = performance.now() + Math.min(LINK_MS, config.timeoutSecs * 500);
  const [right, left] = await Promise.all([
    rank === size - 1 ? coordinator : connectRight(sockets, roster, config, deadline),
    listener === undefined ? coordinator : acceptLeft(sockets, listener, roster, config, deadline),
  ]);
  if (left !== undefined && right !== undefined) return { left, right };
  for (const link of [left, right]) if (link !== coordinator) link?.close();
  return undefined;
}

async function connectRight(
  sockets: Sockets,
  { next, secret }: Roster,
  { rank, size }: CompleteTcpConfig,
  deadline: number,
): Promise<Link | undefined> {
  const address: SocketAddress = next;
  let fd: number | undefined;
  try {
    fd = await connectTo(sockets, address, deadline);
    const who = { rank, size, machine: 0n, port: 0, purpose: PURPOSE.link };
    await introduce(sockets, fd, who, secret, deadline);
    return new Link(sockets, fd, rank + 1);
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    if (error instanceof NotReached || error instanceof Refused) return undefined;
    throw error;
  }
}

async function acceptLeft(
  sockets: Sockets,
  listener: number,
  { secret }: Roster,
  { rank, size }: CompleteTcpConfig,
  deadline: number,
): Promise<Link | undefined> {
  const candidates = new Set<Candidate>();
  const set = new PollSet();
  try {
    while (performance.now() < deadline) {
      for (let fd = sockets.accept(listener); fd !== undefined; fd = sockets.accept(listener)) {
        sockets.tune(fd);
        candidates.add(new Candidate(new Link(sockets, fd, -1, MAX_HANDSHAKE_BYTES), secret));
      }
      for (const candidate of candidates) {
        const verdict = candidate.proceed();
        if (verdict.kind === "open") continue;
        candidates.delete(candidate);
        if (verdict.kind === "proven" && verdict.introduction.rank === rank - 1) {
          candidate.accept(size);
          return new Link(sockets, candidate.link.fd, rank - 1);
        }
        candidate.link.close();
      }
      set.clear();
      set.add(listener, READABLE);
      for (const { link } of candidates) set.add(link.fd, READABLE);
      await aMoment(sockets, set);
    }
    return undefined;
  } finally {
    for (const { link } of candidates) link.close();
  }
}
