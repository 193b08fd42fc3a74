/** The texts of the repository that become pages, and their places on the site. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ROOT } from "../prepare.mjs";

/** Texts outside of docs/. The READMEs of the packages begin the pages of their API. */
const OTHERS = {
  "README.md": "index",
  "CONTRIBUTING.md": "contributing",
  "CHANGELOG.md": "changelog",
  "packages/bench/README.md": "bench",
};
/** Folders that a page describes. */
const FOLDERS = { "examples/cases": "examples" };

/** The public packages, in the order of their names. */
export function publicPackages() {
  return readdirSync(join(ROOT, "packages"))
    .map((folder) => ({ folder, manifest: manifestOf(folder) }))
    .filter(({ manifest }) => !manifest.private);
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(ROOT, "packages", folder, "package.json"), "utf8"));
}

/** The name of the page with a package's API. */
export function apiPageOf(folder) {
  return `api-${folder}`;
}

/** All texts: where they are, and the name of their page. Every file of docs/ is one. */
export function textSources() {
  const documents = readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => [`docs/${name}`, name.slice(0, -".md".length)]);
  return [...Object.entries(OTHERS), ...documents].map(([path, name]) => ({
    path,
    name,
    text: readFileSync(join(ROOT, path), "utf8"),
  }));
}

/**
 * Makes the function that tells where a link of a text leads on the site; `undefined` for a file of the repository that has no
 * page. A link to a file that does not exist is a fault.
 */
export function linksOf(sources, images) {
  const pages = new Map(sources.map(({ path, name }) => [path, name]));
  for (const { folder } of publicPackages())
    pages.set(`packages/${folder}/README.md`, apiPageOf(folder));
  for (const [folder, name] of Object.entries(FOLDERS)) pages.set(folder, name);
  return (target, source) => {
    // Comments in the code are no file; their links were made for the site.
    if (source === undefined) return target;
    if (/^(?:https?|mailto):/.test(target) || target.startsWith("#")) return target;
    const [file, anchor] = target.split("#");
    const path = normalize(join(dirname(source), file)).replace(/\/$/, "");
    if (!existsSync(join(ROOT, path)))
      throw new Error(`${source} links to ${target}, which does not exist`);
    if (/\.(?:png|svg)$/.test(path)) {
      images.add(path);
      return `images/${path.slice(path.lastIndexOf("/") + 1)}`;
    }
    const page = pages.get(path);
    if (page === undefined) return undefined;
    return `${page}.html${anchor === undefined ? "" : `#${anchor}`}`;
  };
}
