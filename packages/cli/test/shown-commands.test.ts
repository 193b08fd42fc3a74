/** Every command that a document or a help shows is one that the command line takes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Command, CommanderError } from "commander";
import { createProgram } from "../dist/main.js";
import { blocksOf, commandLinesOf, documents, readDocument, simpleCommands } from "./documents.js";

/** The command line, in which commands do nothing and say nothing. */
function silentProgram(): Command {
  const program = createProgram();
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: () => {} });
  }
  for (const command of program.commands) command.action(() => {});
  return program;
}

/** Why the words after `cobre` are no command, or `undefined` if they are one. */
async function mistakeIn(words: readonly string[]): Promise<string | undefined> {
  try {
    await silentProgram().parseAsync([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) return error.message;
  }
  return undefined;
}

const scripts: Record<string, string> = JSON.parse(readDocument("package.json")).scripts;

/** Why a simple command cannot be run, as far as that can be known without running it. */
async function mistakeOf(words: readonly string[]): Promise<string | undefined> {
  const at = words.indexOf("cobre");
  // Also after npx and mpirun -n 4, but not in `pip install cobre`.
  if (at === 0 || /^(?:npx|mpirun|srun)$/.test(words[0] ?? "")) {
    if (at === -1) return undefined;
    return mistakeIn(words.slice(at + 1).filter((word) => word !== "…"));
  }
  if (words[0] === "npm" && words[1] === "run") {
    const script = words[2] ?? "";
    return script in scripts ? undefined : `there is no script ${script}`;
  }
  return undefined;
}

/** The mistakes in command lines, each behind its command. */
async function mistakesIn(lines: readonly string[]): Promise<string[]> {
  const mistakes: string[] = [];
  for (const words of lines.flatMap(simpleCommands)) {
    const mistake = await mistakeOf(words);
    if (mistake !== undefined) mistakes.push(`${words.join(" ")}: ${mistake}`);
  }
  return mistakes;
}

describe("commands that are shown", () => {
  for (const document of documents()) {
    it(`${document}: are taken by the command line`, async () => {
      assert.deepEqual(await mistakesIn(blocksOf(document).flatMap(commandLinesOf)), []);
    });
  }

  for (const command of createProgram().commands) {
    it(`cobre ${command.name()} --help: its examples are taken`, async () => {
      let help = "";
      command.configureOutput({
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      const lines = help.split("\n").filter((line) => /^ {2}(?:mpirun .*)?cobre /.test(line));
      const examples = lines.map((line) => line.trim().split(/ {2,}/)[0] ?? "");
      assert.deepEqual(await mistakesIn(examples), []);
    });
  }

  it("are refused if they are wrong", async () => {
    const wrong = [
      "cobre run case --nothing",
      "npx cobre rnu case",
      "npm run nothing",
      "cobre init --template x",
      "cobre run case --set nothing=1",
    ];
    for (const line of wrong) assert.equal((await mistakesIn([line])).length, 1, line);
  });
});
