/** Which files and tests a target has. Targets are told in names of sources; what runs is built from them. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** `packages/x/src/a.ts` is built as `packages/x/dist/a.js`, and `test` as `dist-test`. */
export function builtFrom(source) {
  return source
    .replace(/^(packages\/[^/]+)\/src\b/, "$1/dist")
    .replace(/^(packages\/[^/]+)\/test\b/, "$1/dist-test")
    .replace(/\.ts$/, ".js");
}

export function sourceOf(built) {
  return built
    .replace(/^(packages\/[^/]+)\/dist-test\b/, "$1/test")
    .replace(/^(packages\/[^/]+)\/dist\b/, "$1/src")
    .replace(/\.js$/, ".ts");
}

/** The built files that a target changes and that one of the words chooses. */
export function codeOf({ name, code, notCode = [] }, words, root) {
  const isWanted = (source) =>
    words.length === 0 ||
    words.some((word) => isWithin(name, word) || isWithin(shortName(source), word));
  return code
    .flatMap((source) => builtFilesOf(source, root))
    .filter((file) => file.endsWith(".js"))
    .filter((file) => !notCode.some((source) => isWithin(file, builtFrom(source))))
    .filter((file) => isWanted(sourceOf(file)) && hasSource(file, root));
}

/** The built test files of a target. */
export function testsOf({ tests, without = [] }, root) {
  return tests
    .flatMap((source) => builtFilesOf(source, root))
    .filter((file) => file.endsWith(".test.js"))
    .filter((file) => !without.some((source) => isWithin(file, builtFrom(source))))
    .filter((file) => hasSource(file, root));
}

/** The packages of which some module may import a file: its own and all that depend on it. What tests share knows the runner of tests. */
export function affectedBy(path, root) {
  const names = readdirSync(join(root, "packages"));
  const manifests = names.map((name) =>
    JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")),
  );
  const affected = new Set(["testing", path.split("/")[1]]);
  for (let before = 0; before < affected.size; ) {
    before = affected.size;
    names.forEach((name, i) => {
      const { dependencies = {} } = manifests[i];
      const isAffected = names.some(
        (other, j) => affected.has(other) && manifests[j].name in dependencies,
      );
      if (isAffected) affected.add(name);
    });
  }
  return [...affected].sort();
}

/** `packages/sddp/src/stage/stage-lp.ts` as one would ask for it: `sddp/stage/stage-lp.ts`. */
function shortName(source) {
  return source.replace(/^packages\/([^/]+)\/src\//, "$1/");
}

/** A source that was removed leaves its built file behind, which nothing imports. */
function hasSource(built, root) {
  return existsSync(join(root, sourceOf(built)));
}

function isWithin(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

function builtFilesOf(source, root) {
  if (!existsSync(join(root, source)))
    throw new Error(`scripts/mutate/targets.mjs names ${source}, which does not exist`);
  return filesOf(builtFrom(source), root);
}

function filesOf(path, root) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(join(path, name), root));
}
