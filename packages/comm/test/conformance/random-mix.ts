/**
 * A thousand random collectives from one seed. Every rank hashes all results; the hash is the same
 * on every rank and backend, and equals the one that a single process works out by the rule.
 */
import { createHash, type Hash } from "node:crypto";
import type { CommArray, Communicator, ReduceOp } from "@cobre/comm";
import { ARRAY_TYPES, type ArrayType } from "#internal";
import { bytesOf, contribution } from "../bits.js";
import { Random } from "../random.js";
import { SHAPES } from "./cases/allgatherv.js";
import { expectedReduction } from "./cases/allreduce.js";

type Step =
  | { kind: "barrier" }
  | { kind: "allreduce"; type: ArrayType; length: number; op: ReduceOp; seed: number }
  | { kind: "broadcast"; type: ArrayType; length: number; root: number; seed: number }
  | { kind: "allgatherv"; type: ArrayType; counts: number[]; gap: number; seed: number };

/** Mostly short, sometimes long: bits of the length are random too. */
function randomLength(random: Random): number {
  return random.below(2 ** random.below(14)) + 1;
}

function* steps(seed: number, count: number, size: number): Generator<Step> {
  const random = new Random(seed);
  const types = Object.values(ARRAY_TYPES);
  const shapes = Object.values(SHAPES);
  for (let i = 0; i < count; i++) {
    const stepSeed = random.bits();
    const type = random.pick(types);
    switch (random.below(8)) {
      case 0:
        yield { kind: "barrier" };
        break;
      case 1:
      case 2: {
        const root = random.below(size);
        yield { kind: "broadcast", type, length: randomLength(random) - 1, root, seed: stepSeed };
        break;
      }
      case 3:
      case 4: {
        const counts = random.pick(shapes)(size, randomLength(random) >> 3);
        yield { kind: "allgatherv", type, counts, gap: random.below(3), seed: stepSeed };
        break;
      }
      default: {
        const op = random.pick<ReduceOp>(["sum", "min", "max"]);
        yield { kind: "allreduce", type, length: randomLength(random), op, seed: stepSeed };
      }
    }
  }
}

/** Performs the mix on a communicator and returns the hash of everything received. */
export function runRandomMix(comm: Communicator, seed: number, count: number): string {
  const hash = createHash("sha256");
  for (const step of steps(seed, count, comm.size)) {
    switch (step.kind) {
      case "barrier":
        comm.barrier();
        break;
      case "allreduce": {
        const recv = new step.type.constructorFunction(step.length);
        comm.allreduce(contribution(step.type, step.length, step.seed, comm.rank), recv, step.op);
        hash.update(bytesOf(recv));
        break;
      }
      case "broadcast": {
        const source = comm.rank === step.root ? step.root : 1000 + comm.rank;
        const buf = contribution(step.type, step.length, step.seed, source);
        comm.broadcast(buf, step.root);
        hash.update(bytesOf(buf));
        break;
      }
      case "allgatherv": {
        const { displs, recv } = gatherTarget(step);
        const mine = step.counts[comm.rank] as number;
        const send = contribution(step.type, mine, step.seed, comm.rank);
        comm.allgatherv(send, recv, step.counts, displs);
        hash.update(bytesOf(recv));
        break;
      }
    }
  }
  return hash.digest("hex").slice(0, 32);
}

/** The hash that `runRandomMix` must give on `size` ranks, worked out without any communicator. */
export function referenceRandomMix(size: number, seed: number, count: number): string {
  const hash = createHash("sha256");
  for (const step of steps(seed, count, size)) hashReference(hash, step, size);
  return hash.digest("hex").slice(0, 32);
}

function hashReference(hash: Hash, step: Step, size: number): void {
  const ranks = Array.from({ length: size }, (_, r) => r);
  if (step.kind === "allreduce") {
    const inputs = ranks.map((r) => contribution(step.type, step.length, step.seed, r));
    hash.update(bytesOf(expectedReduction(step.type, inputs, step.op)));
  } else if (step.kind === "broadcast") {
    hash.update(bytesOf(contribution(step.type, step.length, step.seed, step.root)));
  } else if (step.kind === "allgatherv") {
    const { displs, recv } = gatherTarget(step);
    for (const r of ranks) {
      const piece = contribution(step.type, step.counts[r] as number, step.seed, r);
      bytesOf(recv).set(bytesOf(piece), (displs[r] as number) * step.type.bytesPerElement);
    }
    hash.update(bytesOf(recv));
  }
}

function gatherTarget(step: Extract<Step, { kind: "allgatherv" }>): {
  displs: number[];
  recv: CommArray;
} {
  let at = 0;
  const displs = step.counts.map((count) => {
    const displ = at + step.gap;
    at = displ + count;
    return displ;
  });
  return { displs, recv: new step.type.constructorFunction(at) };
}
