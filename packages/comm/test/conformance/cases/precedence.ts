import assert from "node:assert/strict";
import { CommError } from "@cobre/comm";
import type { Backend, ConformanceCase } from "../case.js";

/** A call with several mistakes, and which of them is told. */
interface Contest {
  readonly mistakes: string;
  /** Between pieces of different ranks. */
  readonly leastRanks?: number;
  readonly call: (comm: Backend) => void;
  readonly told: (comm: Backend) => Record<string, unknown>;
}

const f64 = (length: number) => new Float64Array(length);
/** For arguments that the type system already refuses. */
const wrong = (value: unknown) => value as never;
const list = (comm: Backend, value: unknown) => new Array(comm.size).fill(value) as number[];
/** The list with another value for the last rank. */
const butLast = (values: number[], last: unknown) => [...values.slice(0, -1), last] as number[];
const argument = (name: string) => () => ({ kind: "InvalidArgument", argument: name });

const overlapping = () => {
  const whole = f64(8);
  return [whole.subarray(0, 4), whole.subarray(3)] as const;
};

/** In the order of the contract. Each call has the mistake that is told, and as many later ones as go together with it. */
const CONTESTS: readonly Contest[] = [
  {
    mistakes: "allreduce: send no array, then recv, op",
    call: (comm) => comm.allreduce(wrong({}), wrong({}), wrong("prod")),
    told: argument("send"),
  },
  {
    mistakes: "allreduce: recv no array, then op, nothing to reduce",
    call: (comm) => comm.allreduce(f64(0), wrong({}), wrong("prod")),
    told: () => ({ argument: "recv", reason: /is a Object/ }),
  },
  {
    mistakes: "allreduce: two types, then op, nothing to reduce",
    call: (comm) => comm.allreduce(f64(0), wrong(new Float32Array(3)), wrong("prod")),
    told: () => ({ argument: "recv", reason: /is a Float32Array/ }),
  },
  {
    mistakes: "allreduce: overlap, then op, lengths",
    call: (comm) => comm.allreduce(...overlapping(), wrong("prod")),
    told: () => ({ argument: "recv", reason: /overlaps/ }),
  },
  {
    mistakes: "allreduce: op, then nothing to reduce, lengths",
    call: (comm) => comm.allreduce(f64(0), f64(3), wrong("prod")),
    told: argument("op"),
  },
  {
    mistakes: "allreduce: nothing to reduce, then lengths",
    call: (comm) => comm.allreduce(f64(0), f64(3), "sum"),
    told: () => ({ kind: "InvalidBufferSize", expected: 3, actual: 0 }),
  },
  {
    mistakes: "allgatherv: send no array, then everything else",
    call: (comm) => comm.allgatherv(wrong({}), wrong({}), wrong(null), wrong(null)),
    told: argument("send"),
  },
  {
    mistakes: "allgatherv: two types, then counts, displs",
    call: (comm) => comm.allgatherv(f64(9), wrong(new Int8Array(9)), wrong(null), wrong(null)),
    told: () => ({ argument: "recv", reason: /is a Int8Array/ }),
  },
  {
    mistakes: "allgatherv: overlap, then counts, displs",
    call: (comm) => comm.allgatherv(...overlapping(), wrong(null), wrong(null)),
    told: () => ({ argument: "recv", reason: /overlaps/ }),
  },
  {
    mistakes: "allgatherv: counts no list, then displs",
    call: (comm) => comm.allgatherv(f64(9), f64(9), wrong(null), wrong(null)),
    told: argument("counts"),
  },
  {
    mistakes: "allgatherv: length of counts, then their entries, displs",
    call: (comm) => comm.allgatherv(f64(9), f64(9), [...list(comm, -1), -1], wrong(null)),
    told: (comm) => ({ kind: "InvalidBufferSize", expected: comm.size, actual: comm.size + 1 }),
  },
  {
    mistakes: "allgatherv: an entry of counts, then displs no list",
    call: (comm) => comm.allgatherv(f64(9), f64(9), butLast(list(comm, 1), -1), wrong(null)),
    told: (comm) => ({ argument: `counts[${comm.size - 1}]` }),
  },
  {
    mistakes: "allgatherv: the last entry of counts, then the first of displs, a piece outside",
    call: (comm) => comm.allgatherv(f64(9), f64(9), butLast(list(comm, 99), -1), list(comm, -1)),
    told: (comm) => ({ argument: `counts[${comm.size - 1}]` }),
  },
  {
    mistakes: "allgatherv: length of displs, then their entries, a piece outside",
    call: (comm) => comm.allgatherv(f64(9), f64(9), list(comm, 99), [...list(comm, -1), -1]),
    told: (comm) => ({ kind: "InvalidBufferSize", expected: comm.size, actual: comm.size + 1 }),
  },
  {
    mistakes: "allgatherv: the last entry of displs, then a piece outside, length of send",
    call: (comm) => comm.allgatherv(f64(9), f64(9), list(comm, 99), butLast(list(comm, 0), 0.5)),
    told: (comm) => ({ argument: `displs[${comm.size - 1}]` }),
  },
  {
    mistakes: "allgatherv: a piece outside, then length of send",
    call: (comm) => comm.allgatherv(f64(9), f64(5), list(comm, 7), list(comm, 0)),
    told: () => ({ kind: "InvalidBufferSize", expected: 7, actual: 5 }),
  },
  {
    mistakes: "allgatherv: the last piece outside, then pieces over each other",
    leastRanks: 2,
    call: (comm) => comm.allgatherv(f64(9), f64(5), butLast(list(comm, 3), 7), list(comm, 0)),
    told: () => ({ kind: "InvalidBufferSize", expected: 7, actual: 5 }),
  },
  {
    mistakes: "allgatherv: pieces over each other, then length of send",
    leastRanks: 2,
    call: (comm) => comm.allgatherv(f64(9), f64(5), list(comm, 3), list(comm, 0)),
    told: argument("displs"),
  },
  {
    mistakes: "broadcast: buf no array, then root",
    call: (comm) => comm.broadcast(wrong({}), -1),
    told: argument("buf"),
  },
  {
    mistakes: "createSharedRegion: type, then count",
    call: (comm) => comm.createSharedRegion(wrong(DataView), -1),
    told: argument("type"),
  },
];

export const precedenceCases: readonly ConformanceCase[] = CONTESTS.map(
  ({ mistakes, leastRanks = 1, call, told }) => ({
    name: `the first of several mistakes is told: ${mistakes}`,
    leastRanks,
    run(comm) {
      assert.throws(
        () => call(comm),
        (error: unknown) => {
          assert.ok(error instanceof CommError, `not a CommError: ${error}`);
          for (const [field, value] of Object.entries(told(comm))) {
            const actual: unknown = Reflect.get(error, field);
            if (value instanceof RegExp) assert.match(String(actual), value);
            else assert.equal(actual, value, error.message);
          }
          return true;
        },
      );
    },
  }),
);

/** What was wrong before comes before what is wrong with a call. */
export const precedenceWhenClosed: ConformanceCase = {
  name: "the first of several mistakes is told: closed, then every argument",
  run(comm) {
    comm.close();
    const calls: readonly (() => void)[] = [
      () => comm.allgatherv(wrong({}), wrong({}), wrong(null), wrong(null)),
      () => comm.allreduce(wrong({}), wrong({}), wrong("prod")),
      () => comm.broadcast(wrong({}), -1),
      () => void comm.createSharedRegion(wrong(DataView), -1),
    ];
    for (const call of calls) {
      assert.throws(call, { kind: "InvalidCommunicator", state: "closed" });
    }
  },
};
