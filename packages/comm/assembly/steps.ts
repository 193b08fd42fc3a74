/**
 * The steps of the shared-memory backend (AssemblyScript): announcing one and waiting for those of
 * others. Here because an atomic access costs a nanosecond in WebAssembly and over ten in JavaScript.
 * src/shm/group.ts tells what steps are, src/shm/layout.ts where the words stand; `configure` is told.
 */

let linesAt: usize = 0;
let rankStride: usize = 0;
let lineBytes: usize = 0;
let ringMask: i32 = 0;
let myRank: i32 = 0;
let size: i32 = 0;
let spins: i32 = 0;
let fenced: bool = true;

/** Words of a line, in bytes; those of LINE in layout.ts. */
const STEP: usize = 0;
const CALL: usize = 4;
const HISTORY: usize = 8;
const LENGTH: usize = 16;

/** What `meet` adds to the rank whose history differs. */
const DIFFERS: i32 = 0x10000;

export function configure(
  lines: usize,
  stride: usize,
  line: usize,
  ring: i32,
  rank: i32,
  ranks: i32,
  patience: i32,
  fence: bool,
): void {
  linesAt = lines;
  rankStride = stride;
  lineBytes = line;
  ringMask = ring - 1;
  myRank = rank;
  size = ranks;
  spins = patience;
  fenced = fence;
}

@inline
function lineOf(rank: i32, step: i32): usize {
  return linesAt + <usize>rank * rankStride + <usize>(step & ringMask) * lineBytes;
}

/** The word in which a rank says on whom it sleeps stands in the line before its first. */
@inline
function sleepsOn(rank: i32): i32 {
  return atomic.load<i32>(linesAt + <usize>rank * rankStride - lineBytes);
}

/** Announces a step; returns whether somebody sleeps on this rank and must be woken. */
export function announce(step: i32, call: i32, history: i32, length: f64): bool {
  const line = lineOf(myRank, step);
  store<i32>(line, call, CALL);
  store<i32>(line, history, HISTORY);
  store<f64>(line, length, LENGTH);
  // The plain store costs a tenth of the atomic one. It is enough where stores become visible in order
  // and whoever goes to sleep on this rank makes sure of what comes next; see waiting.ts.
  if (fenced) atomic.store<i32>(line, step, STEP);
  else store<i32>(line, step, STEP);
  for (let r = 0; r < size; r++) if (sleepsOn(r) == myRank + 1) return true;
  return false;
}

/** Whether the rank has announced the step, now or while this rank spins. */
export function awaitRank(rank: i32, step: i32): bool {
  const line = lineOf(rank, step);
  let left = spins;
  do {
    // Ahead by more than a ring is possible where nothing of the step is read any longer.
    if (atomic.load<i32>(line, STEP) - step >= 0) return true;
  } while (--left > 0);
  return false;
}

/** Waits for everybody; returns the first rank that has not come, or the number of ranks. */
export function awaitAll(step: i32): i32 {
  let r = 0;
  while (r < size && awaitRank(r, step)) r++;
  return r;
}

/** Waits for everybody and compares histories; returns -1, or who is late, or who differs. */
export function meet(step: i32, history: i32): i32 {
  const late = awaitAll(step);
  if (late < size) return late;
  for (let r = 0; r < size; r++) {
    if (load<i32>(lineOf(r, step), HISTORY) != history) return r + DIFFERS;
  }
  return -1;
}
