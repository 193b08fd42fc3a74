import type { CommandWords, OptionWords, Value } from "./words.js";

/** The completion script for fish. */
export function fishScript(commands: readonly CommandWords[]): string {
  return `# Completion of cobre in fish. For every shell you start:
#   cobre completion fish > ~/.config/fish/completions/cobre.fish
complete -c cobre -f
complete -c cobre -n __fish_use_subcommand -l help -s h -d 'print this help'
complete -c cobre -n __fish_use_subcommand -l version -s V -d 'print the version'
${commands.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ name, about, options, arguments: args }: CommandWords): string[] {
  const after = `complete -c cobre -n '__fish_seen_subcommand_from ${name}'`;
  const [first] = args;
  return [
    `complete -c cobre -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
    ...options.map((option) => `${after} ${optionText(option)}`),
    ...(first === undefined ? [] : [`${after} ${argumentText(first)}`]),
  ];
}

function optionText({ names, about, value }: OptionWords): string {
  const flags = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  return [...flags, "-d", quoted(about), ...(value === undefined ? [] : [valueText(value)])].join(
    " ",
  );
}

/** -x: a value follows, and it is no file; -r -F: it is one. */
function valueText(value: Value): string {
  if (value.kind === "files") return "-r -F";
  return value.kind === "anything" ? "-x" : `-x ${argumentText(value)}`;
}

function argumentText(value: Value): string {
  switch (value.kind) {
    case "words":
    case "stems":
      return `-a ${quoted(value.words.join(" "))}`;
    case "files":
      return "-F";
    case "directories":
      return `-a '(__fish_complete_directories (commandline -ct))'`;
    case "anything":
      return "";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
