import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { ARRAY_TYPES } from "#internal";
import type { Backend, ConformanceCase } from "../case.js";

/** Whether the contract gives each rank a region of its own there. */
function ownsItsRegions(comm: Backend): boolean {
  return comm.backend === "local" || comm.backend === "tcp";
}

export const regionCases: readonly ConformanceCase[] = [
  {
    name: "a region starts zeroed, the leader fills it, everybody reads it after the fence",
    run(comm) {
      for (const type of Object.values(ARRAY_TYPES)) {
        using region = comm.createSharedRegion(type.constructorFunction, 1000);
        const view = region.asMutSlice();
        assert.equal(view.length, 1000);
        assert.ok(Array.prototype.every.call(view, (value) => Number(value) === 0));
        region.fence();
        const one = type.name.startsWith("Big") ? 1n : 1;
        if (comm.isLeader) (view as Float64Array).fill(one as number);
        region.fence();
        assert.ok(Array.prototype.every.call(region.asSlice(), (value) => value === one));
      }
    },
  },
  {
    name: "every local rank fills its share of a region, and everybody reads all of it",
    run(comm) {
      using local = comm.splitLocal();
      const count = 10_001;
      using region = comm.createSharedRegion(Float64Array, count);
      const from = Math.floor((count * local.rank) / local.size);
      const to = Math.floor((count * (local.rank + 1)) / local.size);
      const mine = region.asMutSlice();
      for (let i = from; i < to; i++) mine[i] = Math.sqrt(i);
      region.fence();
      const all = region.asSlice();
      for (let i = 0; i < count; i++) assert.equal(all[i], Math.sqrt(i));
    },
  },
  {
    name: "a region gives the same memory each time",
    run(comm) {
      using region = comm.createSharedRegion(Int32Array, 4);
      assert.equal(region.asMutSlice(), region.asMutSlice());
      region.fence();
      if (comm.isLeader) region.asMutSlice()[2] = 99;
      region.fence();
      assert.equal(region.asSlice()[2], 99);
    },
  },
  {
    name: "regions can be passed to collectives",
    run(comm) {
      using region = comm.createSharedRegion(Float64Array, comm.size);
      const recv = new Float64Array(comm.size);
      if (comm.isLeader) region.asMutSlice().fill(2);
      region.fence();
      comm.allreduce(region.asMutSlice(), recv, "sum");
      assert.equal(recv[0], 2 * comm.size);
    },
  },
  {
    name: "a fence of memory of one's own leaves it as it is, and waits for nobody",
    run(comm) {
      if (!ownsItsRegions(comm)) return;
      using region = comm.createSharedRegion(Int32Array, comm.size);
      region.asMutSlice()[comm.rank] = comm.rank + 1;
      // Where it met the others, they would have to fence as often, or be told of a mismatch.
      for (let i = 0; i <= comm.rank; i++) region.fence();
      const expected = Array.from({ length: comm.size }, (_, r) => (r === comm.rank ? r + 1 : 0));
      assert.deepEqual([...region.asSlice()], expected);
      comm.barrier();
      assert.deepEqual([...region.asSlice()], expected);
    },
  },
  {
    name: "a fence of shared memory lets nobody go on before all have written",
    async run(comm) {
      if (ownsItsRegions(comm)) return;
      using region = comm.createSharedRegion(Int32Array, comm.size);
      const shared = region.asMutSlice();
      for (let late = 0; late < comm.size; late++) {
        if (comm.rank === late) await sleep(20);
        shared[comm.rank] = late + 1;
        region.fence();
        assert.deepEqual([...shared], new Array(comm.size).fill(late + 1));
        region.fence();
      }
    },
  },
  {
    name: "an empty region is a region",
    run(comm) {
      using region = comm.createSharedRegion(Float64Array, 0);
      assert.equal(region.asSlice().length, 0);
      region.fence();
    },
  },
  {
    name: "many regions at once, closed in another order; a view outlives its region without fault",
    run(comm) {
      const regions = Array.from({ length: 20 }, (_, i) =>
        comm.createSharedRegion(Float64Array, 100 + i),
      );
      regions.forEach((region, i) => {
        if (comm.isLeader) region.asMutSlice().fill(i);
        region.fence();
      });
      const views = regions.map((region) => region.asSlice());
      for (const region of [...regions].reverse()) {
        region.close();
        region.close();
      }
      views.forEach((view, i) => {
        assert.equal(view[50], i);
      });
      const [first] = regions;
      assert.throws(() => first?.asSlice(), { kind: "InvalidCommunicator" });
      assert.throws(() => first?.fence(), { kind: "InvalidCommunicator" });
      comm.barrier();
    },
  },
];
