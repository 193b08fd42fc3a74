/** The packages as tarballs, and an empty project that installs them. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../prepare.mjs";
import { run } from "./outside.mjs";

/** The name that `npm pack` gives a tarball. */
export function tarballOf({ name, version }) {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** Packs as `npm publish` does: with the scripts before and after. */
export function pack(packages, tarballs) {
  const workspaces = packages.map(({ name }) => `--workspace=${name}`);
  run("npm", ["pack", "--silent", `--pack-destination=${tarballs}`, ...workspaces], ROOT);
  return packages.map(({ name }) => name).join(", ");
}

/** A project with nothing but our tarballs, what they depend on, the types of Node.js, and the example cases. */
export function makeProject(project, packages, tarballs) {
  const manifest = { name: "stranger", private: true, type: "module" };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const types = `@types/node@${devDependencies["@types/node"]}`;
  const files = packages.map((one) => join(tarballs, tarballOf(one)));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  run("npm", ["install", ...options, ...files, types], project);
  cpSync(join(ROOT, "examples/cases"), join(project, "cases"), {
    recursive: true,
    filter: (path) => basename(path) !== "output", // of runs in this clone
  });
}
