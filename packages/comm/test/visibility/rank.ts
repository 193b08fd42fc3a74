/** A rank that makes a few calls and prints how its group meets, and what it has counted. */
import { createCommunicator } from "@cobre/comm";

const comm = await createCommunicator();
const sum = new Float64Array(1);
for (let i = 0; i < 5; i++) comm.allreduce(Float64Array.of(i), sum, "sum");
comm.broadcast(new Uint8Array(100), 0);
const counts = new Array<number>(comm.size).fill(3);
const displs = counts.map((_, r) => 3 * r);
comm.allgatherv(new Int32Array(3), new Int32Array(3 * comm.size), counts, displs);
comm.barrier();
using region = comm.createSharedRegion(Float64Array, 4);
region.fence();
region.fence();
console.log(JSON.stringify({ description: comm.describe(), statistics: comm.statistics() }));
comm.close();
