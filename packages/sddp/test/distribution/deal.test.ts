/** Who gets which items, and how long the exchange of results takes: no rank needs to be there for that. */
import assert from "node:assert/strict";
import { afterEach, describe, it, mock } from "node:test";
import { type Communicator, LocalCommunicator } from "@cobre/comm";
import { Deal, Exchange, SharedCutMemory, SnakeDeal, WorkBoard } from "#internal";
import { startsOf } from "./uneven-items.js";

const upTo = (end: number) => Array.from({ length: end }, (_, i) => i);
const SIZES = [1, 2, 3, 5].flatMap((ranks) => upTo(13).map((items) => [items, ranks] as const));

/** The items of each rank are all items, and their numbers differ by one at most. */
function checkParts(parts: readonly (readonly number[])[], items: number, what: string): void {
  const all = parts.flat().sort((a, b) => a - b);
  assert.deepEqual(all, upTo(items), what);
  const counts = parts.map(({ length }) => length);
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `${what}: ${counts}`);
}

describe("a deal in blocks", () => {
  const blocks = (items: number, ranks: number) =>
    upTo(ranks).map((rank) => {
      const { first, end } = new Deal(items, ranks, rank);
      return [first, end];
    });

  it("gives all items, in order and in even parts", () => {
    assert.deepEqual(blocks(7, 3), [
      [0, 2],
      [2, 4],
      [4, 7],
    ]);
    for (const [items, ranks] of SIZES) {
      const parts = blocks(items, ranks).map(([first = 0, end = 0]) =>
        upTo(items).slice(first, end),
      );
      checkParts(parts, items, `${items} items for ${ranks} ranks`);
      assert.deepEqual(parts.flat(), upTo(items));
    }
  });

  it("knows where the items of each rank lie", () => {
    const { counts, displs } = new Deal(7, 3, 1).pieces(startsOf([3, 0, 1, 4, 2, 0, 5]));
    assert.deepEqual([...counts], [3, 5, 7]);
    assert.deepEqual([...displs], [0, 3, 8]);
  });
});

describe("a deal in turn", () => {
  it("gives one item to each rank, then goes back", () => {
    const deal = new SnakeDeal(8, 3);
    assert.deepEqual(
      [0, 1, 2].map((rank) => [...deal.of(rank)]),
      [
        [0, 5, 6],
        [1, 4, 7],
        [2, 3],
      ],
    );
  });

  it("gives all items, in even parts, each rank's in order", () => {
    for (const [items, ranks] of SIZES) {
      const deal = new SnakeDeal(items, ranks);
      const parts = upTo(ranks).map((rank) => [...deal.of(rank)]);
      checkParts(parts, items, `${items} items for ${ranks} ranks`);
      for (const part of parts) {
        assert.deepEqual(
          part,
          [...part].sort((a, b) => a - b),
        );
      }
    }
  });
});

describe("the time of an exchange", () => {
  const WAITING_MS = 5;
  const MOVING_MS = 3;
  let now = 100;
  /** Ranks that need this long to meet, and this long to move data. */
  const group = (size: number) =>
    ({
      size,
      rank: 0,
      barrier: () => {
        now += WAITING_MS;
      },
      allreduce: () => {
        now += MOVING_MS;
      },
    }) as unknown as Communicator;
  afterEach(() => mock.restoreAll());

  for (const [what, size, splitsWaiting, waiting, moving] of [
    ["is that of the collectives, if nobody asks for more", 2, undefined, 0, 2 * MOVING_MS],
    ["is split into waiting and moving", 2, true, 2 * WAITING_MS, 2 * MOVING_MS],
    ["has no waiting for a rank alone", 1, true, 0, 2 * MOVING_MS],
  ] as const) {
    it(what, () => {
      mock.method(performance, "now", () => now);
      const exchange = new Exchange(group(size), splitsWaiting);
      for (const value of [1, 2]) exchange.max(Int32Array.of(value));
      assert.deepEqual([exchange.waitingMs, exchange.movingMs], [waiting, moving]);
    });
  }
});

describe("a board", () => {
  it("gives items as long as there are some, and gets the results of each", () => {
    const rest = [2, 4, 5];
    const left: [offset: number, values: number[]][] = [];
    const board = {
      take: () => rest.shift(),
      leave: (offset: number, values: Float64Array) => left.push([offset, [...values]]),
      collect: (all: Float64Array) => all.fill(7),
    } as unknown as WorkBoard;
    const all = new Float64Array(10);
    const exchange = new Exchange({ size: 3, rank: 1 } as Communicator, false, board);
    exchange.share(5, all, startsOf([1, 2, 3, 1, 3]), (item) => all.fill(item));
    assert.deepEqual(left, [
      [3, [2, 2, 2]],
      [7, [4, 4, 4]],
    ]);
    assert.deepEqual(rest, []);
    assert.deepEqual([...all], new Array(10).fill(7));
  });
});

describe("a rank alone", () => {
  it("works on all items in order, and calls nobody", () => {
    const alone = { size: 1, rank: 0 } as unknown as Communicator;
    const exchange = new Exchange(alone);
    const all = new Float64Array(3);
    const worked: number[] = [];
    const starts = (item: number) => item;
    exchange.share(3, all, starts, (item) => {
      worked.push(item);
      all[item] = item + 1;
    });
    exchange.gather(all, new Deal(3, 1, 0), starts);
    assert.deepEqual(
      [worked, [...all]],
      [
        [0, 1, 2],
        [1, 2, 3],
      ],
    );
    assert.deepEqual([exchange.waitingMs, exchange.movingMs], [0, 0]);
  });

  it("needs no board, and writes all cuts", () => {
    using comm = new LocalCommunicator();
    assert.equal(WorkBoard.open(comm, 8), undefined);
    const memory = new SharedCutMemory(comm);
    assert.ok(memory.isWriter);
    memory.allocate(4);
    memory.fence();
    memory.close();
    assert.throws(() => memory.fence(), { kind: "InvalidCommunicator" });
  });
});
