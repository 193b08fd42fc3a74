import { memory } from "../text/numbers.js";
import { type Line, line, type Style, span, wrapped } from "../text/styled.js";
import type { View } from "./view.js";

const STYLES = { note: undefined, warning: "yellow", error: "red" } as const satisfies Record<
  string,
  Style | undefined
>;
const WORDS = { note: "", warning: "warning: ", error: "error: " } as const;

/** What happened? Warnings, checkpoints, errors, and the memory of the ranks. */
export const logView: View = (run, screen, { memory: bytes }, { columns, rows }) => {
  const all = run.log.flatMap(({ level, text }): Line[] =>
    wrapped(`${WORDS[level]}${text}`, columns - 4).map((part, i) =>
      line(i === 0 ? " · " : "   ", span(part, STYLES[level])),
    ),
  );
  const head = memoryLine(bytes);
  const room = rows - head.length;
  const end = Math.max(Math.min(room, all.length), all.length - screen.offset);
  const shown = all.slice(Math.max(0, end - room), end);
  return [...head, ...(shown.length === 0 ? [line("  Nothing has happened yet.")] : shown)];
};

function memoryLine(bytes: ReadonlyMap<number, number>): Line[] {
  if (bytes.size === 0) return [];
  const each = [...bytes].sort(([a], [b]) => a - b).slice(0, 6);
  const all = [...bytes.values()].reduce((sum, one) => sum + one, 0);
  const ranks = each.map(([rank, one]) => `rank ${rank} ${memory(one)}`).join(" · ");
  const total = bytes.size > 1 ? ` · together ${memory(all)}` : "";
  return [line(span(` memory  ${ranks}${bytes.size > 6 ? " · …" : ""}${total}`, "dim")), line("")];
}
