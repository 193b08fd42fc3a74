import { basename } from "node:path";
import type { NodeGraph } from "@cobre/core";
import { type Case, OUTPUT_FILES, stateVariables } from "@cobre/io";
import {
  type CoefficientRanges,
  DANGEROUS_RATIO,
  describeRiskMeasure,
  type IterationRecord,
} from "@cobre/sddp";
import type { StudyEvent } from "@cobre/study";
import { counted } from "../counted.js";
import { pageOf } from "../report/page.js";
import { nearer, typedCommand } from "../typed-command.js";
import { duration } from "./duration.js";
import { LiveBlock } from "./live-block.js";
import { progressLines, type RunTitle } from "./progress-lines.js";
import { RunProgress } from "./run-progress.js";

/** Where the log goes, and what kind of terminal that is, if it is one. */
export interface LogStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  hasColors?(): boolean;
}

/** What a log says about the run as a whole. */
export interface RunDescription {
  /** The lines above the table. */
  readonly header: readonly string[];
  /** For a terminal. */
  readonly title: RunTitle;
  /** The command that goes on with the run if it is interrupted; `undefined` if nothing is trained. */
  readonly resume: string | undefined;
}

type EventOf<T extends StudyEvent["type"]> = Extract<StudyEvent, { readonly type: T }>;

const COLUMNS = ["iteration", "lower bound", "forward mean", "cuts", "LPs", "time", "left"];
/** Together they fit a terminal of 80 columns. */
const WIDTHS = [9, 15, 15, 8, 9, 8, 8];
/** Seconds between lines. On a terminal a live display shows what happens in between. */
const PERIOD_SECONDS = 10;
/** Columns of the live display; longer lines are hard to read. */
const WIDEST = 120;
/** Between the table and the live display. */
const NOTHING = { text: "", columns: 0 };
const FOREIGN_CUTS =
  "the lower bound is an estimate: some cuts were made for other data and may lie above the cost";
const RETRIED = "† some linear programs of the iteration were solved again with other settings";
const STOPPING = {
  training: "stopping after this iteration; Ctrl-C again stops at once",
  simulation: "stopping after this scenario; Ctrl-C again stops at once",
};

/** The log of a run: a header, a table of iterations, and on a terminal what happens now. Only rank 0 writes it. */
export class RunLog {
  private readonly stream: LogStream;
  private readonly run: RunDescription;
  private readonly progress = new RunProgress();
  private readonly live: LiveBlock | undefined;
  private note: string | undefined;
  private printedAt = Number.NEGATIVE_INFINITY;
  private solves = 0;
  private last: { record: IterationRecord; elapsedMs: number; isRetried: boolean } | undefined;
  private isLastPrinted = true;
  private hasRetried = false;
  private trained: EventOf<"training_result"> | undefined;

  /** The header is printed when the run starts. */
  constructor(stream: LogStream, run: RunDescription) {
    this.stream = stream;
    this.run = run;
    this.live = stream.isTTY ? new LiveBlock(stream) : undefined;
  }

  /** Says that the run was asked to stop. On a terminal alone: elsewhere nobody waits for it. */
  readonly stopping = (): void => {
    const { phase } = this.progress;
    this.note = STOPPING[phase === "simulation" ? "simulation" : "training"];
    this.draw(true);
  };

  /** Takes the live display away, so that something else can be printed. */
  clear(): void {
    this.live?.clear();
  }

  /** Says where the results are, and how to look at them. */
  finished(output: string): void {
    const path = nearer(output);
    this.line(`results        ${path}; to look at them: ${typedCommand(["report", path])}`);
  }

  private line(text = ""): void {
    if (this.live === undefined) this.stream.write(`${text}\n`);
    else this.live.print(text);
  }

  private draw(isUrgent = false): void {
    if (this.progress.phase === "starting") return;
    const { title } = this.run;
    const lines = () => {
      const { columns = 80, rows = 24 } = this.stream;
      const page = { width: Math.min(columns, WIDEST), hasColors: pageOf(this.stream).hasColors };
      const shown = progressLines(page, rows, title, this.progress, this.note);
      return shown.length > 1 ? [NOTHING, ...shown] : shown;
    };
    this.live?.draw(lines, isUrgent);
  }

  readonly onEvent = (event: StudyEvent): void => {
    this.progress.onEvent(event);
    switch (event.type) {
      case "run_started":
        for (const line of [...this.run.header, ""]) this.line(line);
        break;
      case "training_started":
        this.trainingStarted(event);
        break;
      case "programs_built":
        for (const line of wideRanges(event.ranges)) this.line(line);
        this.line(aligned(COLUMNS));
        this.draw(true);
        break;
      case "working":
        this.draw();
        break;
      case "iteration_done":
        this.solves += event.record.lpSolves;
        this.last = { record: event.record, elapsedMs: event.elapsedMs, isRetried: false };
        break;
      case "ranks_measured":
        this.iteration(event.retriedSolves > 0);
        break;
      case "checkpoint_written":
        this.draw();
        break;
      case "training_done":
        if (!this.isLastPrinted) this.row();
        this.live?.clear();
        break;
      case "training_result":
        this.trained = event;
        if (event.termination !== "interrupted") this.training(event);
        break;
      case "policy_kept":
        this.kept(event.path);
        break;
      case "bases_replaced":
        this.line(
          `the programs of ${counted(event.stageIds.length, "stage")} have changed since training: they start from slack bases`,
        );
        break;
      case "simulation_started":
      case "scenario_done":
        this.draw();
        break;
      case "simulation_done":
        this.live?.clear();
        break;
      case "simulation_result":
        this.simulation(event);
        break;
      case "interrupted":
        this.interrupted(event);
        break;
    }
  };

  private trainingStarted(event: EventOf<"training_started">): void {
    if (event.afterIteration > 0) this.line(`resuming after iteration ${event.afterIteration}`);
    else if (event.isWarm) this.line(`warm start with ${counted(event.cuts, "cut")}`);
    if (event.boundCaveats.includes("foreign_cuts")) this.line(FOREIGN_CUTS);
    if (event.foreignStageIds.length > 0)
      this.line(`the stages of these cuts: ${event.foreignStageIds.join(", ")}`);
  }

  /** Where things are, and how to go on. */
  private interrupted({ during, iteration }: EventOf<"interrupted">): void {
    this.live?.clear();
    const { resume } = this.run;
    if (resume === undefined) {
      this.line("interrupted in the simulation, of which nothing is kept; run the command again");
      return;
    }
    if (during === "simulation") {
      this.line("interrupted in the simulation; continue with --resume");
    } else {
      this.line(`interrupted after iteration ${iteration}; continue with --resume`);
      if (this.trained !== undefined) this.training(this.trained);
    }
    this.line();
    this.line(`continue with  ${resume}`);
  }

  private training(result: EventOf<"training_result">): void {
    const { termination, iterations, lowerBound, boundCaveats, forward, elapsedMs } = result;
    const caveat =
      boundCaveats.length === 0 ? "" : " (an estimate: cuts of other data may be too high)";
    if (this.hasRetried) this.line(RETRIED);
    this.line();
    this.line(
      `status         ${termination} after ${counted(iterations, "iteration")}, ${duration(elapsedMs)}`,
    );
    this.line(`lower bound    ${amount(lowerBound)}${caveat}`);
    if (forward === null) return;
    const { mean, ci95, passes, isExact = false } = forward;
    if (isExact) {
      const paths = passes === 1 ? "of the only path" : `of all ${passes} paths`;
      this.line(`policy cost    ${amount(mean)}, ${paths}: an upper bound`);
      return;
    }
    this.line(
      `forward mean   ${amount(mean)}${interval(ci95)}, ${counted(passes, "forward pass")}: a sample, not a bound`,
    );
  }

  private kept(path: string): void {
    const name = basename(OUTPUT_FILES.policy);
    const first = basename(path) === name ? "" : `rename it to ${name} and `;
    this.line(`the policy that was trained is in ${path}; ${first}continue with --resume`);
  }

  private simulation(result: EventOf<"simulation_result">): void {
    const { mean, ci95, costs, probabilities } = result;
    if (probabilities !== undefined) {
      const paths = costs.length === 1 ? "the only path" : `all ${costs.length} paths`;
      this.line(`simulation     ${amount(mean)}, ${paths}: the cost of the policy`);
      return;
    }
    this.line(
      `simulation     ${amount(mean)}${interval(ci95)}, ${counted(costs.length, "scenario")}`,
    );
  }

  private iteration(isRetried: boolean): void {
    if (this.last === undefined) return;
    this.last = { ...this.last, isRetried };
    this.hasRetried ||= isRetried;
    const { elapsedMs } = this.last;
    this.isLastPrinted = elapsedMs - this.printedAt >= PERIOD_SECONDS * 1000;
    if (this.isLastPrinted) this.row();
    this.draw();
  }

  private row(): void {
    if (this.last === undefined) return;
    const { record, elapsedMs, isRetried } = this.last;
    const { leftMs } = this.progress;
    this.printedAt = elapsedMs;
    const cells = [
      `${record.iteration}${isRetried ? "†" : ""}`,
      amount(record.lowerBound),
      amount(record.upperBoundMean),
      String(record.cutsActive),
      String(this.solves),
      duration(elapsedMs),
      leftMs === undefined ? "" : duration(leftMs),
    ];
    this.line(aligned(cells));
  }
}

const PARTS = [
  ["matrix", "coefficients of the matrix"],
  ["objective", "costs"],
  ["bounds", "bounds"],
  ["rightHandSides", "right sides"],
] as const;

/** A line for each part of the programs whose coefficients are dangerously far apart. */
function wideRanges(stages: readonly CoefficientRanges[]): string[] {
  return PARTS.flatMap(([part, name]) => {
    const found = stages.flatMap((stage) => stage[part] ?? []);
    const from = Math.min(...found.map(({ min }) => min));
    const to = Math.max(...found.map(({ max }) => max));
    if (!(to / from > DANGEROUS_RATIO)) return [];
    const [low, high] = [from, to].map((value) => Number(value.toPrecision(3)));
    return [
      `${name} reach from ${low} to ${high}, which solvers take badly; cobre validate tells where, and what to do`,
    ];
  });
}

/** The lines above the table: the case, the training settings, the ranks and the solver. */
export function describeRun(
  source: Case,
  run: { readonly solver: string; readonly ranks: number; readonly backend: string },
): string[] {
  const { config, study } = source;
  const { hydros, thermals, buses, lines } = study.system;
  const { stages, graph } = study.time;
  const sizes = [
    counted(hydros.length, "hydro"),
    counted(thermals.length, "thermal"),
    counted(buses.length, "bus"),
    counted(lines.length, "line"),
  ];
  const different = [...new Set(stages.map((stage) => stage.openings))];
  const openings =
    different.length === 1
      ? counted(different[0] ?? 0, "opening")
      : `${different.join(", ")} openings`;
  const states = stateVariables(source).length;
  const risks = new Set(stages.map(({ riskMeasure }) => describeRiskMeasure(riskMeasure)));
  const { forwardPasses, treeSeed, isEnumerated = false } = config.training;
  return [
    `case      ${source.path === undefined ? source.name : nearer(source.path)}`,
    `system    ${sizes.join(", ")}`,
    `problem   ${counted(stages.length, "stage")}${graphWords(graph)}, ${openings}, ${counted(states, "state")}, risk: ${[...risks].join(", ")}`,
    `training  ${isEnumerated ? "every path: " : ""}${counted(forwardPasses, "forward pass")}, seed ${treeSeed}`,
    `running   ${run.ranks} × ${run.backend}, ${run.solver}`,
  ];
}

function graphWords({ isCyclic, isChain, nodes }: NodeGraph): string {
  if (isCyclic) return " in a cycle";
  return isChain ? "" : ` with ${counted(nodes.length, "node")}`;
}

/** A cost in $, with enough digits to see small differences. */
function amount(value: number): string {
  return value.toPrecision(9).includes("e") ? value.toExponential(8) : value.toPrecision(12);
}

function interval(half: number | null): string {
  return half === null ? "" : ` ± ${amount(half)} (95 %)`;
}

function aligned(cells: readonly string[]): string {
  return cells.map((cell, i) => cell.padStart(WIDTHS[i] ?? 0)).join(" ");
}
