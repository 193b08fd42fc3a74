import type { Case } from "@cobre/io";
import type { IterationRecord, SddpEvent } from "@cobre/sddp";

/** Where the log goes, and whether it is a terminal. */
export interface LogStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

const COLUMNS = ["iteration", "lower bound", "forward mean", "cuts", "LPs", "time", "left"];
const WIDTHS = [9, 18, 18, 9, 11, 9, 9];
/** Seconds between lines; on a terminal a bar shows what is in between. */
const PERIOD_SECONDS = { terminal: 1, plain: 10 };
const BAR = 30;

/** The log of a run: a header, a table of iterations, a bar on a terminal. Rank 0 writes it. */
export class RunLog {
  private readonly stream: LogStream;
  private readonly limit: number;
  private printedAt = Number.NEGATIVE_INFINITY;
  private first = 0;
  private solves = 0;
  private last: { record: IterationRecord; elapsedMs: number } | undefined;
  private isLastPrinted = true;

  constructor(stream: LogStream, source: Case) {
    this.stream = stream;
    this.limit = iterationLimit(source.config);
  }

  line(text = ""): void {
    this.clearBar();
    this.stream.write(`${text}\n`);
  }

  readonly onEvent = (event: SddpEvent): void => {
    switch (event.type) {
      case "training_started":
        this.first = event.afterIteration;
        if (event.afterIteration > 0) this.line(`resuming after iteration ${event.afterIteration}`);
        this.line(COLUMNS.map((name, i) => name.padStart(WIDTHS[i])).join(" "));
        break;
      case "iteration_done":
        this.iteration(event.record, event.elapsedMs);
        break;
      case "checkpoint_written":
        if (this.stream.isTTY) this.bar(`checkpoint after iteration ${event.iteration}`);
        break;
      case "training_done":
        if (!this.isLastPrinted && this.last !== undefined) {
          this.row(this.last.record, this.last.elapsedMs);
        }
        break;
      case "scenario_done":
        if (this.stream.isTTY) this.bar(progress("simulation", event.done, event.of));
        break;
      case "simulation_done":
        this.clearBar();
        break;
    }
  };

  private iteration(record: IterationRecord, elapsedMs: number): void {
    this.solves += record.lpSolves;
    this.last = { record, elapsedMs };
    const { terminal, plain } = PERIOD_SECONDS;
    const period = this.stream.isTTY ? terminal : plain;
    this.isLastPrinted = elapsedMs - this.printedAt >= period * 1000;
    if (this.isLastPrinted) {
      this.printedAt = elapsedMs;
      this.row(record, elapsedMs);
    }
    if (this.stream.isTTY) this.bar(progress("training", record.iteration, this.limit));
  }

  private row(record: IterationRecord, elapsedMs: number): void {
    const done = record.iteration - this.first;
    const left = (elapsedMs / done) * (this.limit - record.iteration);
    const cells = [
      String(record.iteration),
      amount(record.lowerBound),
      amount(record.upperBoundMean),
      String(record.cutsActive),
      String(this.solves),
      duration(elapsedMs),
      Number.isFinite(left) ? duration(left) : "",
    ];
    this.line(cells.map((cell, i) => cell.padStart(WIDTHS[i])).join(" "));
  }

  private bar(text: string): void {
    this.stream.write(`\r\x1b[2K${text}`);
  }

  private clearBar(): void {
    if (this.stream.isTTY) this.stream.write("\r\x1b[2K");
  }
}

/** The most iterations that training will do. */
export function iterationLimit({ training }: Case["config"]): number {
  const limits = training.stoppingRules.flatMap((rule) =>
    rule.type === "iteration_limit" ? [rule.limit] : [],
  );
  return Math.min(...limits);
}

/** The lines above the table: what is solved, by whom. */
export function describeRun(
  source: Case,
  run: { readonly solver: string; readonly ranks: number; readonly backend: string },
): string[] {
  const { config, study, uncertainty } = source;
  const { hydros, thermals, buses, lines } = study.system;
  const { stages } = study.time;
  const openings = [...new Set(stages.map((stage) => stage.openings))].join(", ");
  const states = hydros.length * (1 + uncertainty.inflow.lags);
  const risks = new Set(
    stages.map(({ riskMeasure }) =>
      riskMeasure.kind === "expectation"
        ? "expectation"
        : `CVaR α=${riskMeasure.alpha} λ=${riskMeasure.lambda}`,
    ),
  );
  const { forwardPasses, scenarioSource, treeSeed } = config.training;
  return [
    `case      ${source.directory}`,
    `system    ${hydros.length} hydros, ${thermals.length} thermals, ${buses.length} buses, ${lines.length} lines`,
    `problem   ${stages.length} stages, ${openings} openings, ${states} states, risk: ${[...risks].join(", ")}`,
    `training  ${forwardPasses} forward passes, seed ${scenarioSource.seed}, tree seed ${treeSeed}`,
    `running   ${run.ranks} × ${run.backend}, ${run.solver}`,
  ];
}

/** A cost in $ with as many digits as tell it apart. */
export function amount(value: number): string {
  return value.toPrecision(9).includes("e") ? value.toExponential(8) : value.toPrecision(12);
}

/** 12.3 s, 4:05 min, 2:03:04 h */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

function progress(what: string, done: number, of: number): string {
  const filled = Math.round((BAR * Math.min(done, of)) / of);
  return `${what} [${"#".repeat(filled)}${".".repeat(BAR - filled)}] ${done}/${of}`;
}
