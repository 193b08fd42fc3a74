/**
 * Times the collectives of one of our backends: what collectives.c is for an MPI, with the same
 * arguments, output and method.
 */
import { createCommunicator } from "@cobre/comm";
import { measure } from "./operations.js";
import { decodeCell } from "./plan.js";

using comm = await createCommunicator();
for (const argument of process.argv.slice(2)) {
  const cell = decodeCell(argument);
  const times = measure(cell, comm);
  if (comm.rank === 0) {
    console.log(cell.op, cell.bytes, ...times.map((time) => time.toFixed(4)));
  }
}
