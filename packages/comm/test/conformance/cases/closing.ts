import assert from "node:assert/strict";
import { InvalidCommunicator } from "@cobre/comm";
import type { ConformanceCase } from "../case.js";

/** These close the communicator: they come last. */
export const closingCases: readonly ConformanceCase[] = [
  {
    name: "close twice, then every operation says that it was closed",
    run(comm) {
      comm.barrier();
      comm.close();
      comm.close();
      comm[Symbol.dispose]();
      const one = new Float64Array(1);
      const other = new Float64Array(comm.size);
      const ones = new Array(comm.size).fill(1);
      const calls: Record<string, () => void> = {
        allgatherv: () => comm.allgatherv(one, other, ones, [...ones.keys()]),
        allreduce: () => comm.allreduce(one, new Float64Array(1), "sum"),
        broadcast: () => comm.broadcast(one, 0),
        barrier: () => comm.barrier(),
        createSharedRegion: () => void comm.createSharedRegion(Float64Array, 1),
        splitLocal: () => void comm.splitLocal(),
      };
      for (const [operation, call] of Object.entries(calls)) {
        assert.throws(call, (error: unknown) => {
          assert.ok(error instanceof InvalidCommunicator);
          assert.equal(error.operation, operation);
          assert.equal(error.state, "closed");
          return true;
        });
      }
    },
  },
];
