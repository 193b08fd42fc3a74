/**
 * The preconditions of the collectives. Every backend checks them here before it touches memory.
 */
import { ARRAY_TYPES, type ArrayType, arrayTypeOf, type CommArray } from "../arrays.js";
import { REMEMBERED_BYTES } from "../blocks.js";
import { InvalidArgument, InvalidBufferSize, InvalidRoot } from "../errors/comm-error.js";
import { checkPieces } from "./pieces.js";

/**
 * The checks of one communicator. It remembers the last pair of small arrays that had the same type
 * and different buffers, because looking at a small array's buffer moves it off the JavaScript heap
 * and costs more than a small collective. Neither property can change later. Lengths can (resized
 * or detached buffers), so they are checked each time.
 */
export class CallChecks {
  private readonly rank: number;
  private readonly size: number;
  private pairSend: CommArray | undefined;
  private pairRecv: CommArray | undefined;
  private pairType: ArrayType = ARRAY_TYPES.Float64Array;
  private single: CommArray | undefined;
  private singleType: ArrayType = ARRAY_TYPES.Float64Array;

  constructor(rank: number, size: number) {
    this.rank = rank;
    this.size = size;
  }

  /** Checks the arguments of an allreduce and returns the type of its arrays. */
  allreduce(send: CommArray, recv: CommArray, op: unknown): ArrayType {
    const type =
      send === this.pairSend && recv === this.pairRecv
        ? this.pairType
        : this.pairOfArrays("allreduce", send, recv);
    if (op !== "sum" && op !== "min" && op !== "max") throw unknownOp(op);
    if (send.length === 0) throw emptyAllreduce(recv);
    if (send.length !== recv.length) throw unequalLengths(send, recv);
    return type;
  }

  /** Checks the arguments of an allgatherv and returns the type of its arrays. */
  allgatherv(
    send: CommArray,
    recv: CommArray,
    counts: ArrayLike<number>,
    displs: ArrayLike<number>,
  ): ArrayType {
    const type =
      send === this.pairSend && recv === this.pairRecv
        ? this.pairType
        : this.pairOfArrays("allgatherv", send, recv);
    checkPieces(counts, displs, this.size, recv.length);
    const mine = counts[this.rank] as number;
    if (send.length !== mine) {
      throw new InvalidBufferSize(
        "allgatherv",
        "send",
        mine,
        send.length,
        `It must have counts[${this.rank}] elements, the count of this rank.`,
      );
    }
    return type;
  }

  /** Checks the arguments of a broadcast and returns the type of its array. */
  broadcast(buf: CommArray, root: number): ArrayType {
    const type = buf === this.single ? this.singleType : this.singleArray(buf);
    if (!Number.isInteger(root) || root < 0 || root >= this.size) {
      throw new InvalidRoot(root, this.size);
    }
    return type;
  }

  private pairOfArrays(operation: string, send: CommArray, recv: CommArray): ArrayType {
    const type = typeOfArgument(operation, "send", send);
    const recvType = typeOfArgument(operation, "recv", recv);
    if (type !== recvType) {
      const reason = `is a ${recvType.name}, but send is a ${type.name}; both must have the same type.`;
      throw new InvalidArgument(operation, "recv", reason);
    }
    if (send.buffer !== recv.buffer) {
      if (send.byteLength <= REMEMBERED_BYTES && recv.byteLength <= REMEMBERED_BYTES) {
        this.pairSend = send;
        this.pairRecv = recv;
        this.pairType = type;
      }
    } else if (overlap(send, recv)) {
      const reason = "overlaps send; give it memory of its own.";
      throw new InvalidArgument(operation, "recv", reason);
    }
    return type;
  }

  private singleArray(buf: CommArray): ArrayType {
    const type = typeOfArgument("broadcast", "buf", buf);
    if (buf.byteLength <= REMEMBERED_BYTES) {
      this.single = buf;
      this.singleType = type;
    }
    return type;
  }
}

function typeOfArgument(operation: string, argument: string, value: unknown): ArrayType {
  const type = arrayTypeOf(value);
  if (type !== undefined) return type;
  const actual = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const names = Object.keys(ARRAY_TYPES).join(", ");
  throw new InvalidArgument(operation, argument, `is a ${actual}; it must be one of ${names}.`);
}

function overlap(a: CommArray, b: CommArray): boolean {
  if (a.byteLength === 0 || b.byteLength === 0) return false;
  return a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
}

function unknownOp(op: unknown): InvalidArgument {
  return new InvalidArgument(
    "allreduce",
    "op",
    `is ${show(op)}; it must be "sum", "min" or "max".`,
  );
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function emptyAllreduce(recv: CommArray): InvalidBufferSize {
  const hint = "There is nothing to reduce (or the array was detached).";
  return new InvalidBufferSize("allreduce", "send", Math.max(1, recv.length), 0, hint);
}

function unequalLengths(send: CommArray, recv: CommArray): InvalidBufferSize {
  const hint = "send and recv must have the same length.";
  return new InvalidBufferSize("allreduce", "recv", send.length, recv.length, hint);
}
