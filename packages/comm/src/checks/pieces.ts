import { InvalidArgument, InvalidBufferSize } from "../errors/comm-error.js";

const OPERATION = "allgatherv";

/** Checks where allgatherv is to put the pieces: inside `recv`, none over another. */
export function checkPieces(
  counts: ArrayLike<number>,
  displs: ArrayLike<number>,
  size: number,
  recvLength: number,
): void {
  checkList("counts", counts, size);
  checkList("displs", displs, size);
  let end = 0;
  let ascending = true;
  for (let r = 0; r < size; r++) {
    const count = counts[r] as number;
    const displ = displs[r] as number;
    if (!Number.isSafeInteger(count) || count < 0) throw notWhole("counts", r, count);
    if (!Number.isSafeInteger(displ) || displ < 0) throw notWhole("displs", r, displ);
    if (displ + count > recvLength) throw outside(r, displ, count, recvLength);
    if (count === 0) continue;
    if (displ < end) ascending = false;
    end = displ + count;
  }
  if (!ascending) checkDisjoint(counts, displs, size);
}

function checkList(argument: "counts" | "displs", list: ArrayLike<number>, size: number): void {
  if (typeof list !== "object" || list === null || typeof list.length !== "number") {
    throw new InvalidArgument(OPERATION, argument, "must be an array of numbers, one per rank.");
  }
  if (list.length !== size) {
    throw new InvalidBufferSize(
      OPERATION,
      argument,
      size,
      list.length,
      "It has one entry per rank.",
    );
  }
}

/** The pieces do not stand in rank order: sort them by place and compare neighbours. */
function checkDisjoint(counts: ArrayLike<number>, displs: ArrayLike<number>, size: number): void {
  const ranks = Array.from({ length: size }, (_, r) => r)
    .filter((r) => (counts[r] as number) > 0)
    .sort((a, b) => (displs[a] as number) - (displs[b] as number));
  for (let i = 1; i < ranks.length; i++) {
    const left = ranks[i - 1] as number;
    const right = ranks[i] as number;
    if ((displs[left] as number) + (counts[left] as number) > (displs[right] as number)) {
      const reason = `puts the pieces of ranks ${left} and ${right} over each other; they must be disjoint.`;
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
