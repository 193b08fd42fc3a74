/** A rank that trains and simulates with a solver what its other arguments say, and prints the hashes: one line for each. */
import { createCommunicator } from "@cobre/comm";
import type { CutSelection } from "@cobre/io";
import { hashPolicy, simulate, train } from "@cobre/sddp";
import { loadSolver, type SolverChoice } from "@cobre/solver";
import { caseNamed, changed } from "./cases.js";

const [choice, ...words] = process.argv.slice(2);
const solver = await loadSolver(choice as SolverChoice);
const comm = await createCommunicator();
for (const word of words) {
  const [name = "", passes, iterations, method] = word.split(":");
  const source = changed(await caseNamed(name), {
    forwardPasses: Number(passes),
    iterations: Number(iterations),
    selection: method as CutSelection["method"],
  });
  const { policy } = await train(comm, source, { solver });
  const simulation = await simulate(comm, source, policy, { solver, scenarios: 5 });
  const hashes = { ...hashPolicy(policy), simulation: simulation.hash };
  const costs = [...simulation.costs];
  if (comm.rank === 0) console.log(JSON.stringify({ case: word, hashes, costs }));
}
comm.close();
