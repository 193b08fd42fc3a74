/** Water that takes time to the next plant, from the description of a small system: where each release arrives, without any state. */
import type { SmallSystem } from "./system.js";

/** The volume of one m³/s in an hour, in hm³. */
const VOLUME_PER_HOUR = 0.0036;
/** Less than this share of a release comes from rounding. */
const NEGLIGIBLE = 1e-9;

type Span = readonly [from: number, to: number];

/** The way of the water of a plant to the next one, by their indices. */
export interface Arc {
  readonly from: number;
  readonly to: number;
  readonly hours: number;
}

/** All ways that take time. Cobre 0.5 has none. */
export function arcsOf({ hydros, compat }: SmallSystem): readonly Arc[] {
  return hydros.flatMap(({ travel, downstream }, from) => {
    const to = hydros.findIndex(({ id }) => id === downstream);
    return compat || travel === null || travel.hours === 0 || to < 0
      ? []
      : [{ from, to, hours: travel.hours }];
  });
}

/** The hours of a stage, counted from the start of the study. Behind it all stages are as long as its last one. */
function spanOfStage({ stages }: SmallSystem, stage: number): Span {
  const lengths = stages.map(({ hours }) => hours.reduce((a, b) => a + b, 0));
  let from = 0;
  for (let t = 0; t < stage; t++) from += lengths[Math.min(t, lengths.length - 1)];
  return [from, from + lengths[Math.min(stage, lengths.length - 1)]];
}

/** The hours of a block that follows others, or of its stage. */
function spanOfBlock(system: SmallSystem, stage: number, block: number): Span {
  const { isChronological, hours } = system.stages[stage];
  const span = spanOfStage(system, stage);
  if (!isChronological) return span;
  const from = span[0] + hours.slice(0, block).reduce((a, b) => a + b, 0);
  return [from, from + hours[block]];
}

function overlap(a: Span, b: Span): number {
  return Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]));
}

function share(span: Span, hours: number, target: Span): number {
  const part = overlap([span[0] + hours, span[1] + hours], target) / (span[1] - span[0]);
  return part > NEGLIGIBLE ? part : 0;
}

/** The share of what is released in a block that arrives in a later stage. */
export function shareInStage(
  system: SmallSystem,
  { hours }: Arc,
  stage: number,
  block: number,
  target: number,
): number {
  return share(spanOfBlock(system, stage, block), hours, spanOfStage(system, target));
}

/** The share of what is released in a block that arrives in a period of the same stage. */
export function shareInPeriod(
  system: SmallSystem,
  { hours }: Arc,
  stage: number,
  block: number,
  period: number,
): number {
  return share(spanOfBlock(system, stage, block), hours, spanOfBlock(system, stage, period));
}

/** The share of a period in what arrives from earlier stages: it comes in the first hours of the stage, as many as it took. */
export function periodShare(
  system: SmallSystem,
  plant: number,
  stage: number,
  period: number,
): number {
  const [start] = spanOfStage(system, stage);
  const { isChronological, hours } = system.stages[stage];
  const arcs = arcsOf(system).filter(({ to }) => to === plant);
  const inPeriod = (p: number) =>
    arcs.reduce((sum, arc) => {
      return sum + overlap(spanOfBlock(system, stage, p), [start, start + arc.hours]);
    }, 0);
  const all = isChronological ? hours.reduce((sum, _, p) => sum + inPeriod(p), 0) : inPeriod(0);
  return inPeriod(period) / all;
}

/** What was released before the study and arrives at a plant in a stage, in hm³. */
export function seedOf(system: SmallSystem, plant: number, stage: number): number {
  let volume = 0;
  for (const { from, to, hours } of arcsOf(system)) {
    if (to !== plant) continue;
    for (const { since, until, value } of system.hydros[from].travel?.past ?? []) {
      const arriving: Span = [-24 * since + hours, -24 * until + hours];
      volume += overlap(arriving, spanOfStage(system, stage)) * VOLUME_PER_HOUR * value;
    }
  }
  return volume;
}

/** How many stages ahead water can be on its way to a plant. */
export function depthOf(system: SmallSystem, plant: number): number {
  const last = system.stages.length - 1;
  let depth = 0;
  const arcs = arcsOf(system).filter(({ to }) => to === plant);
  for (const arc of arcs) {
    for (let t = -1; t <= last; t++) {
      const released = t < 0 ? -1e-6 : spanOfStage(system, t)[1];
      let ahead = 0;
      // The last drop of a release arrives before this hour.
      while (spanOfStage(system, t + ahead)[1] < released + arc.hours - 1e-6 || t + ahead < 0) {
        ahead++;
      }
      depth = Math.max(depth, ahead);
    }
  }
  return depth;
}
