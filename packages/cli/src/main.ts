import { Command } from "commander";
import { compareCommand } from "./commands/compare.js";
import { infoCommand } from "./commands/info.js";
import { launchCommand } from "./commands/launch.js";
import { reportCommand } from "./commands/report.js";
import { runCommand } from "./commands/run.js";
import { validateCommand } from "./commands/validate.js";
import { reportFailure } from "./failure.js";
import { packageVersion } from "./version.js";

const COMMANDS = [
  runCommand,
  validateCommand,
  compareCommand,
  reportCommand,
  launchCommand,
  infoCommand,
];

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
      .configureOutput({ outputError: nameTheCommand(name) });
    program.addCommand(command);
  }
  return program
    .showHelpAfterError("More: cobre --help")
    .configureOutput({ outputError: nameTheCommand("cobre") });
}

/**
 * Runs the command line and sets the exit code: 2 for what was typed wrong, otherwise as the command
 * says.
 */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(argv);
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

/** Messages begin with who speaks, as everywhere on a command line. */
function nameTheCommand(name: string) {
  return (text: string, write: (text: string) => void): void =>
    write(text.replace(/^error: /, `${name}: `));
}
