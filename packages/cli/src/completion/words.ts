import type { Argument, Command, Option } from "commander";

/** What may stand in a place of the command line. */
export type Value =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** Words that go on: `training.forward_passes=`. */
  | { readonly kind: "stems"; readonly words: readonly string[] }
  | { readonly kind: "files" | "directories" | "anything" };

/** An option: its names, and what follows it. */
export interface OptionWords {
  /** `-o`, `--output`. */
  readonly names: readonly string[];
  readonly about: string;
  /** `undefined` for an option without a value. */
  readonly value: Value | undefined;
}

/** A command and what may follow it. */
export interface CommandWords {
  readonly name: string;
  readonly about: string;
  readonly options: readonly OptionWords[];
  readonly arguments: readonly Value[];
}

/** Words that the command line itself does not know. */
export interface MoreWords {
  /** The paths of settings, for `--set`. */
  readonly settings: readonly string[];
  /** The files that have schemas. */
  readonly schemas: readonly string[];
}

const BACKENDS = ["shm", "tcp", "mpi", "local", "auto"];

/** The words of all commands of a program. */
export function wordsOf(program: Command, more: MoreWords): readonly CommandWords[] {
  const names = program.commands.map((command) => command.name());
  const commands = program.commands.map((command) => ({
    name: command.name(),
    about: command.summary() || command.description(),
    options: [
      ...command.options.map((option) => optionWords(option, more)),
      { names: ["-h", "--help"], about: "print this help", value: undefined },
    ],
    arguments: command.registeredArguments.map((argument) => argumentValue(argument, more)),
  }));
  const help = {
    name: "help",
    about: "print the help of a command",
    options: [],
    arguments: [{ kind: "words", words: names } as const],
  };
  return [...commands, help];
}

function optionWords(option: Option, more: MoreWords): OptionWords {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const takesValue = option.required || option.optional;
  const value = takesValue ? optionValue(option, more) : undefined;
  return { names, about: option.description, value };
}

function optionValue({ flags, long, argChoices }: Option, more: MoreWords): Value {
  if (argChoices !== undefined) return { kind: "words", words: argChoices };
  if (long === "--backend") return { kind: "words", words: BACKENDS };
  if (long === "--set") return { kind: "stems", words: more.settings.map((path) => `${path}=`) };
  if (/<directory>/.test(flags)) return { kind: "directories" };
  return { kind: /<file>/.test(flags) ? "files" : "anything" };
}

function argumentValue(argument: Argument, more: MoreWords): Value {
  const name = argument.name();
  if (argument.argChoices !== undefined) return { kind: "words", words: argument.argChoices };
  if (name === "file") return { kind: "words", words: more.schemas };
  return { kind: name === "command" ? "files" : "directories" };
}
