import type { StageWork } from "../state/iteration.js";
import type { RunState } from "../state/run-state.js";
import { bar } from "../text/bar.js";
import { counted, duration, percent, whole } from "../text/numbers.js";
import { line, span } from "../text/styled.js";
import { type Column, table } from "../text/table.js";
import { stageView } from "./stage.js";
import type { View } from "./view.js";

interface StageRow {
  readonly label: string;
  readonly cuts: number | undefined;
  readonly work: StageWork | undefined;
  /** Of the time that all stages took. */
  readonly share: number;
  /** The largest share. */
  readonly largest: number;
}

const COLUMNS: readonly Column<StageRow>[] = [
  { title: "stage", cell: ({ label }) => label, isLeft: true },
  { title: "cuts", cell: ({ cuts }) => (cuts === undefined ? "-" : whole(cuts)) },
  { title: "LPs", cell: ({ work }) => (work === undefined ? "-" : whole(work.solves)) },
  {
    title: "simplex/LP",
    cell: ({ work }) => (work ? (work.simplexIterations / work.solves).toFixed(1) : "-"),
    spare: 1,
  },
  { title: "time/LP", cell: ({ work }) => (work ? duration(work.ms / work.solves) : "-") },
  { title: "again", cell: ({ work }) => (work ? whole(work.retried) : "-"), spare: 3 },
  { title: "time", cell: ({ work }) => (work ? duration(work.ms) : "-"), spare: 2 },
  { title: "of all", cell: ({ share }) => percent(share) },
  {
    title: "",
    cell: ({ share, largest }) => bar(share / largest, 12),
    isLeft: true,
    spare: 4,
    style: "blue",
  },
];

/** Where are the cuts, and which stages take the time? Enter shows the cuts of a stage. */
export const stagesView: View = (run, screen, around, area) => {
  if (screen.isInspecting) return stageView(run, screen, around, area);
  const { columns, rows } = area;
  const shown = run.iterations[screen.iteration === undefined ? -1 : run.indexOf(screen.iteration)];
  const iteration = shown ?? run.last;
  if (run.stages === 0) return [line(""), line("  No training in this run, or not yet.")];
  const work = iteration?.stages ?? [];
  const total = work.reduce((sum, { ms }) => sum + ms, 0);
  const largest = work.reduce((most, { ms }) => Math.max(most, ms), 0) / Math.max(total, 1e-9);
  const list = Array.from({ length: run.stages }, (_, stage): StageRow => {
    const own = work.find((one) => one.stage === stage);
    return {
      label: around.stageLabels[stage] ?? String(stage),
      cuts: cutsOfStage(run, stage, iteration?.record.cutsActive),
      work: own,
      share: total > 0 ? (own?.ms ?? 0) / total : 0,
      largest,
    };
  });
  const cuts = counted(iteration?.record.cutsActive ?? run.startingCuts, "cut");
  const head = `${cuts} in ${counted(run.stages, "stage")}; programs of iteration ${iteration?.record.iteration ?? "-"}${run.ranks > 1 ? `, ${around.solvesOf}` : ""}`;
  return [
    line(` ${head}`),
    ...table(COLUMNS, list, { rows: rows - 2, columns, marked: screen.stage }),
    line(span(" ↑↓ choose a stage, enter shows its cuts", "dim")),
  ];
};

/**
 * Every iteration adds the same number of cuts to each stage but the last. So the sum tells the number of each, unless training began with
 * cuts of another policy.
 */
function cutsOfStage(
  { startingCuts, afterIteration, forwardPasses, stages }: RunState,
  stage: number,
  sum: number | undefined,
): number | undefined {
  const isEven = startingCuts === afterIteration * forwardPasses * (stages - 1);
  if (sum === undefined || !isEven || sum % Math.max(1, stages - 1) !== 0) return undefined;
  return stage === stages - 1 ? 0 : sum / Math.max(1, stages - 1);
}
