import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Backend, ConformanceCase } from "../case.js";

/** Every rank leaves a mark, meets the others by `meet`, and must then see everybody's mark. */
async function checkMeeting(
  comm: Backend,
  directory: string,
  name: string,
  meet: () => void,
): Promise<void> {
  for (let late = 0; late < comm.size; late++) {
    const mark = (rank: number) => join(directory, `${name}-${late}-${rank}`);
    if (comm.rank === late) await sleep(20);
    writeFileSync(mark(comm.rank), "");
    meet();
    for (let rank = 0; rank < comm.size; rank++) {
      assert.ok(existsSync(mark(rank)), `returned before rank ${rank} had entered`);
    }
    comm.barrier();
  }
}

export const barrierCases: readonly ConformanceCase[] = [
  {
    name: "barrier: nobody returns before all have entered, whoever is late",
    run: (comm, { directory }) =>
      checkMeeting(comm, directory, "barrier", () => {
        comm.barrier();
      }),
  },
  {
    name: "allgatherv: nobody returns before all have contributed, also with nothing",
    run: (comm, { directory }) =>
      checkMeeting(comm, directory, "allgatherv", () => {
        const none = new Array(comm.size).fill(0);
        comm.allgatherv(new Float64Array(0), new Float64Array(0), none, none);
      }),
  },
  {
    name: "allreduce: nobody returns before all have contributed",
    run: (comm, { directory }) =>
      checkMeeting(comm, directory, "allreduce", () => {
        comm.allreduce(new Float64Array(1), new Float64Array(1), "sum");
      }),
  },
  {
    name: "ten thousand barriers in a row",
    run(comm) {
      for (let i = 0; i < 10_000; i++) comm.barrier();
    },
  },
];
