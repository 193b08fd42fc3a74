/** Fails if anything in /dev/shm has this job's name while it runs. */
import { readdirSync } from "node:fs";
import { createCommunicator } from "@cobre/comm";

const name = (process.env.COBRE_SHM_NAME as string).slice(1);
const comm = await createCommunicator();
const region = comm.createSharedRegion(Float64Array, 1000);
using split = comm.splitLocal();
region.fence();
split.barrier();
const ours = readdirSync("/dev/shm").filter((entry) => entry.includes(name));
if (ours.length > 0) console.log(ours);
process.exitCode = ours.length;
comm.close();
