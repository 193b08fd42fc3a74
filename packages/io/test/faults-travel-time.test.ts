/** What can be wrong with water that takes time to the next plant. The study starts on 2025-01-01 with stages of 1000 hours. */
import { describe } from "node:test";
import { goodCase, hydro } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

/** The water of plant 2 takes time to plant 4. */
const travelling = (hours: number | null, more: object = {}): Changes => ({
  "system/hydros.json": {
    hydros: [hydro(4), hydro(2, { downstream_id: 4, travel_time_hours: hours, ...more })],
  },
});

const past = (...windows: (readonly [start: string, end: string, value?: number, id?: number])[]) =>
  ({
    "initial_conditions.json": {
      ...(goodCase()["initial_conditions.json"] as object),
      past_defluences: windows.map(([start_date, end_date, value_m3s = 10, hydro_id = 2]) => ({
        hydro_id,
        start_date,
        end_date,
        value_m3s,
      })),
    },
  }) satisfies Changes;

const good = { ...travelling(36), ...past(["2024-12-30", "2025-01-01"]) };
const config = goodCase()["config.json"] as object;

const faults: readonly Fault[] = [
  ["nothing: water that takes time", good],
  [
    "nothing: two windows",
    { ...good, ...past(["2024-12-31", "2025-01-01", 5], ["2024-12-30", "2024-12-31", 6]) },
  ],
  ["nothing: no time", travelling(0)],
  [
    "what was released is not known",
    travelling(36),
    /^error initial_conditions\.json: hydro 2: past_defluences: does not cover all days from 2024-12-30 to 2024-12-31; give start_date, end_date/,
  ],
  [
    "a part of it is not known",
    { ...good, ...past(["2024-12-31", "2025-01-01"]) },
    /^error .*hydro 2: past_defluences: does not cover all days from 2024-12-30 to 2024-12-31/,
  ],
  [
    "windows that overlap",
    { ...good, ...past(["2024-12-30", "2025-01-01"], ["2024-12-31", "2025-01-01"]) },
    /^error .*hydro 2: past_defluences: two windows have the day 2024-12-31; windows of the same entity must not overlap/,
  ],
  [
    "a window that ends before it begins",
    { ...good, ...past(["2024-12-30", "2025-01-01"], ["2024-12-29", "2024-12-28"]) },
    /^error .*past_defluences\.end_date: 2024-12-28 is not after start_date/,
  ],
  [
    "a plant that is not there",
    { ...good, ...past(["2024-12-30", "2025-01-01"], ["2024-12-30", "2025-01-01", 1, 9]) },
    /^error .*hydro 9: past_defluences: hydro 9 does not exist/,
  ],
  [
    "a window of a plant whose water takes no time",
    { ...good, ...past(["2024-12-30", "2025-01-01"], ["2024-12-30", "2025-01-01", 1, 4]) },
    /^warning .*hydro 4: past_defluences: has no effect; the water of this plant does not take time/,
  ],
  [
    "flows below 0",
    { ...good, ...past(["2024-12-30", "2025-01-01", -1]) },
    /^error .*past_defluences\[0\]\.value_m3s: is -1; must be at least 0/,
  ],
  [
    "hours below 0",
    { ...good, ...travelling(-1) },
    /^error system\/hydros\.json: hydro 2: travel_time_hours: is -1; must be at least 0/,
  ],
  [
    "more hours than can be meant",
    { ...good, ...travelling(1e6) },
    /^error system\/hydros\.json: hydro 2: travel_time_hours: is 1000000, more than 366 of the shortest stages/,
    /^warning .*past_defluences: has no effect/,
  ],
  [
    "a time, as Cobre 0.5 takes it",
    { ...good, "config.json": { ...config, compat: "cobre-0.5" } },
    /^warning system\/hydros\.json: hydro 2: travel_time_hours: has no effect; as in Cobre 0\.5/,
  ],
];

describe("a fault of a travel time", () => {
  testFaults(faults);
});
