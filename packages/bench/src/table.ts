/** The table for one number of ranks: a row for each cell, a column for each contestant. */
import { type Measurement, median } from "./measurement.js";

/** Backends are compared with the C programs, over shared memory or sockets like the backend itself. */
const MEASURE = ["openmpi-c", "mpich-c"];
const MEASURE_OF_SOCKETS = ["openmpi-tcp-c"];

/**
 * The peers of a backend: both C programs, or the one over the same MPI. Where the C programs also run with the settings of
 * our ranks, those are the peers.
 */
function measureOf(backend: string, peers: readonly string[]): string[] {
  const [, mpi] = /^mpi-(openmpi|mpich)/.exec(backend) ?? [];
  const ofAnyMpi = backend === "tcp" ? MEASURE_OF_SOCKETS : MEASURE;
  const measure = mpi === undefined ? ofAnyMpi : [`${mpi}-c`];
  const alike = measure.map((name) => `${name}-huge`).filter((name) => peers.includes(name));
  return alike.length > 0 ? alike : measure;
}

export interface TableInput {
  readonly backends: readonly string[];
  readonly peers: readonly string[];
  readonly measurements: readonly Measurement[];
}

interface Row {
  readonly op: string;
  readonly bytes: number;
  readonly us: ReadonlyMap<string, number>;
}

export function formatBytes(bytes: number): string {
  if (bytes === 0) return "";
  if (bytes % (1024 * 1024) === 0) return `${bytes / 1024 / 1024} MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} B`;
}

/** Three significant digits without an exponent. Times span seven orders of magnitude. */
export function formatTime(us: number): string {
  if (us >= 100) return us.toFixed(0);
  return us >= 10 ? us.toFixed(1) : us.toFixed(us >= 1 ? 2 : 3);
}

function rowsOf({ measurements }: TableInput): Row[] {
  const cells = new Map<string, Map<string, number>>();
  for (const { op, bytes, backend, us } of measurements) {
    const key = `${op} ${bytes}`;
    cells.set(key, (cells.get(key) ?? new Map<string, number>()).set(backend, us));
  }
  return [...cells].map(([key, us]) => {
    const [op = "", bytes] = key.split(" ");
    return { op, bytes: Number(bytes), us };
  });
}

/** A backend's time divided by that of its faster peer. */
function ratioOf({ us: all }: Row, backend: string): number | undefined {
  const us = all.get(backend);
  const times = measureOf(backend, [...all.keys()]).flatMap((name) => all.get(name) ?? []);
  return us === undefined || times.length === 0 ? undefined : us / Math.min(...times);
}

/** Aligned Markdown, which is readable in a terminal and in the documentation. */
export function formatTable(input: TableInput): string {
  const rows = rowsOf(input);
  const names = [...input.backends, ...input.peers];
  const compared = input.backends.filter((name) =>
    rows.some((row) => ratioOf(row, name) !== undefined),
  );
  const header = ["operation", "bytes", ...names, ...compared.map((name) => `${name} / peer`)];
  const lines = rows.map((row) => [
    row.op,
    formatBytes(row.bytes),
    ...names.map((name) => formatOptional(row.us.get(name), formatTime)),
    ...compared.map((name) => formatOptional(ratioOf(row, name), (ratio) => ratio.toFixed(2))),
  ]);
  return alignColumns([header, ...lines]);
}

function formatOptional(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? "" : format(value);
}

/** The first column is text, the others are numbers. */
export function alignColumns(table: readonly (readonly string[])[]): string {
  const [header = []] = table;
  const widths = header.map((_, column) =>
    Math.max(...table.map((cells) => (cells[column] ?? "").length), 3),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths
      .map((width, i) =>
        i === 0 ? (cells[i] ?? "").padEnd(width) : (cells[i] ?? "").padStart(width),
      )
      .join(" | ")} |`;
  const rule = widths.map((width, i) =>
    i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(header), line(rule), ...table.slice(1).map(line)].join("\n");
}

/** One line per backend: in how many cells it is no slower than its faster peer, and the ratios. */
export function summarize(input: TableInput): string[] {
  const rows = rowsOf(input);
  return input.backends.flatMap((name) => {
    const ratios = rows.flatMap((row) => {
      const ratio = ratioOf(row, name);
      return ratio === undefined ? [] : [{ row, ratio }];
    });
    const [first] = ratios;
    if (first === undefined) return [];
    const worst = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a), first);
    const noSlower = ratios.filter(({ ratio }) => ratio <= 1).length;
    const middle = median(ratios.map(({ ratio }) => ratio)).toFixed(2);
    const where = `${worst.row.op} ${formatBytes(worst.row.bytes)}`.trim();
    return [
      `${name}: no slower than ${naming(measureOf(name, input.peers))} in ${noSlower} of ${ratios.length} cells; ` +
        `ratio ${middle} in the median cell, ${worst.ratio.toFixed(2)} in the worst (${where})`,
    ];
  });
}

function naming(measure: readonly string[]): string {
  return measure.length === 1 ? (measure[0] as string) : `the faster of ${measure.join(" and ")}`;
}
