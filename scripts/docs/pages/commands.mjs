/** The command line, from the help of the command itself. */
import { createProgram } from "../../../packages/cli/dist/main.js";
import { codeHtml } from "../code.mjs";
import { escapeHtml, tableHtml } from "../html.mjs";
import { anchorHtml } from "../markdown.mjs";

const INTRODUCTION = `<p>Made from <code>cobre COMMAND --help</code>. <a href="commands.html">The command line</a> tells how the commands belong
together, and what the exit codes mean.</p>
`;

/** A page with a section for each command. */
export function commandReference({ highlight }) {
  const commands = createProgram().commands.filter((command) => command.name() !== "help");
  const sections = commands.map((command) => sectionHtml(command, highlight));
  return {
    name: "command-reference",
    title: "All commands and options",
    html: `<h1 id="all-commands-and-options">All commands and options</h1>\n${INTRODUCTION}${sections.join("")}`,
    headings: commands.map((command) => ({
      level: 2,
      id: idOf(command),
      title: `cobre ${command.name()}`,
    })),
  };
}

function idOf(command) {
  return `cobre-${command.name()}`;
}

function sectionHtml(command, highlight) {
  const name = `cobre ${command.name()}`;
  const help = command.createHelp();
  const words = help
    .visibleArguments(command)
    .map((argument) => [
      `<code>${escapeHtml(help.argumentTerm(argument))}</code>`,
      escapeHtml(help.argumentDescription(argument)),
    ]);
  const options = help
    .visibleOptions(command)
    .filter((option) => option.long !== "--help")
    .map((option) => [optionHtml(option, command), escapeHtml(help.optionDescription(option))]);
  const id = idOf(command);
  return `<h2 id="${id}">${name}${anchorHtml(id)}</h2>
<p>${escapeHtml(sentence(command.description()))}</p>
${codeHtml(highlight, `${name} ${command.usage()}`, "")}${words.length + options.length === 0 ? "" : tableHtml(["argument or option", "what"], [...words, ...options])}${afterHtml(command, highlight)}`;
}

function optionHtml({ flags, long }, command) {
  const id = `${idOf(command)}${long}`;
  return `<a class="option" id="${id}" href="#${id}"><code>${escapeHtml(flags)}</code></a>`;
}

/** What the help tells after the options: examples, exit codes. */
function afterHtml(command, highlight) {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  const after = text.slice(command.helpInformation().length).trim();
  return after === "" ? "" : codeHtml(highlight, after, "");
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
