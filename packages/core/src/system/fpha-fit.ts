import { envelopeOfGrid, type HullPlane, type HullPoint, valueOn } from "./concave-envelope.js";
import type { Hydro } from "./entities.js";
import type { GeometryRow } from "./geometry.js";
import type { Plane } from "./production.js";
import { ProductionFunction } from "./production-function.js";
import type { FphaConfig } from "./production-input.js";

/** Planes fitted to the production function of a plant, and how well they fit. */
export interface FphaFit {
  readonly planes: readonly Plane[];
  /** Of the constant of each plane, as `system/fpha_hyperplanes.parquet` has it; the planes above contain it. */
  readonly kappa: number;
  /** The factor on whole planes that brings the envelope nearest to the function. The planes contain it. */
  readonly correction: number;
  /** Fit less function over the points of the grid without spillage, in MW. */
  readonly meanErrorMw: number;
  readonly maxErrorMw: number;
  readonly window: readonly [fromHm3: number, toHm3: number];
}

export const DEFAULT_POINTS = 5;
const DEFAULT_PLANES = 10;
/** Spillage is looked at up to this share of the highest turbined flow. */
const SPILLED_SHARE = 0.5;

/** `count` values from one end to the other. */
export function spread(from: number, to: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => from + (i * (to - from)) / (count - 1));
}

/** The storages for which planes are fitted; the first is not below the second if the window makes sense. */
export function windowOf(
  { window }: FphaConfig,
  { minStorageHm3, maxStorageHm3 }: Hydro,
  rows: readonly GeometryRow[],
): readonly [number, number] {
  const first = (rows[0] as GeometryRow).volumeHm3;
  const last = (rows[rows.length - 1] as GeometryRow).volumeHm3;
  const shareOf = (share: number | undefined) =>
    share === undefined ? undefined : minStorageHm3 + share * (maxStorageHm3 - minStorageHm3);
  const clamped = (volume: number) => Math.min(Math.max(volume, first), last);
  return [
    clamped(window?.minHm3 ?? shareOf(window?.minShare) ?? first),
    clamped(window?.maxHm3 ?? shareOf(window?.maxShare) ?? last),
  ];
}

/**
 * The planes of the upper hull of the function on a grid of storages and turbined flows, without spillage; times the factor that makes the
 * sum of squared errors least; with the mean slope by spillage. `undefined` if the plant cannot generate.
 */
export function fitEnvelope(
  hydro: Hydro,
  rows: readonly GeometryRow[],
  config: FphaConfig,
): FphaFit | undefined {
  const { volumePoints, turbinePoints, maxPlanes = DEFAULT_PLANES } = config;
  const power = new ProductionFunction(hydro, rows);
  const window = windowOf(config, hydro, rows);
  const flows = spread(0, hydro.maxTurbinedM3s, turbinePoints ?? DEFAULT_POINTS);
  const points: HullPoint[] = spread(...window, volumePoints ?? DEFAULT_POINTS).flatMap((x) =>
    flows.map((y) => ({ x, y, z: power.power(x, y, 0) })),
  );
  // A plane that falls with the flow would say that less water gives more; water that does not help can be spilled.
  const rising = envelopeOfGrid(points, flows.length).filter(({ byY }) => byY > 1e-10);
  if (rising.length === 0) return undefined;
  const kept = fewerPlanes(rising, points, maxPlanes);
  const tops = points.map((point) => envelopeAt(kept, point));
  let products = 0;
  let squares = 0;
  tops.forEach((top, i) => {
    products += top * (points[i] as HullPoint).z;
    squares += top * top;
  });
  const correction = squares > 0 ? products / squares : 1;
  const spilled = Math.min(0, meanSlopeBySpillage(power, points, hydro.maxTurbinedM3s));
  const errors = tops.map((top, i) => Math.abs(correction * top - (points[i] as HullPoint).z));
  return {
    planes: kept.map(({ constant, byX, byY }) => ({
      constant: correction * constant,
      volume: correction * Math.max(0, byX),
      turbined: correction * byY,
      spilled: correction * spilled,
    })),
    kappa: 1,
    correction,
    meanErrorMw: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    maxErrorMw: Math.max(...errors),
    window,
  };
}

function envelopeAt(planes: readonly HullPlane[], point: HullPoint): number {
  return Math.min(...planes.map((plane) => valueOn(plane, point)));
}

/** Leaves out one plane after the other: the one whose absence raises the envelope least. */
function fewerPlanes(
  planes: readonly HullPlane[],
  points: readonly HullPoint[],
  most: number,
): readonly HullPlane[] {
  let kept = planes;
  while (kept.length > most) {
    const now = points.map((point) => envelopeAt(kept, point));
    let best: readonly HullPlane[] = [];
    let least = Number.POSITIVE_INFINITY;
    for (const gone of kept) {
      const rest = kept.filter((plane) => plane !== gone);
      const rise = Math.max(...points.map((point, i) => envelopeAt(rest, point) - (now[i] ?? 0)));
      if (rise >= least) continue;
      least = rise;
      best = rest;
    }
    kept = best;
  }
  return kept;
}

/** The slope of the chord from no spillage to the most, in the mean over the grid. */
function meanSlopeBySpillage(
  power: ProductionFunction,
  points: readonly HullPoint[],
  maxTurbined: number,
): number {
  const most = SPILLED_SHARE * maxTurbined;
  const fall = points.reduce((sum, { x, y, z }) => sum + power.power(x, y, most) - z, 0);
  return fall / points.length / most;
}
