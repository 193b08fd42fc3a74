/** How a person would type a command in the current directory. */
import { relative } from "node:path";

/** The name by which this command was called: npx runs it where the shell does not know it. */
export function commandName(): string {
  return process.env.npm_lifecycle_event === "npx" ? "npx cobre" : "cobre";
}

/** The words of a command after its name, quoted where a shell asks for it. */
export function typedCommand(words: readonly string[]): string {
  return [commandName(), ...words.map(quoted)].join(" ");
}

/** A path as one would type it. */
export function nearer(path: string): string {
  const short = relative("", path);
  return short === "" ? "." : short.length < path.length ? short : path;
}

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./…-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
