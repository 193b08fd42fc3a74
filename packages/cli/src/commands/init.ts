import { join } from "node:path";
import type { Dialect } from "@cobre/core";
import { Command, Option } from "commander";
import { print } from "../standard-output.js";
import { DEFAULT_TEMPLATE, TEMPLATES, type Template } from "../templates.js";
import { typedCommand } from "../typed-command.js";
import { dialectOption } from "./dialect-option.js";

const LIST = Object.entries(TEMPLATES)
  .map(([name, { about }]) => `  ${name.padEnd(15)} ${about}`)
  .join("\n");

const HELP = `
Templates:
${LIST}

Examples:
  cobre init                                   a case to start from, in ./${DEFAULT_TEMPLATE}
  cobre init my-case --template four-regions   another one, in ./my-case
  cobre init my-case --dialect 0.5             as Cobre 0.5 writes cases (${DEFAULT_TEMPLATE} only)`;

interface InitFlags {
  readonly template: Template;
  readonly dialect: Dialect;
}

/** `cobre init`: a case directory to start from. */
export function initCommand(): Command {
  return new Command("init")
    .description("make a case directory to start from")
    .argument("[directory]", "the new directory (default: the name of the template)")
    .addOption(
      new Option("-t, --template <name>", "the case to copy")
        .choices(Object.keys(TEMPLATES))
        .default(DEFAULT_TEMPLATE),
    )
    .addOption(dialectOption())
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", HELP)
    .action(async (directory: string | undefined, { template, dialect }: InitFlags) => {
      const { copyTemplate } = await import("../templates.js");
      const target = directory ?? template;
      await copyTemplate(template, target, dialect);
      const next = [
        ["validate", target],
        ["run", target],
        ["report", join(target, "output")],
      ];
      const lines = next.map((words) => `  ${typedCommand(words)}\n`);
      await print(`${target}: ${TEMPLATES[template].about}\n\nNext:\n${lines.join("")}`);
    });
}
