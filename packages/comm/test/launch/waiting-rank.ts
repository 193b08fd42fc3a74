/** A rank that says how it waits, and which processors it may use after it has waited for a late rank. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createCommunicator } from "@cobre/comm";

const allowed = () =>
  /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync("/proc/self/status", "latin1"))?.[1];

using comm = await createCommunicator();
const before = allowed();
// Long enough that the other ranks look where this one is, and then sleep.
for (let late = 0; late < comm.size; late++) {
  if (comm.rank === late) await sleep(50);
  comm.barrier();
}
console.log(JSON.stringify({ waiting: comm.describe().paths.waiting, before, after: allowed() }));
