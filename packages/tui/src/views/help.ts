import { type Line, line, span } from "../text/styled.js";

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ["1 – 6, tab", "the views: each answers one question"],
  ["space", "the run waits at the end of its iteration; again: goes on"],
  ["s", "one iteration, then wait again"],
  ["← →", "the iteration that is looked at; end follows the last one"],
  ["↑ ↓, page up/down", "the stage, the iteration, or further up and down"],
  ["enter", "the stages, then the cuts of one; escape goes back"],
  ["e", "writes what is shown to a text and an SVG file"],
  ["Ctrl-C", "stops the run after its iteration; again: at once"],
  ["Ctrl-Z, fg", "back to the shell and here again; the run goes on"],
  ["q", "leaves the dashboard; a run goes on and prints its log"],
];

/** All keys. */
export function helpLines(): Line[] {
  const width = Math.max(...KEYS.map(([keys]) => keys.length));
  return [
    line(""),
    ...KEYS.map(([keys, meaning]) => line("  ", span(keys.padEnd(width), "bold"), `   ${meaning}`)),
    line(""),
    line(span("  any key goes back", "dim")),
  ];
}
