import type { Hydro } from "./entities.js";
import { DEFAULT_POINTS, type FphaFit, spread, windowOf } from "./fpha-fit.js";
import type { GeometryRow } from "./geometry.js";
import type { Plane } from "./production.js";
import { ProductionFunction } from "./production-function.js";
import type { FphaConfig } from "./production-input.js";

/** Planes that differ by less, and values that do, count as the same. */
const SAME = 1e-8;
const DEFAULT_PLANES = 10;

interface GridPoint {
  readonly volume: number;
  readonly turbined: number;
  readonly spilled: number;
  readonly power: number;
}

/**
 * The fit of Cobre 0.5: tangents on a grid. It judges planes by their maximum, although generation is limited by their minimum, and so is
 * used only under compat. `undefined` if the plant cannot generate.
 */
export function fitTangents(
  hydro: Hydro,
  rows: readonly GeometryRow[],
  config: FphaConfig,
): FphaFit | undefined {
  const power = new ProductionFunction(hydro, rows);
  const window = windowOf(config, hydro, rows);
  const most = hydro.maxTurbinedM3s;
  const { volumePoints, turbinePoints, spillagePoints } = config;
  const grid = spread(...window, volumePoints ?? DEFAULT_POINTS).flatMap((volume) =>
    spread(Math.max(1, 0.01 * most), most, turbinePoints ?? DEFAULT_POINTS).flatMap((turbined) =>
      spread(0, 0.5 * most, spillagePoints ?? DEFAULT_POINTS).map((spilled) => ({
        volume,
        turbined,
        spilled,
        power: power.power(volume, turbined, spilled),
      })),
    ),
  );
  const tangents = grid
    .filter((point) => point.turbined > 0 && point.power > 0)
    .map(({ volume, turbined, spilled }): Plane => {
      const at = power.at(volume, turbined, spilled);
      const { byVolume, byTurbined, bySpilled } = at;
      const rest = byVolume * volume + byTurbined * turbined + bySpilled * spilled;
      return {
        constant: at.power - rest,
        volume: byVolume,
        turbined: byTurbined,
        spilled: bySpilled,
      };
    });
  if (tangents.length === 0) return undefined;
  const planes = selected(withoutRedundant(tangents, grid), grid, config.maxPlanes);
  let kappa = 1;
  for (const point of grid) {
    const top = highest(planes, point);
    if (point.power > 0 && top > 0) kappa = Math.min(kappa, point.power / top);
  }
  const scaled = planes.map((plane) => ({ ...plane, constant: kappa * plane.constant }));
  const errors = grid
    .filter(({ spilled }) => spilled === 0)
    .map((point) => Math.abs(Math.min(...scaled.map((plane) => on(plane, point))) - point.power));
  return {
    planes: scaled,
    kappa,
    correction: 1,
    meanErrorMw: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    maxErrorMw: Math.max(...errors),
    window,
  };
}

function on(plane: Plane, { volume, turbined, spilled }: GridPoint): number {
  return (
    plane.constant + plane.volume * volume + plane.turbined * turbined + plane.spilled * spilled
  );
}

function highest(planes: readonly Plane[], point: GridPoint): number {
  return Math.max(...planes.map((plane) => on(plane, point)));
}

function withoutRedundant(planes: readonly Plane[], grid: readonly GridPoint[]): Plane[] {
  const tops = grid.map((point) => highest(planes, point));
  const used = planes.filter((plane) =>
    grid.some((point, i) => on(plane, point) >= (tops[i] as number) - SAME),
  );
  const kept: Plane[] = [];
  for (const plane of used) {
    const isKnown = kept.some(
      (other) =>
        Math.abs(plane.constant - other.constant) < SAME &&
        Math.abs(plane.volume - other.volume) < SAME &&
        Math.abs(plane.turbined - other.turbined) < SAME &&
        Math.abs(plane.spilled - other.spilled) < SAME,
    );
    if (!isKnown) kept.push(plane);
  }
  return kept;
}

/** Removes planes while there are too many and the rest stays above the function. The last plane takes the place of the removed one. */
function selected(planes: Plane[], grid: readonly GridPoint[], most = DEFAULT_PLANES): Plane[] {
  while (planes.length > most) {
    let gone = -1;
    let least = Number.POSITIVE_INFINITY;
    planes.forEach((plane, i) => {
      const rest = planes.filter((other) => other !== plane);
      const errors = grid.map((point) => highest(rest, point) - point.power);
      if (Math.min(...errors) < -SAME) return;
      const error = Math.max(0, ...errors);
      if (error >= least) return;
      least = error;
      gone = i;
    });
    if (gone < 0) break;
    const last = planes.pop() as Plane;
    if (gone < planes.length) planes[gone] = last;
  }
  return planes;
}
