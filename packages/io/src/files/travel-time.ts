import type { DatedValue } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";

/** How long water takes to the plant downstream: a field of Cobre 0.18. */
export function travelTimeOf(hydro: ObjectReader): number | undefined {
  return hydro.optionalNumber("travel_time_hours", { min: 0 });
}

/** What `past_defluences` of the initial conditions says, in m³/s: a field of Cobre 0.18. */
export function pastDefluencesOf(root: ObjectReader): readonly DatedValue[] {
  return (root.optionalList("past_defluences") ?? []).map((entry) => {
    const window = {
      id: entry.integer("hydro_id"),
      start: entry.day("start_date"),
      end: entry.day("end_date"),
      value: entry.number("value_m3s", { min: 0 }),
    };
    entry.finish();
    return window;
  });
}
