/** The command by which a run was started, for the metadata of the run. */
import { quoted } from "../typed-command.js";

/** Ranks are started with other arguments: their launcher tells them what was typed. */
export const COMMAND_VARIABLE = "COBRE_RUN_COMMAND";

const SECRET = /token|secret|passw|credential|api-?_?key/i;
const HIDDEN = "…";

/** The command that was typed, as it can be typed again, without secrets. */
export function commandOfRun(
  argv: readonly string[] = process.argv,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return env[COMMAND_VARIABLE] ?? ["cobre", ...withoutSecrets(argv.slice(2))].map(quoted).join(" ");
}

/** A run needs no secrets, but what looks like one is not written where others read it. */
export function withoutSecrets(words: readonly string[]): string[] {
  return words.map((word, i) => {
    const [name = ""] = word.split("=", 1);
    if (word.includes("=") && SECRET.test(name)) return `${name}=${HIDDEN}`;
    const before = words[i - 1] ?? "";
    if (before.startsWith("-") && !before.includes("=") && SECRET.test(before)) return HIDDEN;
    return word.replace(/(?<=:\/\/)[^/@\s]+(?=@)/, HIDDEN);
  });
}
