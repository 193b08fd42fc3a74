import type { CommandWords, OptionWords, Value } from "./words.js";

/** The completion script for bash, from 3.2 on. */
export function bashScript(commands: readonly CommandWords[]): string {
  const names = [...commands.map(({ name }) => name), "--help", "--version"];
  return `# Completion of cobre in bash. In ~/.bashrc, for every shell you start:
#   source <(cobre completion bash)
_cobre_words() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_cobre_stems() {
  _cobre_words "$1"
  compopt -o nospace 2>/dev/null
}
_cobre_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
# How many arguments stand before the word: options that take a value ($1) take the next word, too, and bash splits words at "=".
_cobre_place() {
  for ((i++; i < COMP_CWORD; i++)); do
    if [[ $1 == *"|\${COMP_WORDS[i]}|"* ]]; then
      [[ \${COMP_WORDS[i + 1]} == "=" ]] && ((i++))
      ((i++))
      [[ \${COMP_WORDS[i + 1]} == "=" ]] && ((i += 2))
    elif [[ \${COMP_WORDS[i]} != -* ]]; then
      ((place++))
    fi
  done
}
_cobre() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= place=0 i
  COMPREPLY=()
  # bash takes --option=value for three words.
  if [[ $cur == "=" ]]; then
    cur=
  elif [[ $prev == "=" ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then
      command=\${COMP_WORDS[i]}
      break
    fi
  done
  case $command in
  '')
    _cobre_words ${quoted(names.join("\n"))}
    ;;
${commands.map(commandCase).join("\n")}
  esac
}
complete -F _cobre cobre
`;
}

function commandCase({ name, options, arguments: args }: CommandWords): string {
  const taking = options.filter(({ value }) => value !== undefined);
  const flags = options.flatMap(({ names }) => names).join("\n");
  const lines = [
    ...(taking.length === 0 ? [] : ["case $prev in", ...taking.flatMap(optionCase), "esac"]),
    "if [[ $cur == -* ]]; then",
    `  _cobre_words ${quoted(flags)}`,
    "  return",
    "fi",
    `_cobre_place ${quoted(`|${taking.flatMap(({ names }) => names).join("|")}|`)}`,
    ...args.map((value, place) => {
      const test = isLast(args, place, name) ? "-ge" : "-eq";
      return `[[ $place ${test} ${place} ]] && ${reply(value)}`;
    }),
  ];
  return `  ${name})\n${lines.map((line) => `    ${line}`).join("\n")}\n    ;;`;
}

/** `launch` takes any number of words at its end. */
function isLast(args: readonly Value[], place: number, name: string): boolean {
  return name === "launch" && place === args.length - 1;
}

function optionCase({ names, value }: OptionWords): string[] {
  return [
    `${names.join("|")})`,
    `  ${value === undefined ? ":" : reply(value)}`,
    "  return",
    "  ;;",
  ];
}

function reply(value: Value): string {
  switch (value.kind) {
    case "words":
      return `_cobre_words ${quoted(value.words.join("\n"))}`;
    case "stems":
      return `_cobre_stems ${quoted(value.words.join("\n"))}`;
    case "files":
      return "_cobre_files -f";
    case "directories":
      return "_cobre_files -d";
    case "anything":
      return ":";
  }
}

/** A text of words and lines between quotes that keep everything. */
function quoted(text: string): string {
  return `'${text}'`;
}
