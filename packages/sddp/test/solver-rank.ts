/** A rank whose solver has the version that its argument gives for it. It trains, and prints the error that this ends with. */
import { createCommunicator } from "@cobre/comm";
import { train } from "@cobre/sddp";
import { loadSolver } from "@cobre/solver";
import { caseNamed } from "./cases.js";

using comm = await createCommunicator();
const version = process.argv[2 + comm.rank];
const solver = { ...(await loadSolver("highs")), fingerprint: `highs ${version} wasm` };
try {
  const { lowerBound } = await train(comm, await caseNamed("fast"), { solver });
  console.log(JSON.stringify({ lowerBound }));
} catch (error) {
  const { kind, message } = error as { kind: string; message: string };
  console.log(JSON.stringify({ kind, message }));
}
