/**
 * How ranks join through a segment: rank 0 makes it, all ranks register, and rank 0 unlinks the
 * name.
 */
import { closeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { InitializationFailed } from "../errors/backend-error.js";
import { AllocationFailed } from "../errors/comm-error.js";
import { ABORT } from "../group/abort.js";
import { reservePages } from "../memory/reserve-pages.js";
import { SharedMemory } from "../memory/shared-memory.js";
import type { SharedMemorySystem } from "../memory/system.js";
import type { CompleteShmConfig } from "./config.js";
import { announceToken } from "./direct.js";
import { HEADER, Layout, LINE_WORDS, MAGIC, RING, SCRATCH_BYTES, VERSION } from "./layout.js";
import { Records } from "./records.js";
import { createSegment, openSegment } from "./segment.js";

/** What a rank has once it has joined. */
export interface Joined {
  readonly fd: number;
  readonly shared: SharedMemory;
  readonly layout: Layout;
  readonly firstStep: number;
}

/** Before the first step, every line shows a step that is long past. */
export function initializeLines(
  words: Int32Array,
  layout: Layout,
  rank: number,
  firstStep: number,
): void {
  for (let i = 0; i < RING; i++) {
    words[(layout.lines(rank) >> 2) + i * LINE_WORDS] = (firstStep - RING) | 0;
  }
}

/** Joins the group. Waits until all ranks have joined, or throws when the deadline passes. */
export async function joinGroup(
  system: SharedMemorySystem,
  config: CompleteShmConfig,
): Promise<Joined> {
  const deadline = performance.now() + config.startSecs * 1000;
  const joined =
    config.rank === 0
      ? await startGroup(system, config)
      : await enterGroup(system, config, deadline);
  const records = new Records(joined.shared.buffer, joined.layout);
  try {
    if (config.rank > 0) reserveOwnParts(system, joined, config.rank);
    const words = new Int32Array(joined.shared.buffer);
    initializeLines(words, joined.layout, config.rank, joined.firstStep);
    announceToken(joined.shared, records, config.rank);
    if (system.registerForBarriers()) records.writeRegistered(config.rank);
    records.writeJoined(config.rank);
    if (config.rank === 0) {
      await untilAllJoined(system, config, joined.fd, records, deadline);
      system.unlinkNamed(config.name);
      Atomics.store(words, HEADER.started, 1);
    } else {
      await untilStarted(system, config, joined.fd, records, words, deadline);
    }
    return joined;
  } catch (error) {
    if (config.rank === 0) system.unlinkNamed(config.name);
    if (error instanceof InitializationFailed) tellWhoIsMissing(records, config.rank, error);
    if (error instanceof AllocationFailed) tellWhatIsShort(records, config.rank, error);
    closeSync(joined.fd);
    throw error;
  }
}

/**
 * Ranks whose deadline is a moment later then name the same missing ranks, not the rank that
 * leaves.
 */
function tellWhoIsMissing(records: Records, rank: number, error: InitializationFailed): void {
  const { reason, missingRanks } = error;
  records.writeAbort(rank, { code: ABORT.missing, missingRanks, text: reason });
}

/** The others need not wait for a rank that has no room for its parts. */
function tellWhatIsShort(records: Records, rank: number, { message }: AllocationFailed): void {
  const text = `rank ${rank} cannot join: ${message}`;
  records.writeAbort(rank, { code: ABORT.missing, missingRanks: [rank], text });
}

/** Puts the lines and slots of this rank on its own memory node; see `Layout.parts`. */
function reserveOwnParts(system: SharedMemorySystem, { fd, layout }: Joined, rank: number): void {
  reservePages(system, fd, layout.parts(rank), layout.totalBytes);
}

async function startGroup(system: SharedMemorySystem, config: CompleteShmConfig): Promise<Joined> {
  const { firstStep } = config;
  const layout = new Layout(config.size);
  const fd = await createSegment(system, config.name, layout);
  const shared = new SharedMemory(system, fd, layout.totalBytes, SCRATCH_BYTES);
  const words = new Int32Array(shared.buffer);
  words[HEADER.magic] = MAGIC[0];
  words[HEADER.magic + 1] = MAGIC[1];
  words[HEADER.version] = VERSION;
  words[HEADER.size] = config.size;
  words[HEADER.totalBytes] = layout.totalBytes;
  words[HEADER.firstStep] = firstStep;
  Atomics.store(words, HEADER.ready, 1);
  return { fd, shared, layout, firstStep };
}

async function enterGroup(
  system: SharedMemorySystem,
  config: CompleteShmConfig,
  deadline: number,
): Promise<Joined> {
  const pause = pauses();
  for (;;) {
    const segment = openSegment(system, config.name);
    if (segment !== undefined) {
      const { fd, header } = segment;
      try {
        if (header.size !== config.size) {
          const reason = `rank 0 was told that there are ${header.size} ranks, this rank ${config.rank} that there are ${config.size}. All must be told the same size.`;
          throw new InitializationFailed("shm", reason);
        }
        if (!system.lockByte(fd, config.rank)) {
          const reason = `rank ${config.rank} has already joined. Give each process a rank of its own.`;
          throw new InitializationFailed("shm", reason);
        }
        const layout = new Layout(header.size);
        if (layout.totalBytes !== header.totalBytes) {
          const reason = `the segment ${config.name} has ${header.totalBytes} bytes, but ${header.size} ranks need ${layout.totalBytes}: it was tampered with. Choose another name.`;
          throw new InitializationFailed("shm", reason);
        }
        const shared = new SharedMemory(system, fd, layout.totalBytes, SCRATCH_BYTES);
        return { fd, shared, layout, firstStep: header.firstStep };
      } catch (error) {
        closeSync(fd);
        throw error;
      }
    }
    if (performance.now() > deadline) {
      throw new InitializationFailed(
        "shm",
        `rank 0 did not make the segment ${config.name} within ${config.startSecs} s. Check that rank 0 was started, under the same name; COBRE_SHM_TIMEOUT_SECS allows more time.`,
        { missingRanks: [0] },
      );
    }
    await pause();
  }
}

async function untilAllJoined(
  system: SharedMemorySystem,
  config: CompleteShmConfig,
  fd: number,
  records: Records,
  deadline: number,
): Promise<void> {
  const pause = pauses();
  for (;;) {
    const missing = ranksOf(config.size).filter((r) => !records.hasJoined(r));
    if (missing.length === 0) return;
    refuseIfDead(system, config, fd, records);
    if (performance.now() > deadline) throw neverCame(config, missing);
    await pause();
  }
}

async function untilStarted(
  system: SharedMemorySystem,
  config: CompleteShmConfig,
  fd: number,
  records: Records,
  words: Int32Array,
  deadline: number,
): Promise<void> {
  const pause = pauses();
  while (Atomics.load(words, HEADER.started) === 0) {
    refuseIfDead(system, config, fd, records);
    if (performance.now() > deadline) {
      const missing = ranksOf(config.size).filter((r) => !records.hasJoined(r));
      throw neverCame(config, missing.length > 0 ? missing : [0]);
    }
    await pause();
  }
}

/** A rank that has given up, or has joined and died, will not come back: fail at once. */
function refuseIfDead(
  system: SharedMemorySystem,
  config: CompleteShmConfig,
  fd: number,
  records: Records,
): void {
  const others = ranksOf(config.size).filter((r) => r !== config.rank);
  const informed = others.find((r) => records.hasAborted(r));
  if (informed !== undefined) {
    const { missingRanks, text } = records.readAbort(informed);
    throw new InitializationFailed("shm", text, { missingRanks });
  }
  const dead = others.filter((r) => records.hasJoined(r) && !system.isByteLocked(fd, r));
  if (dead.length === 0) return;
  const reason = `rank ${dead.join(", ")} joined and died before all had come.`;
  throw new InitializationFailed("shm", reason, { missingRanks: dead });
}

function neverCame(config: CompleteShmConfig, missing: readonly number[]): InitializationFailed {
  const which = missing.length === 1 ? `rank ${missing[0]}` : `ranks ${missing.join(", ")}`;
  return new InitializationFailed(
    "shm",
    `${which} did not come within ${config.startSecs} s. Check that all ${config.size} were started with the name ${config.name}; COBRE_SHM_TIMEOUT_SECS allows more time.`,
    { missingRanks: missing },
  );
}

function ranksOf(size: number): number[] {
  return Array.from({ length: size }, (_, r) => r);
}

/** Pauses that are short at first and then grow. */
function pauses(): () => Promise<void> {
  let milliseconds = 1;
  return async () => {
    await sleep(milliseconds);
    milliseconds = Math.min(milliseconds * 1.5, 20);
  };
}
