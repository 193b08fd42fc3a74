/** What builds the site and nothing else needs: installed on demand below out/, from a lock file of its own, so that `npm ci` stays short. */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tryToRun } from "../packages/outside.mjs";
import { ROOT } from "../prepare.mjs";

const LISTS = ["package.json", "package-lock.json"].map((name) =>
  join(ROOT, "scripts/docs/tools", name),
);

/** The libraries, or why there are none. */
export async function loadTools() {
  const { folder, reason } = install();
  if (folder === undefined) return { reason };
  const require = createRequire(join(folder, "package.json"));
  const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
  const [markdown, highlight, typescript] = await Promise.all(
    ["markdown-it", "highlight.js/lib/common", "typescript"].map(load),
  );
  const tools = {
    MarkdownIt: markdown.default,
    highlight: highlight.default,
    typescript: typescript.default,
  };
  return { tools };
}

/** The folder has the hash of the lists in its name: another version is another folder. */
function install() {
  const hash = createHash("sha256");
  for (const list of LISTS) hash.update(readFileSync(list));
  const folder = join(ROOT, "out", `docs-tools-${hash.digest("hex").slice(0, 12)}`);
  const complete = join(folder, "complete");
  if (existsSync(complete)) return { folder };
  console.log("Docs: installing what renders the pages …");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const list of LISTS) copyFileSync(list, join(folder, list.slice(list.lastIndexOf("/") + 1)));
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  const { isFine, output } = tryToRun("npm", args, folder);
  if (!isFine) {
    console.log(output);
    return { reason: "npm could not install what renders the pages" };
  }
  writeFileSync(complete, "");
  return { folder };
}
