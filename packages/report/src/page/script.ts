import { readFileSync } from "node:fs";

/** The modules of the script, each after those that it imports. */
const MODULES = [
  import.meta.resolve("@cobre/study/numbers"),
  "../words.js",
  "../client/data.js",
  "../client/plot.js",
  "../client/scenario-drawing.js",
  "../client/explorer.js",
  "../client/places.js",
  "../client/value-functions.js",
  "../client/tooltip.js",
  "../client/saved-drawing.js",
  "../client/downloads.js",
  "../client/main.js",
];

let joined: string | undefined;

/**
 * The script of the page: the compiled modules in one scope, without their imports and exports. All of them share their names, so every
 * name at their top level occurs once; a test sees to that.
 */
export function clientScript(): string {
  joined ??= `(() => {\n"use strict";\n${MODULES.map(moduleText).join("")}})();\n`;
  return joined;
}

function moduleText(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8")
    .replace(/^import [^;]*;\n/gm, "")
    .replace(/^export (?=(?:async )?(?:function|const|class))/gm, "")
    .replace(/^export \{\};\n/gm, "")
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, "")
    .replace(/^\s*\/\/.*\n?/gm, "")
    .replaceAll("</script", "<\\/script");
}
