/** Blocks of code as HTML. */
import { escapeHtml } from "./html.mjs";

/** What a command is written after in a session. */
const PROMPT = /^(?:[\w-]*[$#]|>>>) /;
const SENTENCE = 95;

/**
 * A block of code. In a `console` block, lines after a prompt are commands and all others are what they print; the button
 * copies the commands alone.
 */
export function codeHtml(highlight, text, language) {
  if (language === "console") return framed(sessionHtml(highlight, text), commandsOf(text));
  const code = coloured(highlight, text, language);
  return framed(code, language === "" || language === "text" ? undefined : text);
}

/** The text as HTML, with classes for its colours. */
export function coloured(highlight, text, language) {
  const known = language !== "" && highlight.getLanguage(language) !== undefined;
  if (!known) return escapeHtml(text);
  return highlight.highlight(text, { language, ignoreIllegals: true }).value;
}

function framed(code, copied) {
  const copy =
    copied === undefined
      ? ""
      : `<button type="button" class="copy" hidden data-copy="${escapeHtml(copied.trimEnd())}">copy</button>`;
  return `<div class="code">${copy}<pre tabindex="0"><code>${code.trimEnd()}\n</code></pre></div>\n`;
}

function sessionHtml(highlight, text) {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [prompt] = PROMPT.exec(line) ?? [];
      if (prompt === undefined) return printedHtml(line);
      // The colours of bash take the set of --set for its own command.
      const command = coloured(highlight, line.slice(prompt.length), "bash").replaceAll(
        /(?<=--)<span class="hljs-built_in">(\w+)<\/span>/g,
        "$1",
      );
      return `<span class="prompt">${escapeHtml(prompt)}</span>${command}`;
    })
    .join("\n");
}

/** Sentences are longer than tables, and may be wrapped. */
function printedHtml(line) {
  return `<span class="printed${line.length > SENTENCE ? " sentence" : ""}">${escapeHtml(line)}</span>`;
}

function commandsOf(text) {
  return text
    .split("\n")
    .filter((line) => PROMPT.test(line))
    .map((line) => line.replace(PROMPT, ""))
    .join("\n");
}
