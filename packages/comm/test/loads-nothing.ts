/** Fails if a communicator of `local` has loaded native code: no backend but the chosen one may. */
import { readFileSync } from "node:fs";
import { createCommunicator } from "@cobre/comm";

using comm = await createCommunicator();
comm.barrier();
const loaded = readFileSync("/proc/self/maps", "utf8").includes("koffi");
process.exitCode = loaded ? 1 : 0;
