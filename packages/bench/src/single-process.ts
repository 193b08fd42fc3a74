/** Runs the programs that need no other rank, and formats their results. */
import { fileURLToPath } from "node:url";
import type { Comparison, Measurement } from "./measurement.js";
import { runProgram } from "./run-program.js";
import { alignColumns, formatBytes } from "./table.js";

export interface Section {
  readonly lines: readonly Measurement[];
  readonly text: string;
}

type FoldMeasurement = Measurement & { readonly nsPerElement: number };

async function run<Line>(program: string, ...args: (string | number)[]): Promise<Line[]> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const output = await runProgram(process.execPath, [path, ...args.map(String)]);
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const ns = (us: number): string => (us * 1000).toFixed(us < 1 ? 1 : 0);

/** `local` beside the bare copy: 4 doubles, and 1 MiB. */
export async function measureLocal(quick: boolean): Promise<Section> {
  const batches = quick ? 10 : 200;
  const lines = [
    ...(await run<Comparison>("./local.js", 32, batches)),
    ...(await run<Comparison>("./local.js", 1024 * 1024, batches)),
  ];
  const rows = lines.map(({ op, bytes, us, peerUs, ratio }) => [
    op,
    formatBytes(bytes),
    ns(us),
    ns(peerUs),
    ratio.toFixed(2),
  ]);
  const header = ["operation", "bytes", "local, ns", "bare set, ns", "ratio"];
  const title = "local, checks included, beside recv.set(send)";
  return { lines, text: `${title}\n\n${alignColumns([header, ...rows])}` };
}

/** The fold of two vectors, in each way, by length. */
export async function measureFold(quick: boolean): Promise<Section> {
  const lines = await run<FoldMeasurement>("./fold.js", quick ? 5 : 50);
  const ways = [...new Set(lines.map((line) => line.backend))];
  const rows = [...new Set(lines.map((line) => line.bytes))].map((bytes) => {
    const figures = ways.map((way) =>
      lines.find((line) => line.bytes === bytes && line.backend === way)?.nsPerElement.toFixed(2),
    );
    return [String(bytes / 8), ...figures.map((figure) => figure ?? "")];
  });
  const title = "fold (sum) of two vectors of doubles, ns per element; half of it per operand";
  return { lines, text: `${title}\n\n${alignColumns([["elements", ...ways], ...rows])}` };
}
