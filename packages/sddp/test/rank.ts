/** A rank that trains and simulates what its arguments say, and prints the hashes: one line for each. */
import { createCommunicator } from "@cobre/comm";
import { hashPolicy, simulate, train } from "@cobre/sddp";
import { caseNamed, changed } from "./cases.js";

const comm = await createCommunicator();
for (const word of process.argv.slice(2)) {
  const [name = "", passes, iterations] = word.split(":");
  const source = changed(await caseNamed(name), {
    forwardPasses: Number(passes),
    iterations: Number(iterations),
  });
  const { policy } = await train(comm, source);
  const simulation = await simulate(comm, source, policy, { scenarios: 5 });
  const hashes = { ...hashPolicy(policy), simulation: simulation.hash };
  const costs = [...simulation.costs];
  if (comm.rank === 0) console.log(JSON.stringify({ case: word, hashes, costs }));
}
comm.close();
