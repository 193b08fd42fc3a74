// Papers are ordered for the next day, before anybody knows how many will be asked for; what is left over may be sold a day later for less.
import { createCommunicator } from "@cobre/comm";
import { defineModel, simulate, train } from "@cobre/sddp";

const [COST, PRICE, LATE_PRICE] = [1, 3, 0.4];
const DAYS = 4; // orders on all but the last, sales on all but the first

const newsvendor = defineModel({
  stages: DAYS,
  sense: "max",
  state: { ordered: 0, leftOver: 0 },
  openings: (day) => (day === 0 ? [0] : [10, 20, 30, 40]), // how many papers people ask for, all equally likely
  futureBound: 1000, // more than can ever be earned
  config: { training: { stopping_rules: [{ type: "iteration_limit", limit: 30 }] } },
  build(day) {
    const { ordered, leftOver } = day.state;
    const sold = day.column("sold", { objective: PRICE });
    const soldLate = day.column("soldLate", { objective: LATE_PRICE });
    day.objective(ordered.out, -COST);
    day.row("demand", [[sold, 1]], { atMost: (demand) => demand });
    day.row(
      "today's papers",
      [
        [sold, 1],
        [leftOver.out, 1],
        [ordered.in, -1],
      ],
      { equals: 0 },
    );
    day.row(
      "yesterday's papers",
      [
        [soldLate, 1],
        [leftOver.in, -1],
      ],
      { atMost: 0 },
    );
  },
});

const comm = await createCommunicator();
const { policy, bound } = await train(comm, newsvendor);

const orders = new Float64Array(DAYS); // of one scenario; all of them order the same
const { objective } = await simulate(comm, newsvendor, policy, {
  scenarios: 2000,
  onScenario(_, { stages }) {
    orders.set(stages.find(({ name }) => name === "ordered").data);
  },
});
if (comm.rank === 0) {
  console.log(`at most ${bound.toFixed(2)} can be earned, and ${objective.toFixed(2)} were`);
  console.log(`papers ordered each day: ${orders.join(", ")}`);
}
comm.close();
