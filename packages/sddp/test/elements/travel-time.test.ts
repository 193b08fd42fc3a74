/** Water that takes time to the next plant. Stages have 1000 hours unless said, so that 1 m³/s is 3.6 hm³. Costs are in $. */
import { describe, it } from "node:test";
import type { StudyInput } from "@cobre/core";
import { ELEMENTS } from "#internal";
import { near, plant } from "./near.js";
import { type SmallInput, smallModel, solveWith } from "./small-model.js";

interface Setting {
  readonly travelTimeHours: number;
  /** What was released before the study. */
  readonly past: number;
  readonly input?: Partial<SmallInput>;
}

/** 10 m³/s flow into plant 1, which has no reservoir; its water takes time to plant 2, which stores nothing either. */
const setting = ({ travelTimeHours, past, input }: Setting): SmallInput => ({
  hours: [1000],
  hydros: [
    {
      id: 1,
      downstreamId: 2,
      maxStorageHm3: 0,
      travelTimeHours,
      productivityMwPerM3s: 1,
      maxTurbinedM3s: 50,
    },
    { id: 2, maxStorageHm3: 0 },
  ],
  inflow: [
    [10, 0],
    [0, 0],
  ],
  thermals: [plant(1, 100, 1000)],
  load: [100],
  penalties: { spillageCost: 0.01 },
  more: {
    initialConditions: {
      storage: [],
      pastDefluences: [{ id: 1, start: -200, end: 0, value: past }],
    } satisfies StudyInput["initialConditions"],
  },
  ...input,
});

const solve = (one: Setting) => solveWith(smallModel(setting(one)), ELEMENTS);

describe("water that takes time", () => {
  it("arrives in part in the stage in which it is released, and in part in the next", async () => {
    // A quarter of the stage: 10 · 3/4 of this stage arrive now, and 4 · 1/4 of what was released before.
    const { value, cost } = await solve({ travelTimeHours: 250, past: 4 });
    near(value("turbined", 0), 10);
    near(value("turbined", 1), 7.5 + 1);
    near(value("in_transit", 0), 0.25 * 36);
    near(cost, (100 - 10 - 8.5) * 100 * 1000);
  });

  it("arrives later if it takes longer than a stage", async () => {
    // It takes two and a half stages: half of it arrives two stages later, the other half three.
    const { value, lp, primal } = await solve({ travelTimeHours: 2500, past: 4 });
    near(value("turbined", 1), 4);
    const [first, second, third] = [0, 1, 2].map((i) => value("in_transit", i));
    near(first, 4 * 3.6);
    near(second, 0.5 * 4 * 3.6 + 0.5 * 36);
    near(third, 0.5 * 36);
    near(lp.dimension, 2 + 3);
    near(primal[lp.outgoing[3]], second);
  });

  it("arrives one stage later to the last drop if it takes exactly one", async () => {
    const { value, lp } = await solve({ travelTimeHours: 1000, past: 4 });
    near(lp.dimension, 2 + 1);
    near(value("turbined", 1), 4);
    near(value("in_transit", 0), 36);
  });

  it("comes from several plants into one state", async () => {
    const { value, lp } = await solveWith(
      smallModel(
        setting({
          travelTimeHours: 0,
          past: 0,
          input: {
            hydros: [
              { id: 1, downstreamId: 3, maxStorageHm3: 0, travelTimeHours: 500 },
              { id: 2, downstreamId: 3, maxStorageHm3: 0, travelTimeHours: 1500 },
              { id: 3, maxStorageHm3: 0 },
            ],
            inflow: [
              [10, 0],
              [20, 0],
              [0, 0],
            ],
            more: {
              initialConditions: {
                storage: [],
                pastDefluences: [
                  { id: 1, start: -100, end: 0, value: 6 },
                  { id: 2, start: -100, end: 0, value: 8 },
                ],
              },
            },
          },
        }),
      ),
      ELEMENTS,
    );
    near(lp.dimension, 3 + 2);
    near(value("turbined", 2), 5 + 3 + 8);
    near(value("in_transit", 0), (5 + 0.5 * 8 + 0.5 * 20) * 3.6);
    near(value("in_transit", 1), 0.5 * 20 * 3.6);
  });

  it("knows the days of windows", async () => {
    // 10 days of 24 hours are 240 hours: 6 m³/s in the last 5 days and 2 m³/s in the 5 before.
    const past = [
      { id: 1, start: -10, end: -5, value: 2 },
      { id: 1, start: -5, end: 0, value: 6 },
    ];
    const input = setting({ travelTimeHours: 240, past: 0 });
    const initialConditions = { storage: [], pastDefluences: past };
    const { value } = await solveWith(
      smallModel({ ...input, more: { initialConditions } }),
      ELEMENTS,
    );
    near(value("turbined", 1), 10 * 0.76 + (120 * 2 + 120 * 6) / 1000);
  });

  it("flows from block to block where they follow each other", async () => {
    // Blocks of 400 and 600 hours. In 500 hours the first one's water arrives in the second: 400 of its 500 to 900.
    const { value } = await solve({
      travelTimeHours: 500,
      past: 4,
      input: { hours: [400, 600], isChronological: true },
    });
    // Of what was released before, 400 hours arrive in the first block and 100 in the second.
    near(value("turbined", 1, 0), 4);
    near(value("turbined", 1, 1), (100 * 4 + 400 * 10) / 600 + (100 * 10) / 600);
    near(value("in_transit", 0), 500 * 10 * 0.0036);
  });
});
