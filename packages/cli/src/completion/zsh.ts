import type { CommandWords, OptionWords, Value } from "./words.js";

/** The completion script for zsh. */
export function zshScript(commands: readonly CommandWords[]): string {
  const described = commands.map(({ name, about }) => quoted(`${name}:${about}`));
  return `#compdef cobre
# Completion of cobre in zsh. For every shell you start, after compinit:
#   source <(cobre completion zsh)
_cobre() {
  local -a commands
  commands=(
    ${described.join("\n    ")}
  )
  if ((CURRENT == 2)); then
    _describe -t commands 'cobre command' commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
if [[ \${funcstack[1]} == _cobre ]]; then
  _cobre "$@"
else
  compdef _cobre cobre
fi
`;
}

function commandCase({ name, options, arguments: args }: CommandWords): string {
  const specs = [
    ...options.flatMap(optionSpecs),
    ...args.map((value, i) => {
      const place = name === "launch" && i === args.length - 1 ? "*" : String(i + 1);
      return quoted(`${place}:word:${action(value)}`);
    }),
  ];
  return `  ${name})
    _arguments -s : \\
      ${specs.join(" \\\n      ")}
    ;;`;
}

function optionSpecs({ names, about, value }: OptionWords): string[] {
  const text = about.replaceAll("[", "(").replaceAll("]", ")").replaceAll(":", "\\:");
  const after = value === undefined ? "" : `:value:${action(value)}`;
  // --set may be given again and again.
  const others = names.includes("--set") ? "*" : `(${names.join(" ")})`;
  return names.map((name) => quoted(`${others}${name}[${text}]${after}`));
}

function action(value: Value): string {
  switch (value.kind) {
    case "words":
      return `(${value.words.join(" ")})`;
    case "stems":
      return `{compadd -S "" -- ${value.words.join(" ")}}`;
    case "files":
      return "_files";
    case "directories":
      return "_files -/";
    case "anything":
      return "()";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
