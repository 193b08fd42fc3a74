import { type CommError, InvalidArgument, InvalidBufferSize } from "../errors/comm-error.js";

const OPERATION = "allgatherv";

/** Checks that the pieces of an allgatherv lie inside `recv` and do not overlap. */
export function checkPieces(
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
  size: number,
  recvLength: number,
): void {
  if (!isListOf(counts, size) || !isListOf(displs, size)) {
    throw firstFault(counts, displs, size, recvLength);
  }
  let end = 0;
  let ascending = true;
  for (let r = 0; r < size; r++) {
    const count = counts[r] as number;
    const displ = displs[r] as number;
    if (!isWhole(count) || !isWhole(displ) || displ + count > recvLength) {
      throw firstFault(counts, displs, size, recvLength);
    }
    if (count === 0) continue;
    if (displ < end) ascending = false;
    end = displ + count;
  }
  if (!ascending) checkDisjoint(counts, displs, size);
}

function isListOf(list: ArrayLike<number>, size: number): boolean {
  return typeof list === "object" && list !== null && list.length === size;
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Of all that is wrong with the pieces, what the contract names first. Good calls do not come here. */
function firstFault(
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
  size: number,
  recvLength: number,
): CommError {
  const fault = faultOfList("counts", counts, size) ?? faultOfList("displs", displs, size);
  if (fault !== undefined) return fault;
  let r = 0;
  while ((displs[r] as number) + (counts[r] as number) <= recvLength) r++;
  return outside(r, displs[r] as number, counts[r] as number, recvLength);
}

function faultOfList(
  argument: "counts" | "displs",
  list: ArrayLike<number>,
  size: number,
): CommError | undefined {
  if (typeof list !== "object" || list === null || typeof list.length !== "number") {
    return new InvalidArgument(OPERATION, argument, "must be an array of numbers, one per rank.");
  }
  if (list.length !== size) {
    const hint = "It has one entry per rank.";
    return new InvalidBufferSize(OPERATION, argument, size, list.length, hint);
  }
  for (let r = 0; r < size; r++) {
    if (!isWhole(list[r] as number)) return notWhole(argument, r, list[r]);
  }
  return undefined;
}

/** The pieces are not in rank order: sorts them by position and compares neighbours. */
function checkDisjoint(counts: ArrayLike<number>, displs: ArrayLike<number>, size: number): void {
  const ranks = Array.from({ length: size }, (_, r) => r)
    .filter((r) => (counts[r] as number) > 0)
    .sort((a, b) => (displs[a] as number) - (displs[b] as number));
  for (let i = 1; i < ranks.length; i++) {
    const left = ranks[i - 1] as number;
    const right = ranks[i] as number;
    if ((displs[left] as number) + (counts[left] as number) > (displs[right] as number)) {
      const reason = `makes the pieces of ranks ${left} and ${right} overlap; they must be disjoint.`;
      throw new InvalidArgument(OPERATION, "displs", reason);
    }
  }
}

function notWhole(argument: string, rank: number, value: unknown): InvalidArgument {
  const reason = `is ${String(value)}; it must be a whole number, 0 or more.`;
  return new InvalidArgument(OPERATION, `${argument}[${rank}]`, reason);
}

function outside(rank: number, displ: number, count: number, length: number): InvalidBufferSize {
  const hint = `The piece of rank ${rank} ends at displs[${rank}] + counts[${rank}] = ${displ} + ${count}.`;
  return new InvalidBufferSize(OPERATION, "recv", displ + count, length, hint);
}
