import { CASE_FILES } from "../case-files.js";
import type { Stage, Timeline } from "../time/stages.js";
import { VOLUME_PER_HOUR } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Cascade } from "./cascade.js";
import { checkWindows, type DatedValue, hoursOfWindow } from "./dated-values.js";
import type { Hydro } from "./entities.js";

/** Where the water goes that a plant releases in a block, as shares of its volume. Their sum is 1. */
export interface Route {
  /** What arrives in each period of the same stage that has a water balance of its own. */
  readonly within: readonly number[];
  /** What arrives one, two, … stages later. */
  readonly later: readonly number[];
}

/** How long water travels between plants. Flows are uniform over the blocks or stages in which they are released. */
export interface TravelTimes {
  /** For each plant, how many stages ahead water can be on its way to it; 0 if none is. */
  readonly depth: readonly number[];
  /** The components of the state, by plant: water that is on its way to it and arrives so many stages ahead, 1 being the next one. */
  readonly states: readonly { readonly plant: number; readonly ahead: number }[];
  /** For each stage and plant, the route of what it releases in each block; `undefined` if that arrives at once. */
  readonly routes: readonly (readonly (readonly Route[] | undefined)[])[];
  /** For each stage and plant, the shares of the periods in what arrives of earlier stages. */
  readonly arrivals: readonly (readonly (readonly number[])[])[];
  /** For each plant what is on its way to it when the study starts, in hm³, by the stage in which it arrives. */
  readonly initialHm3: readonly (readonly number[])[];
}

type Span = readonly [from: number, to: number];

/** As many stages as lags of inflows may have: each is a component of the state. */
const MOST_STAGES = 366;

/** Shares below this come from rounding. */
const NEGLIGIBLE = 1e-9;

/**
 * The routes of the releases of all stages, and what is on its way at the start. Time is counted in hours of blocks. Behind the study the first stage
 * follows in a cyclic horizon; otherwise stages are taken to be as long as the last one.
 */
export function buildTravelTimes(
  hydros: readonly Hydro[],
  { downstream }: Cascade,
  { stages, graph }: Pick<Timeline, "stages" | "graph">,
  pastDefluences: readonly DatedValue[],
  issues: IssueCollector,
): TravelTimes {
  const shortest = Math.min(
    ...stages.map(({ blocks }) => blocks.reduce((sum, { hours }) => sum + hours, 0)),
  );
  const times = hydros.map(({ id, travelTimeHours = 0 }, h) => {
    if (!((downstream[h] ?? -1) >= 0)) return 0;
    // Lengths that cannot be are told elsewhere.
    if (!(shortest > 0 && travelTimeHours > MOST_STAGES * shortest)) {
      return shortest > 0 ? travelTimeHours : 0;
    }
    const place = { file: CASE_FILES.hydros, entity: `hydro ${id}`, field: "travel_time_hours" };
    const problem = `is ${travelTimeHours}, more than ${MOST_STAGES} of the shortest stages`;
    issues.error("physics", place, problem, "give hours, and fewer of them");
    return 0;
  });
  const clock = new StageClock(stages, graph.isCyclic);
  const routes = stages.map((stage, t) =>
    times.map((hours): readonly Route[] | undefined =>
      hours > 0 ? stage.blocks.map((_, k) => clock.route(t, k, hours)) : undefined,
    ),
  );
  const initial: number[][] = hydros.map(() => []);
  const first = stages[0];
  hydros.forEach(({ id }, h) => {
    const hours = times[h] ?? 0;
    const own = pastDefluences.filter((window) => window.id === id);
    const place = {
      file: CASE_FILES.initialConditions,
      entity: `hydro ${id}`,
      field: "past_defluences",
    };
    if (hours === 0) {
      if (own.length === 0) return;
      const why = "the water of this plant does not take time to another one";
      issues.warning("references", place, "has no effect", why);
      return;
    }
    if (first === undefined) return;
    const needed: Span = [first.start - hours / HOURS_A_DAY, first.start];
    checkWindows(own, [needed], place, issues);
    const target = initial[downstream[h] as number] as number[];
    for (const window of own) {
      const [from, to] = hoursOfWindow(window, first.start);
      const volume = (to - from) * VOLUME_PER_HOUR * window.value;
      clock.arrivals([from + hours, to + hours], 0).forEach((share, t) => {
        while (target.length <= t) target.push(0);
        target[t] = (target[t] as number) + share * volume;
      });
    }
  });
  const depth = hydros.map((_, j) => {
    const ofRoutes = routes.flatMap((ofStage) =>
      ofStage.flatMap((ofPlant, h) =>
        downstream[h] === j ? (ofPlant ?? []).map(({ later }) => later.length) : [],
      ),
    );
    return Math.max(0, initial[j]?.length ?? 0, ...ofRoutes);
  });
  const arrivals = stages.map((_, t) =>
    hydros.map((_plant, j) => {
      const arcs = times.filter((hours, h) => downstream[h] === j && hours > 0);
      return clock.arrivalShares(t, arcs);
    }),
  );
  const initialHm3 = initial.map((volumes, j) =>
    Array.from({ length: depth[j] as number }, (_, t) => volumes[t] ?? 0),
  );
  const states = depth.flatMap((most, plant) =>
    Array.from({ length: most }, (_, i) => ({ plant, ahead: i + 1 })),
  );
  return { depth, states, routes, arrivals, initialHm3 };
}

const HOURS_A_DAY = 24;

/** The hours of the stages and their blocks, counted from the start of the study. */
class StageClock {
  private readonly stages: readonly Stage[];
  private readonly isCyclic: boolean;
  private readonly starts: number[] = [0];

  constructor(stages: readonly Stage[], isCyclic: boolean) {
    this.stages = stages;
    this.isCyclic = isCyclic;
    for (const { blocks } of stages) {
      let end = this.starts.at(-1) as number;
      for (const { hours } of blocks) end += hours;
      this.starts.push(end);
    }
  }

  /** The route of what is released in a block of a stage and travels so many hours. */
  route(stage: number, block: number, hours: number): Route {
    const periods = this.periods(stage);
    const [from, to] = (periods.length === 1 ? periods[0] : periods[block]) as Span;
    const moved: Span = [from + hours, to + hours];
    const within = periods.map((period) => shareIn(moved, period));
    const later = this.arrivals(moved, stage + 1);
    const sum = [...within, ...later].reduce((a, b) => a + b, 0);
    return { within: within.map((share) => share / sum), later: later.map((share) => share / sum) };
  }

  /** The shares of a span of time in a stage and those after it, up to the last one that it reaches. */
  arrivals(span: Span, first: number): number[] {
    const shares: number[] = [];
    for (let t = first; this.start(t) < span[1]; t++) {
      shares.push(shareIn(span, [this.start(t), this.start(t + 1)]));
    }
    while (shares.at(-1) === 0) shares.pop();
    return shares;
  }

  /**
   * Water that was released before a stage and travels τ hours arrives in its first τ hours. What several plants have released arrives as if
   * each had released as much.
   */
  arrivalShares(stage: number, travelTimes: readonly number[]): readonly number[] {
    const periods = this.periods(stage);
    const start = this.start(stage);
    const hours = periods.map(([from, to]) =>
      travelTimes.reduce((sum, time) => {
        return sum + Math.max(0, Math.min(to, start + time) - from);
      }, 0),
    );
    const total = hours.reduce((a, b) => a + b, 0);
    return hours.map((own) => (total > 0 ? own / total : 1 / periods.length));
  }

  private start(stage: number): number {
    const last = this.starts.length - 1;
    if (this.isCyclic && stage > last) {
      const ofCycle = this.starts[last] as number;
      return Math.floor(stage / last) * ofCycle + (this.starts[stage % last] as number);
    }
    const known = this.starts[Math.min(stage, last)] as number;
    const lastLength = known - (this.starts[last - 1] ?? 0);
    return stage <= last ? known : known + (stage - last) * lastLength;
  }

  /** The blocks of a chronological stage, or the stage as a whole. */
  private periods(stage: number): readonly Span[] {
    const { blocks = [], isChronological = false } = this.stages[stage] ?? {};
    let from = this.start(stage);
    if (!isChronological) return [[from, this.start(stage + 1)]];
    return blocks.map(({ hours }): Span => {
      const span: Span = [from, from + hours];
      from += hours;
      return span;
    });
  }
}

/** The share of a span of time that lies in another one. */
function shareIn([from, to]: Span, [first, end]: Span): number {
  const share = (Math.min(to, end) - Math.max(from, first)) / (to - from);
  return share > NEGLIGIBLE ? share : 0;
}
