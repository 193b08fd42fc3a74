import type { Hydro, Tailrace } from "./entities.js";
import { type GeometryRow, slopeAt, valueAt } from "./geometry.js";

/** MW per m³/s and metre of head, at full efficiency. */
const POWER_PER_FLOW_AND_HEAD = 0.00981;

/** Power and its derivatives. */
export interface PowerPoint {
  readonly power: number;
  readonly byVolume: number;
  readonly byTurbined: number;
  readonly bySpilled: number;
}

/** The power of a plant by volume, turbined flow and spillage: 0.00981 · efficiency · flow · net head. */
export class ProductionFunction {
  private readonly rows: readonly GeometryRow[];
  private readonly tailrace: Tailrace;
  private readonly factor: number;
  /** What losses leave of the head: a share of it, less a constant. */
  private readonly share: number;
  private readonly loss: number;

  /** The plant must have a tailrace, losses and an efficiency. */
  constructor({ tailrace, hydraulicLosses, efficiency }: Hydro, rows: readonly GeometryRow[]) {
    this.rows = rows;
    this.tailrace = tailrace ?? { type: "polynomial", coefficients: [] };
    this.factor = POWER_PER_FLOW_AND_HEAD * (efficiency ?? 1);
    this.share = hydraulicLosses?.type === "factor" ? 1 - hydraulicLosses.value : 1;
    this.loss = hydraulicLosses?.type === "constant" ? hydraulicLosses.value : 0;
  }

  power(volume: number, turbined: number, spilled: number): number {
    return this.at(volume, turbined, spilled).power;
  }

  at(volume: number, turbined: number, spilled: number): PowerPoint {
    const height = (row: GeometryRow) => row.heightM;
    const tail = tailAt(this.tailrace, turbined + spilled);
    const gross = valueAt(this.rows, height, volume) - tail.height;
    const head = Math.max(0, gross * this.share - this.loss);
    const { factor, share } = this;
    return {
      power: factor * turbined * head,
      byVolume: factor * turbined * share * slopeAt(this.rows, height, volume),
      byTurbined: factor * (head - turbined * share * tail.slope),
      bySpilled: -factor * turbined * share * tail.slope,
    };
  }
}

/** The head that is left of a level in front of a plant, in metres: less the level behind it at this outflow, less the losses. Both may be missing. */
export function netHead(
  { tailrace, hydraulicLosses: losses }: Hydro,
  level: number,
  outflow: number,
): number {
  const gross = level - (tailrace === undefined ? 0 : tailAt(tailrace, outflow).height);
  if (losses === undefined) return gross;
  return gross - (losses.type === "factor" ? losses.value * gross : losses.value);
}

/** The level below the plant, and its slope by the outflow. */
function tailAt(tailrace: Tailrace, outflow: number): { height: number; slope: number } {
  if (tailrace.type === "polynomial") {
    let height = 0;
    let slope = 0;
    for (const coefficient of [...tailrace.coefficients].reverse()) {
      slope = slope * outflow + height;
      height = height * outflow + coefficient;
    }
    return { height, slope };
  }
  // The same rules as for the level above: linear between points, constant outside.
  const rows = tailrace.points.map(({ outflowM3s, heightM }) => ({
    hydroId: 0,
    volumeHm3: outflowM3s,
    heightM,
    areaKm2: 0,
  }));
  const height = (row: GeometryRow) => row.heightM;
  return { height: valueAt(rows, height, outflow), slope: slopeAt(rows, height, outflow) };
}
