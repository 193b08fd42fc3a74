/**
 * How rank 0 gathers the workers: it listens, lets in those that belong to the job, and reports
 * when all have joined.
 */

import { randomBytes } from "node:crypto";
import { closeSync } from "node:fs";
import { InitializationFailed } from "../errors/backend-error.js";
import { formatAddress, isLoopback } from "../ffi/socket-address.js";
import { PollSet, READABLE, type Sockets } from "../ffi/sockets.js";
import { SystemCallError } from "../ffi/system-call-error.js";
import { ABORT } from "../group/abort.js";
import { debug } from "../group/debug.js";
import { naming } from "../group/stories.js";
import { Candidate } from "./candidate.js";
import type { CompleteTcpConfig } from "./config.js";
import {
  CHANNEL,
  encodeRoster,
  type Introduction,
  MAX_HANDSHAKE_BYTES,
  PURPOSE,
  type Whereabouts,
} from "./handshake.js";
import type { Joined, Mesh } from "./joined.js";
import { Link } from "./link.js";
import { machineNumber } from "./machine.js";
import { linkUpwards, MAX_LINKED_RANKS } from "./mesh.js";
import { aMoment } from "./moments.js";
import { meshSecret } from "./proof.js";
import { encodeAbort, frame, HEADER_BYTES, TAG } from "./wire.js";

/**
 * At most this many connections may be in the handshake at once; beyond that, the oldest is
 * dropped.
 */
const MAX_CANDIDATES = 256;

interface Worker {
  readonly link: Link;
  readonly introduction: Introduction;
}

/** Joins as rank 0. */
export async function gatherWorkers(sockets: Sockets, config: CompleteTcpConfig): Promise<Joined> {
  const gathering = new Gathering(sockets, config);
  try {
    await gathering.untilAllCame();
    return await gathering.settle();
  } catch (error) {
    gathering.dismiss(error);
    throw error;
  } finally {
    gathering.stopListening();
  }
}

class Gathering {
  private readonly sockets: Sockets;
  private readonly config: CompleteTcpConfig;
  private readonly secret: Uint8Array | undefined;
  private readonly deadline: number;
  private readonly listener: number;
  private readonly candidates = new Set<Candidate>();
  private readonly workers: (Worker | undefined)[];
  private lastRefusal: string | undefined;

  constructor(sockets: Sockets, config: CompleteTcpConfig) {
    this.sockets = sockets;
    this.config = config;
    this.deadline = performance.now() + config.startSecs * 1000;
    this.secret = config.token === undefined ? undefined : Buffer.from(config.token, "utf8");
    this.workers = new Array(config.size).fill(undefined);
    this.listener = config.listenFd ?? listen(sockets, config);
    warnIfOpenToAll(sockets, this.listener, config);
  }

  async untilAllCame(): Promise<void> {
    const set = new PollSet();
    while (this.missing().length > 0) {
      this.letIn();
      for (const candidate of this.candidates) this.hear(candidate);
      this.refuseIfOneDied();
      if (this.missing().length === 0) return;
      if (performance.now() > this.deadline) throw this.neverCame();
      set.clear();
      set.add(this.listener, READABLE);
      for (const { link } of this.candidates) set.add(link.fd, READABLE);
      await aMoment(this.sockets, set);
    }
  }

  /** Sends every worker the roster, and waits until all ranks agree on whether to use links. */
  async settle(): Promise<Joined> {
    const workers = this.workers.slice(1) as Worker[];
    const found = [machineNumber(), ...workers.map((w) => w.introduction.machine)];
    const machines = found.map((machine) => found.indexOf(machine));
    const links =
      this.config.links !== false &&
      this.config.size <= MAX_LINKED_RANKS &&
      workers.every(({ introduction: { port } }) => port !== 0);
    if (!links) debug(0, `no links between workers: ${this.whyNoLinks()}`);
    const jobNonce = randomBytes(32);
    const whereabouts = (of: Worker, seenFrom: bigint | undefined): Whereabouts => ({
      isLocal: of.introduction.machine === seenFrom,
      host: this.sockets.remoteAddress(of.link.fd).host,
      port: of.introduction.port,
      name: of.introduction.name,
    });
    for (const [i, { link, introduction }] of workers.entries()) {
      const { machine } = introduction;
      const roster = encodeRoster({
        machines,
        links,
        linkFromCoordinator: links && machine === found[0],
        jobNonce,
        higher: links ? workers.slice(i + 1).map((worker) => whereabouts(worker, machine)) : [],
      });
      // Only the handshake has been sent before, so a few kilobytes fit into the send buffer.
      link.sendOnce(roster);
    }
    const star = [undefined, ...workers.map(({ link }) => link)];
    if (!links) return { star, mesh: undefined, machines };
    const local = workers.filter(({ introduction }) => introduction.machine === found[0]);
    const targets = local.map((worker) => ({
      rank: worker.link.rank,
      whereabouts: whereabouts(worker, found[0]),
    }));
    const made = linkUpwards(this.sockets, targets, meshSecret(this.secret, jobNonce), this.config);
    const mesh = await this.agreeOnLinks(workers, star, made);
    return { star, mesh, machines };
  }

  private whyNoLinks(): string {
    if (this.config.links === false) return "they are switched off";
    if (this.config.size > MAX_LINKED_RANKS) return `more than ${MAX_LINKED_RANKS} ranks`;
    return "a worker does not accept any";
  }

  /**
   * Every worker reports whether its links were made. Rank 0 then tells all whether to use them.
   */
  private async agreeOnLinks(
    workers: readonly Worker[],
    star: readonly (Link | undefined)[],
    making: Promise<Link[] | undefined>,
  ): Promise<Mesh | undefined> {
    const [made, all] = await Promise.all([making, this.haveAllLinked(workers)]);
    const agreed = made !== undefined && all;
    for (const { link } of workers) link.sendCopy(frame(TAG.links, Uint8Array.of(agreed ? 1 : 0)));
    if (!agreed) {
      debug(0, "no links between workers: not all of them could be made");
      for (const link of made ?? []) link.close();
      return undefined;
    }
    const mesh = [...star];
    for (const link of made) mesh[link.rank] = link;
    return mesh;
  }

  private async haveAllLinked(workers: readonly Worker[]): Promise<boolean> {
    const set = new PollSet();
    const answers = new Map<number, boolean>();
    while (answers.size < workers.length) {
      set.clear();
      for (const { link } of workers) {
        if (answers.has(link.rank)) continue;
        link.fill();
        const bytes = link.frameBytes(link.start);
        if (bytes === HEADER_BYTES + 1 && link.available >= bytes) {
          if (link.input[link.start + 4] === TAG.links) {
            answers.set(link.rank, link.input[link.start + HEADER_BYTES] === 1);
          }
          link.start += bytes;
        }
        if (link.hasEnded) throw this.died([link.rank]);
        if (!answers.has(link.rank)) set.add(link.fd, READABLE);
      }
      if (performance.now() > this.deadline) {
        const silent = workers.map((w) => w.link.rank).filter((rank) => !answers.has(rank));
        throw this.failed(
          `${naming(silent).who} did not answer while links were being made.`,
          silent,
        );
      }
      await aMoment(this.sockets, set);
    }
    return [...answers.values()].every((stands) => stands);
  }

  /** Tells the workers that have joined why the start has failed. */
  dismiss(error: unknown): void {
    const missingRanks = error instanceof InitializationFailed ? error.missingRanks : [0];
    const text = error instanceof InitializationFailed ? error.reason : String(error);
    for (const worker of this.workers) {
      worker?.link.sendOnce(encodeAbort({ code: ABORT.missing, missingRanks, text }));
      worker?.link.close();
    }
  }

  stopListening(): void {
    closeSync(this.listener);
    for (const candidate of this.candidates) candidate.link.close();
    this.candidates.clear();
  }

  private letIn(): void {
    for (;;) {
      const fd = this.nextConnection();
      if (fd === undefined) return;
      this.sockets.tune(fd);
      const link = new Link(this.sockets, fd, -1, MAX_HANDSHAKE_BYTES);
      this.candidates.add(new Candidate(link, this.secret, 0, CHANNEL.network));
      if (this.candidates.size <= MAX_CANDIDATES) continue;
      const [oldest] = this.candidates;
      if (oldest !== undefined) this.drop(oldest);
    }
  }

  /** If there is no descriptor for a connection, whoever has been asked longest who they are gives theirs back. */
  private nextConnection(): number | undefined {
    for (;;) {
      try {
        return this.sockets.accept(this.listener);
      } catch (error) {
        if (!(error instanceof SystemCallError)) throw error;
        const [oldest] = this.candidates;
        if (oldest === undefined) throw this.cannotAccept(error);
        this.drop(oldest);
      }
    }
  }

  private cannotAccept(cause: SystemCallError): InitializationFailed {
    const missingRanks = this.missing();
    const joined = this.config.size - missingRanks.length;
    const reason = `rank 0 cannot accept another connection (${cause.message}); ${joined} of ${this.config.size} ranks have joined. EMFILE means that this process has too many files open: raise its limit (ulimit -n).`;
    return new InitializationFailed("tcp", reason, { missingRanks, cause });
  }

  private hear(candidate: Candidate): void {
    const verdict = candidate.proceed();
    if (verdict.kind === "open") return;
    if (verdict.kind === "refused") {
      this.refuse(candidate, verdict.reason);
      return;
    }
    const { introduction } = verdict;
    const objection = this.objection(introduction);
    if (objection !== undefined) {
      this.refuse(candidate, objection);
      return;
    }
    candidate.accept(this.config.size);
    this.candidates.delete(candidate);
    const link = new Link(this.sockets, candidate.link.fd, introduction.rank);
    this.workers[introduction.rank] = { link, introduction };
  }

  /**
   * Why a process that belongs to the job cannot join as the rank it claims to be, or `undefined`.
   */
  private objection({ rank, size, purpose }: Introduction): string | undefined {
    const ownSize = this.config.size;
    if (size !== ownSize) {
      return `it was told that there are ${size} ranks, rank 0 that there are ${ownSize}. All must be told the same size.`;
    }
    if (rank < 1 || rank >= size || purpose !== PURPOSE.join) {
      return `rank ${rank} is not one of the workers 1 to ${size - 1}.`;
    }
    if (this.workers[rank] !== undefined) {
      return `rank ${rank} has already joined. Give each process a rank of its own.`;
    }
    return undefined;
  }

  private refuse(candidate: Candidate, reason: string): void {
    const { host } = this.addressOf(candidate.link);
    this.lastRefusal = `The last refused connection came from ${host}: ${reason}`;
    candidate.refuse(reason);
    this.candidates.delete(candidate);
  }

  private drop(candidate: Candidate): void {
    candidate.link.close();
    this.candidates.delete(candidate);
  }

  private addressOf(link: Link): { host: string } {
    try {
      return this.sockets.remoteAddress(link.fd);
    } catch {
      return { host: "an unknown address" };
    }
  }

  private missing(): number[] {
    const ranks = this.workers.map((_, rank) => rank);
    return ranks.filter((rank) => rank > 0 && this.workers[rank] === undefined);
  }

  private refuseIfOneDied(): void {
    const joined = this.workers.filter((worker) => worker !== undefined);
    const dead = joined.filter(({ link }) => !link.fill() && link.hasEnded);
    if (dead.length > 0) throw this.died(dead.map(({ link }) => link.rank));
  }

  private died(ranks: readonly number[]): InitializationFailed {
    const reason = `rank ${ranks.join(", ")} joined and died before all had come.`;
    return this.failed(reason, ranks);
  }

  private neverCame(): InitializationFailed {
    const missing = this.missing();
    const { size, startSecs } = this.config;
    const joined = size - missing.length;
    const refusal = this.lastRefusal === undefined ? "" : ` ${this.lastRefusal}`;
    const reason = `${naming(missing).who} did not come within ${startSecs} s; ${joined} of ${size} ranks have joined. Check that they were started and can reach this machine; COBRE_TCP_TIMEOUT_SECS allows more time.${refusal}`;
    return this.failed(reason, missing);
  }

  private failed(reason: string, missingRanks: readonly number[]): InitializationFailed {
    return new InitializationFailed("tcp", reason, { missingRanks });
  }
}

function listen(sockets: Sockets, { bindAddress, port }: CompleteTcpConfig): number {
  const address = { host: bindAddress, port };
  try {
    return sockets.listen(address);
  } catch (error) {
    if (!(error instanceof SystemCallError)) throw error;
    const where = formatAddress(address);
    const reason =
      error.code === "EADDRINUSE"
        ? `the address ${where} is in use, perhaps by another job. Choose another port with COBRE_TCP_PORT, the same for all ranks.`
        : `rank 0 cannot listen at ${where} (${error.message}). COBRE_TCP_BIND_ADDR must be an address of this machine.`;
    throw new InitializationFailed("tcp", reason, { cause: error });
  }
}

/** Without a token, anyone who can reach the port can take a rank's place. */
function warnIfOpenToAll(sockets: Sockets, listener: number, config: CompleteTcpConfig): void {
  if (config.token !== undefined || config.size === 1) return;
  const address = sockets.localAddress(listener);
  if (isLoopback(address.host)) return;
  process.stderr.write(
    `cobre: rank 0 listens at ${formatAddress(address)} and no token is set: anyone who can reach it can join. Set COBRE_TCP_TOKEN to the same secret on all ranks.\n`,
  );
}
