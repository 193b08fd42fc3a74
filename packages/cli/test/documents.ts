/** The documents of the repository: their blocks of code, and the commands in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));

/** A block of code: ```` ```console elsewhere ````. */
export interface Block {
  readonly kind: "block";
  readonly document: string;
  /** Of its first line of text, from 1. */
  readonly line: number;
  readonly language: string;
  /** What stands after the language: `elsewhere`, `refused`, `file=NAME`. */
  readonly marks: readonly string[];
  readonly text: string;
}

/** What readers do not see, and the tests run: `<!-- run: rm my-case/stages.json -->`. */
export interface Hidden {
  readonly kind: "hidden";
  readonly command: string;
}

/** A command of a session, and what it prints. */
export interface Exchange {
  readonly command: string;
  readonly printed: string;
}

/** What a command stands after in a session, such as `$ ` or `node1$ `. */
const PROMPT = /^[\w-]*\$ /;
const PART = /^```(?<info>[^\n]*)\n(?<text>.*?)^```$|^<!-- run: (?<hidden>.*?) -->$/gms;

/** All texts that people read, by their paths. */
export function documents(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name));
  const readmes = readdirSync(join(ROOT, "packages"))
    .map((name) => `packages/${name}`)
    .concat("python")
    .flatMap((folder) => inFolder(folder));
  return [...inFolder("."), ...inFolder("docs"), ...readmes];
}

export function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The blocks of a document and the hidden commands between them, in their order. */
export function partsOf(document: string): (Block | Hidden)[] {
  const text = readDocument(document);
  return [...text.matchAll(PART)].map((match) => {
    const { info = "", text: code = "", hidden } = match.groups ?? {};
    if (hidden !== undefined) return { kind: "hidden", command: hidden };
    const [language = "", ...marks] = info.trim().split(/\s+/);
    const line = text.slice(0, match.index).split("\n").length + 1;
    return { kind: "block", document, line, language, marks, text: code };
  });
}

export function blocksOf(document: string): Block[] {
  return partsOf(document).filter((part) => part.kind === "block");
}

/** The commands of a session, each with what follows it. */
export function exchangesOf({ text }: Block): Exchange[] {
  const exchanges: { command: string; printed: string }[] = [];
  for (const line of text.trimEnd().split("\n")) {
    const last = exchanges.at(-1);
    if (PROMPT.test(line)) exchanges.push({ command: line.replace(PROMPT, ""), printed: "" });
    else if (last !== undefined) last.printed += `${line}\n`;
  }
  return exchanges;
}

/** A line of a block that does not say what it is, if it looks like a command of ours. */
const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:npx |mpirun .*)?(?:cobre|npm) /;

/** The command lines of a block, if it is one with commands. One that is marked `refused` shows a mistake on purpose. */
export function commandLinesOf(block: Block): string[] {
  const { language, marks, text } = block;
  if (marks.includes("refused")) return [];
  if (language === "console") return exchangesOf(block).map(({ command }) => command);
  const lines = text.split("\n");
  if (language === "sh") return lines;
  if (language !== "") return [];
  return lines.map((line) => line.replace(PROMPT, "")).filter((line) => COMMAND.test(line));
}

/**
 * The simple commands of a line, as words: `A=1 cobre run x | head  # why` has `cobre run x` and `head`. Variables, comments,
 * and where output goes are left out.
 */
export function simpleCommands(line: string): string[][] {
  const [code = ""] = line.split(/(?:^|\s)#(?=\s)/);
  return code
    .split(/&&|\|\||[|;]|<\(|\)/)
    .map((part) => (part.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []).map(unquoted))
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .map((words) =>
      words.slice(
        0,
        ["<", ">"].map((sign) => words.indexOf(sign)).find((at) => at >= 0),
      ),
    )
    .filter((words) => words.length > 0);
}

function unquoted(word: string): string {
  return word.replaceAll(/^['"]|['"]$/g, "");
}
