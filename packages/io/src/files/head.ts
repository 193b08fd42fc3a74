import type { HydraulicLosses, HydroInput, Tailrace } from "@cobre/core";
import type { ObjectReader } from "../json/object-reader.js";

/** What a plant says about its head: `tailrace`, `hydraulic_losses` and `efficiency`. Planes fitted to the geometry use them, and energies that are reckoned from water. */
export function readHead(
  hydro: ObjectReader,
): Pick<HydroInput, "tailrace" | "hydraulicLosses" | "efficiency"> {
  return {
    tailrace: readTailrace(hydro.optionalObject("tailrace")),
    hydraulicLosses: readLosses(hydro.optionalObject("hydraulic_losses")),
    efficiency: readEfficiency(hydro.optionalObject("efficiency")),
  };
}

function readTailrace(tailrace: ObjectReader | undefined): Tailrace | undefined {
  if (tailrace === undefined) return undefined;
  const type = tailrace.choice("type", ["polynomial", "piecewise"]);
  const result: Tailrace =
    type === "polynomial"
      ? { type, coefficients: tailrace.numbers("coefficients") }
      : { type, points: readPoints(tailrace) };
  tailrace.finish();
  return result;
}

function readPoints(tailrace: ObjectReader) {
  const points = tailrace.list("points").map((point) => {
    const fields = { outflowM3s: point.number("outflow_m3s"), heightM: point.number("height_m") };
    point.finish();
    return fields;
  });
  return points.sort((a, b) => a.outflowM3s - b.outflowM3s);
}

function readLosses(losses: ObjectReader | undefined): HydraulicLosses | undefined {
  if (losses === undefined) return undefined;
  const type = losses.choice("type", ["factor", "constant"]);
  const value =
    type === "factor"
      ? losses.number("value", { min: 0, max: 1 })
      : losses.number("value_m", { min: 0 });
  losses.finish();
  return { type, value };
}

function readEfficiency(efficiency: ObjectReader | undefined): number | undefined {
  if (efficiency === undefined) return undefined;
  efficiency.choice("type", ["constant"]);
  const value = efficiency.number("value", { min: 0, max: 1 });
  efficiency.finish();
  return value;
}
