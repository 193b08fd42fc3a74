import { Command, Option } from "commander";

/** How a dashboard looks. */
export interface TuiFlags {
  readonly plain?: boolean;
  readonly ascii?: boolean;
}

const EXAMPLES = `
Examples:
  cobre run cases/1dtoy -o out -n 2 --tui           a run under the dashboard
  cobre tui out                                     a run that has ended, told again
  cobre run cases/1dtoy -o out --events - | cobre tui
                                                    the events of a run, as they come
  cobre tui < events.jsonl                          those that --events wrote to a file

Keys: 1 to 6 and tab for the views, space to pause, s for one iteration, arrows and enter for
iterations and stages, e to export what is shown, ? for help, q to leave.`;

/** `cobre tui`: the dashboard of a run that has ended, or whose events come on standard input. */
export function tuiCommand(): Command {
  return withTuiOptions(
    new Command("tui")
      .description("watch a run in the terminal, or replay one")
      .argument("[output]", "the output directory of a run that has ended"),
  )
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (directory: string | undefined, flags: TuiFlags, self: Command) => {
      if (directory === undefined && process.stdin.isTTY) {
        self.error("error: which run? Give its output directory, or events on standard input.");
      }
      const { showEvents, showFinished } = await import("@cobre/tui");
      const look = lookOf(flags);
      process.exitCode =
        directory === undefined
          ? await showEvents(process.stdin, look)
          : await showFinished(directory, look);
    });
}

/** Adds the options that say how a dashboard looks. */
export function withTuiOptions(command: Command): Command {
  return command
    .addOption(new Option("--plain", "sentences, a line each, as screen readers like it"))
    .addOption(
      new Option("--ascii", "only ASCII characters (default: unless the locale is UTF-8)"),
    );
}

/** For `@cobre/tui`. */
export function lookOf({ plain, ascii }: TuiFlags) {
  return { isPlain: plain, isAscii: ascii };
}
