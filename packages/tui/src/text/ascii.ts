/** For terminals that have only ASCII: one character for one character, so that columns stay aligned. */
import type { Line } from "./styled.js";

const PAIRS: readonly (readonly [from: string, to: string])[] = [
  ["─━┄", "-"],
  ["│┃┤├▕▏", "|"],
  ["╭╮╰╯┌┐└┘┬┴┼", "+"],
  ["█▉▊▋", "#"],
  ["▌▍▎", "="],
  ["▁▂▃", "."],
  ["▄▅", "o"],
  ["▆▇", "8"],
  ["·", "-"],
  ["•", "*"],
  ["×", "x"],
  ["±", "~"],
  ["…", "~"],
  ["▸→", ">"],
  ["←", "<"],
  ["▲↑", "^"],
  ["↓", "v"],
  ["†", "!"],
  ["²", "2"],
  ["³", "3"],
  ["–", "-"],
];

const REPLACEMENTS = new Map(
  PAIRS.flatMap(([from, to]) => [...from].map((character) => [character, to] as const)),
);

/** The text in ASCII; letters lose their accents, and what has no likeness is a question mark. */
export function asciiText(text: string): string {
  let ascii = "";
  for (const character of text) {
    if (character.charCodeAt(0) < 0x80) ascii += character;
    else {
      const plain = character.normalize("NFD").charAt(0);
      ascii += REPLACEMENTS.get(character) ?? (plain.charCodeAt(0) < 0x80 ? plain : "?");
    }
  }
  return ascii;
}

export function asciiLine(line: Line): Line {
  return line.map(({ text, style }) => ({ text: asciiText(text), style }));
}

/** Whether the locale of an environment promises UTF-8. Without any setting, nothing is promised. */
export function hasUtf8({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return /utf-?8/i.test(locale);
}
