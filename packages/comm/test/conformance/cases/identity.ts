import assert from "node:assert/strict";
import type { ConformanceCase } from "../case.js";

export const identityCases: readonly ConformanceCase[] = [
  {
    name: "ranks are 0 to size - 1, each once, and agree on the size",
    run(comm) {
      assert.ok(Number.isInteger(comm.rank) && comm.rank >= 0 && comm.rank < comm.size);
      const everyone = new Int32Array(2 * comm.size);
      const counts = new Array(comm.size).fill(2);
      const displs = counts.map((_, r) => 2 * r);
      comm.allgatherv(Int32Array.of(comm.rank, comm.size), everyone, counts, displs);
      const expected = counts.flatMap((_, r) => [r, comm.size]);
      assert.deepEqual([...everyone], expected);
    },
  },
  {
    name: "splitLocal has a place for every rank that shares memory, led by its rank 0",
    run(comm) {
      using local = comm.splitLocal();
      assert.ok(local.rank >= 0 && local.rank < local.size && local.size <= comm.size);
      assert.equal(comm.isLeader, local.rank === 0);
      // All ranks of the tests are on one machine.
      if (["shm", "mpi"].includes(comm.backend)) assert.equal(local.size, comm.size);
      const sum = new Int32Array(1);
      local.allreduce(Int32Array.of(1), sum, "sum");
      assert.equal(sum[0], local.size);
    },
  },
  {
    name: "a split works between collectives of its parent, and after being closed leaves it whole",
    run(comm) {
      const local = comm.splitLocal();
      for (let round = 0; round < 5; round++) {
        const mine = Float64Array.of(comm.rank + round);
        const total = new Float64Array(1);
        comm.allreduce(mine, total, "max");
        assert.equal(total[0], comm.size - 1 + round);
        const localTotal = new Float64Array(1);
        local.allreduce(Float64Array.of(local.rank + round), localTotal, "max");
        assert.equal(localTotal[0], local.size - 1 + round);
      }
      local.close();
      local.close();
      assert.throws(() => local.barrier(), { kind: "InvalidCommunicator", state: "closed" });
      comm.barrier();
    },
  },
];
