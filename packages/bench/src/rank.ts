/**
 * Times the collectives of one of our backends, with the same arguments, output and method as
 * collectives.c does for an MPI. `start:T` asks how many milliseconds after T (since 1970) the first
 * barrier was over.
 */
import { createCommunicator } from "@cobre/comm";
import { measure } from "./operations.js";
import { decodeCell } from "./plan.js";

using comm = await createCommunicator();
for (const argument of process.argv.slice(2)) {
  const [, startedAt] = /^start:(\d+)$/.exec(argument) ?? [];
  if (startedAt !== undefined) {
    comm.barrier();
    if (comm.rank === 0) console.log("start", 0, (Date.now() - Number(startedAt)).toFixed(4));
    continue;
  }
  const cell = decodeCell(argument);
  const times = measure(cell, comm);
  if (comm.rank === 0) {
    console.log(cell.op, cell.bytes, ...times.map((time) => time.toFixed(4)));
  }
}
