/** A rank that trains and simulates the problems over graphs that its arguments name, and prints the hashes. */
import { createCommunicator } from "@cobre/comm";
import { hashPolicy, simulate, train } from "@cobre/sddp";
import { SHORT_PROBLEMS } from "./problems.js";

const comm = await createCommunicator();
for (const name of process.argv.slice(2) as (keyof typeof SHORT_PROBLEMS)[]) {
  const model = SHORT_PROBLEMS[name];
  const { policy } = await train(comm, model);
  const options = name.endsWith("every path") ? {} : { scenarios: 7 };
  const { hash, costs } = await simulate(comm, model, policy, options);
  const line = { name, hashes: hashPolicy(policy), hash, costs: [...costs] };
  if (comm.rank === 0) console.log(JSON.stringify(line));
}
comm.close();
