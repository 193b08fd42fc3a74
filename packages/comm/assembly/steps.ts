/**
 * The steps of the shared-memory backend (AssemblyScript): announcing a step and waiting for those
 * of other ranks. They are here because an atomic access costs one nanosecond in WebAssembly and
 * more than ten in JavaScript. src/shm/group.ts explains steps. src/shm/layout.ts defines the
 * layout, which `configure` receives.
 */

let linesAt: usize = 0;
let rankStride: usize = 0;
let lineBytes: usize = 0;
let ringMask: i32 = 0;
let myRank: i32 = 0;
let size: i32 = 0;
let spins: i32 = 0;
let fenced: bool = true;

/** Offsets in a line, in bytes. They match LINE in layout.ts. */
const STEP: usize = 0;
const CALL: usize = 4;
const HISTORY: usize = 8;
const LENGTH: usize = 16;

/** `meet` adds this to a rank whose history differs. DIFFERS in group.ts is the same. */
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

/** Which rank a rank sleeps on, plus one. The word is in the line before its first. */
@inline
function sleepsOn(rank: i32): i32 {
  return atomic.load<i32>(linesAt + <usize>rank * rankStride - lineBytes);
}

/** Announces a step. Returns whether a rank sleeps on this one and must be woken. */
export function announce(step: i32, call: i32, history: i32, length: f64): bool {
  const line = lineOf(myRank, step);
  store<i32>(line, call, CALL);
  store<i32>(line, history, HISTORY);
  store<f64>(line, length, LENGTH);
  // The plain store costs a tenth of the atomic one. It is enough where stores become visible in
  // order and a rank that goes to sleep issues a memory barrier in this process; see waiting.ts.
  if (fenced) atomic.store<i32>(line, step, STEP);
  else store<i32>(line, step, STEP);
  for (let r = 0; r < size; r++) if (sleepsOn(r) == myRank + 1) return true;
  return false;
}

/** Spins until the rank has announced the step. Returns false if that takes too long. */
export function awaitRank(rank: i32, step: i32): bool {
  const line = lineOf(rank, step);
  let left = spins;
  do {
    // The rank may be ahead by more than a ring if the payload of this step is no longer needed.
    if (atomic.load<i32>(line, STEP) - step >= 0) return true;
  } while (--left > 0);
  return false;
}

/** Waits for all ranks. Returns the first rank that is late, or the number of ranks if none is. */
export function awaitAll(step: i32): i32 {
  let r = 0;
  while (r < size && awaitRank(r, step)) r++;
  return r;
}

/**
 * Waits for all ranks and compares histories. Returns -1, a late rank, or DIFFERS plus a rank that
 * differs.
 */
export function meet(step: i32, history: i32): i32 {
  const late = awaitAll(step);
  if (late < size) return late;
  for (let r = 0; r < size; r++) {
    if (load<i32>(lineOf(r, step), HISTORY) != history) return r + DIFFERS;
  }
  return -1;
}
