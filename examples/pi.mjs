// π as an integral, computed by any number of processes, with the same bits for each number.
import { createCommunicator } from "@cobre/comm";

const comm = await createCommunicator();
const PARTS = 64; // the same parts for any number of ranks
const firstOf = (rank) => Math.floor((PARTS * rank) / comm.size);

const mine = new Float64Array(firstOf(comm.rank + 1) - firstOf(comm.rank));
for (let i = 0; i < mine.length; i++) mine[i] = integrate(firstOf(comm.rank) + i);

const ranks = Array.from({ length: comm.size }, (_, rank) => rank);
const counts = ranks.map((rank) => firstOf(rank + 1) - firstOf(rank));
const parts = new Float64Array(PARTS);
comm.allgatherv(mine, parts, counts, ranks.map(firstOf)); // now every rank has all parts

const pi = parts.reduce((sum, part) => sum + part);
if (comm.rank === 0) console.log(`π = ${pi} from ${comm.size} × ${comm.backend}`);
comm.close();

function integrate(part, steps = 2_000_000) {
  let sum = 0;
  for (let i = 0; i < steps; i++) sum += 4 / (1 + ((part + (i + 0.5) / steps) / PARTS) ** 2);
  return sum / steps / PARTS;
}
