/** What evaporates, what is withdrawn, and which least storage may be violated, from the description of a small system. */
import type { SmallHydro, SmallSystem, SmallWaterPenalties } from "./system.js";

/** What is due: constant + slope · (mean storage), in m³/s. It may evaporate from `least` to `most`. */
export interface DueEvaporation {
  readonly constant: number;
  readonly slope: number;
  readonly least: number;
  readonly most: number;
}

/** c mm of the month on the area at the mean storage, linear around the reference volume. */
export function evaporationOf(
  { stages, compat }: SmallSystem,
  { evaporation, bounds, stages: cells }: SmallHydro,
  stage: number,
): DueEvaporation | null {
  if (evaporation === null) return null;
  const { season, hours } = stages[stage];
  const { coefficients, references, areas } = evaporation;
  const volume = references?.[season ?? 0] ?? (bounds.minStorage + bounds.maxStorage) / 2;
  const length = hours.reduce((sum, value) => sum + value, 0);
  // mm · km² = 1000 m³; spread over the seconds of the stage.
  const rate = (coefficients[season ?? 0] * 1000) / (3600 * length);
  const inner = areas.findIndex((point) => volume < point.volume);
  const right = inner < 0 ? areas.length - 1 : Math.max(1, inner);
  const [a, b] = [areas[right - 1], areas[right]];
  const steepness = (b.area - a.area) / (b.volume - a.volume);
  const held = Math.min(Math.max(volume, areas[0].volume), areas[areas.length - 1].volume);
  const area = a.area + steepness * (held - a.volume);
  const slope = rate * steepness;
  const constant = rate * area - slope * volume;
  const full = constant + slope * (cells[stage].bounds.maxStorage ?? bounds.maxStorage);
  return {
    constant,
    slope,
    least: compat ? 0 : 2 * Math.min(0, full),
    most: 2 * Math.max(0, full),
  };
}

/** What a plant pays in a stage. Cobre 0.5 does not look at the penalties of single stages, except that of storage. */
export function waterPenaltiesOf(
  { waterPenalties, compat }: SmallSystem,
  hydro: SmallHydro,
  stage: number,
): SmallWaterPenalties {
  const own = { ...waterPenalties, ...hydro.waterPenalties };
  return compat ? own : { ...own, ...hydro.stageWaterPenalties[stage] };
}

/** Whether the least storage may be violated: the plant starts below its own, or is filled first. */
export function isSoft({ compat }: SmallSystem, { storage, bounds, filling }: SmallHydro): boolean {
  return !compat && (storage < bounds.minStorage || filling !== null);
}
