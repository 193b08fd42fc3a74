// What `npm pack` and `npm publish` run in the folder of a package. Before: builds it, and puts the licence beside it, the example cases if it
// has templates, and the pages of the documentation if it has docs, since npm packs only what is in the folder. After: takes them away again.
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { ROOT, run } from "./prepare.mjs";

const LICENCE = "LICENSE";
const TEMPLATES = "templates";
const DOCS = "docs";
const folder = process.cwd();
const [step] = process.argv.slice(2);

if (step === "prepare") {
  removeStale();
  // npm sets variables for its scripts (which folder, dry or not) that are not meant for another npm.
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  // Whoever packs reads the names of the tarballs, or JSON, from stdout.
  run("npm", ["run", "--silent", "build"], {
    env: Object.fromEntries(env),
    stdio: ["ignore", 2, "inherit"],
  });
  copyFileSync(join(ROOT, LICENCE), join(folder, LICENCE));
  const { files } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (files.includes(TEMPLATES)) copyTemplates();
  if (files.includes(DOCS)) copyDocs();
} else if (step === "tidy") {
  rmSync(join(folder, LICENCE), { force: true });
  rmSync(join(folder, TEMPLATES), { recursive: true, force: true });
  rmSync(join(folder, DOCS), { recursive: true, force: true });
} else {
  console.error("usage: node ../../scripts/pack.mjs prepare | tidy");
  process.exit(2);
}

function copyTemplates() {
  cpSync(join(ROOT, "examples/cases"), join(folder, TEMPLATES), {
    recursive: true,
    // of runs and builds in this clone
    filter: (path) => !["output", "schemas"].includes(basename(path)),
  });
}

function copyDocs() {
  cpSync(join(ROOT, DOCS), join(folder, DOCS), {
    recursive: true,
    filter: (path) => path === join(ROOT, DOCS) || path.endsWith(".md"),
  });
}

/** The compiler leaves what it made of files that are gone; nobody should get that. */
function removeStale() {
  const made = join(folder, "dist");
  if (!existsSync(made)) return;
  for (const entry of readdirSync(made, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const source = relative(made, file).replace(/(\.d\.ts|\.js|\.js\.map)$/, ".ts");
    if (!existsSync(join(folder, "src", source))) rmSync(file);
  }
}
