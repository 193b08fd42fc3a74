/** How much work the solver has with each way of selecting cuts: counts instead of times, which are the same on a busy machine. */
import { LocalCommunicator } from "@cobre/comm";
import { train } from "@cobre/sddp";
import { loadSolver } from "@cobre/solver";
import { fourRegionsWith } from "../training/four-regions.js";
import { counting, WorkCounts } from "./counting-solver.js";

const MARKS = [40, 120];
/** The counts at a mark are those of so many iterations before it. */
const WINDOW = 20;

const SELECTIONS: Readonly<Record<string, object>> = {
  none: {},
  "level1 every 5th": { selection: { method: "level1", check_frequency: 5 } },
  "lml1 every 5th": { selection: { method: "lml1", check_frequency: 5 } },
  "lml1 always": { selection: { method: "lml1", check_frequency: 1 } },
  dynamic: { selection: { method: "dynamic" } },
  "dynamic, no seeds": { selection: { method: "dynamic", seed_window: 0 } },
};

/** Trains the four-regions example with each selection of cuts, in one process, and tells what the solver had to do. */
export async function runCounts(quick: boolean, say: (text: string) => void): Promise<void> {
  const marks = quick ? [2, 3] : MARKS;
  say("\ncounts of the solver, training of four regions, one process");
  for (const [name, selection] of Object.entries(SELECTIONS)) {
    say(`  cut selection: ${name}`);
    await tellCounts(selection, marks, say);
  }
}

async function tellCounts(
  selection: object,
  marks: readonly number[],
  say: (text: string) => void,
): Promise<void> {
  using comm = new LocalCommunicator();
  const counts = new WorkCounts();
  const after: WorkCounts[] = [];
  const bounds: number[] = [];
  const source = await fourRegionsWith(Math.max(...marks), { cut_selection: selection });
  await train(comm, source, {
    solver: counting(await loadSolver("highs-wasm"), counts),
    onEvent: (event) => {
      if (event.type !== "iteration_done") return;
      after.push(counts.copy());
      bounds.push(event.record.lowerBound);
    },
  });
  for (const mark of marks) {
    const last = after[mark - 1] ?? counts;
    const window = Math.min(WINDOW, mark - 1);
    const found = last.since(after[mark - 1 - window] ?? new WorkCounts());
    const each = (value: number) => (value / found.solves).toFixed(1);
    const millions = (value: number) => (value / 1e6).toFixed(1);
    say(
      `    iteration ${mark}: bound ${bounds[mark - 1]?.toFixed(0)}; since the beginning ${last.simplexIterations} simplex iterations, ${millions(last.iterationsTimesRows)} million × rows; ` +
        `in the last ${window}: ${Math.round(found.solves / window)} solves an iteration, each of ${each(found.rows)} rows with ${each(found.simplexIterations)} simplex iterations, ` +
        `${each(found.arraysCopied)} arrays and ${each(found.bytesCopied)} bytes copied, ${each(found.rowsAdded)} rows added`,
    );
  }
}
