/** A rank that trains and simulates the published models that its arguments name, and prints the hashes. With `differ`, ranks define different models. */
import { createCommunicator } from "@cobre/comm";
import { defineModel, hashPolicy, SddpError, simulate, train } from "@cobre/sddp";
import { PUBLISHED } from "./published.js";

const comm = await createCommunicator();
if (process.argv[2] === "differ") {
  const model = defineModel({
    stages: 2,
    state: { stock: comm.rank },
    build(stage) {
      const { stock } = stage.state;
      stage.row(
        "kept",
        [
          [stock.out, 1],
          [stock.in, -1],
        ],
        { equals: 0 },
      );
    },
  });
  await train(comm, model).catch((error) => {
    if (!(error instanceof SddpError)) throw error;
    console.log(`${error.kind}: ${error.message}`);
  });
} else {
  for (const name of process.argv.slice(2) as (keyof typeof PUBLISHED)[]) {
    const { model } = PUBLISHED[name];
    const { policy } = await train(comm, model);
    const { hash, costs } = await simulate(comm, model, policy, { scenarios: 7 });
    const line = { name, hashes: hashPolicy(policy), hash, costs: [...costs] };
    if (comm.rank === 0) console.log(JSON.stringify(line));
  }
}
comm.close();
