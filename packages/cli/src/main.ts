import { Command, CommanderError } from "commander";
import { compareCommand } from "./commands/compare.js";
import { completionCommand } from "./commands/completion.js";
import { infoCommand } from "./commands/info.js";
import { initCommand } from "./commands/init.js";
import { launchCommand } from "./commands/launch.js";
import { mcpCommand } from "./commands/mcp.js";
import { migrateCommand } from "./commands/migrate.js";
import { reportCommand } from "./commands/report.js";
import { runCommand } from "./commands/run.js";
import { schemaCommand } from "./commands/schema.js";
import { simulateCommand } from "./commands/simulate.js";
import { tuiCommand } from "./commands/tui.js";
import { validateCommand } from "./commands/validate.js";
import { versionCommand } from "./commands/version.js";
import { EXIT } from "./exit-codes.js";
import { styledError, styledHelp } from "./help-text.js";
import { print } from "./standard-output.js";
import { packageVersion } from "./version.js";

/** In the order of the help. What a command needs beyond its options is loaded when it runs, so that the help comes at once. */
const COMMANDS = [
  initCommand,
  validateCommand,
  runCommand,
  reportCommand,
  tuiCommand,
  simulateCommand,
  compareCommand,
  schemaCommand,
  migrateCommand,
  mcpCommand,
  launchCommand,
  infoCommand,
  completionCommand,
  versionCommand,
];

const FIRST_STEPS = `
First steps:
  cobre init my-case                           a case to start from
  cobre run my-case --output out               train and simulate it
  cobre report out                             what came out`;

/** The whole command line, ready to parse. */
export function createProgram(): Command {
  const program = new Command("cobre")
    .description("The hydrothermal solver, and the collective communication it is built on.")
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .enablePositionalOptions()
    .exitOverride();
  for (const command of COMMANDS.map((create) => create())) {
    const name = `cobre ${command.name()}`;
    command
      .copyInheritedSettings(program)
      .showHelpAfterError(`Usage: ${name} ${command.usage()}\nMore: ${name} --help`)
      .configureOutput({ writeOut: printHelp, outputError: nameTheCommand(name) });
    program.addCommand(command);
  }
  return program
    .addHelpText("after", FIRST_STEPS)
    .showHelpAfterError("More: cobre --help")
    .configureOutput({ writeOut: printHelp, outputError: nameTheCommand("cobre") });
}

/**
 * Runs the command line and sets the exit code: 2 if the command line is wrong, otherwise that of the command.
 */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    await fail(error);
  }
}

async function fail(error: unknown): Promise<void> {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.typedWrong; // already printed
    return;
  }
  const { reportFailure } = await import("./failure.js");
  process.exitCode = reportFailure(error);
}

/** commander does not wait for its text to be written. */
function printHelp(text: string): void {
  print(styledHelp(text, process.stdout)).catch(fail);
}

/** Messages begin with the name of the command, as is usual on a command line. */
function nameTheCommand(name: string) {
  return (text: string, write: (text: string) => void): void =>
    write(styledError(text.replace(/^error: /, `${name}: `), process.stderr));
}
