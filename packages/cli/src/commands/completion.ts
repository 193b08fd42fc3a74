import { Argument, Command } from "commander";
import { print } from "../standard-output.js";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

const EXAMPLES = `
Examples:
  cobre completion bash                        prints the script
  source <(cobre completion bash)              reads it; in ~/.bashrc, in every shell you start
  source <(cobre completion zsh)               in ~/.zshrc, after compinit
  cobre completion fish > ~/.config/fish/completions/cobre.fish

Commands, options, their values and the paths of --set are completed.`;

/** `cobre completion`: a script that completes the command line in a shell. */
export function completionCommand(): Command {
  return new Command("completion")
    .summary("print a script that completes cobre in a shell")
    .description("Prints a script that completes the command line of cobre in a shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (shell: Shell, _: object, self: Command) => {
      const { DIALECTS } = await import("@cobre/core");
      const { caseSchemas } = await import("@cobre/sddp");
      const { settingPaths } = await import("../setting-paths.js");
      const { wordsOf } = await import("../completion/words.js");
      const files = DIALECTS.flatMap((dialect) => caseSchemas(undefined, dialect));
      const schemas = [...new Set(files.map(({ file }) => file))];
      const words = wordsOf(self.parent ?? self, { settings: settingPaths(), schemas });
      await print((await scriptOf(shell))(words));
    });
}

async function scriptOf(shell: Shell) {
  switch (shell) {
    case "bash":
      return (await import("../completion/bash.js")).bashScript;
    case "zsh":
      return (await import("../completion/zsh.js")).zshScript;
    case "fish":
      return (await import("../completion/fish.js")).fishScript;
  }
}
