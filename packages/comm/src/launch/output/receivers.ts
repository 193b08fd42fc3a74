import { LineSplitter, textOf } from "./line-splitter.js";
import type { Outlet } from "./outlet.js";

/** The two streams a rank writes to. */
export type StreamName = "stdout" | "stderr";

/** Called with each line of a rank's output, without its end; also with an unfinished last line. */
export type LineSink = (rank: number, stream: StreamName, text: string) => void;

/** Receives what one rank writes to one stream. */
export interface Receiver {
  take(chunk: Buffer): void;
  end(): void;
}

/** Passes lines on, with the rank as their prefix. */
export function prefixing(outlet: Outlet, rank: number): Receiver {
  const splitter = new LineSplitter();
  const prefix = `[${rank}] `;
  return {
    take: (chunk) => outlet.write(prefix, splitter.push(chunk)),
    end: () => outlet.write(prefix, splitter.end()),
  };
}

/** Passes lines to a function. */
export function sinking(sink: LineSink, rank: number, stream: StreamName): Receiver {
  const splitter = new LineSplitter();
  const pass = (lines: Buffer[]): void => {
    for (const line of lines) sink(rank, stream, textOf(line));
  };
  return {
    take: (chunk) => pass(splitter.push(chunk)),
    end: () => pass(splitter.end()),
  };
}

/** Keeps everything in `chunks`. */
export function capturing(chunks: Buffer[]): Receiver {
  return {
    take: (chunk) => {
      chunks.push(chunk);
    },
    end: () => {},
  };
}
