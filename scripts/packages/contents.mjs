/** What is in the tarballs, and what is not to be reached. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../prepare.mjs";
import { run, tryToRun } from "./outside.mjs";
import { tarballOf } from "./project.mjs";

const NEEDED = ["description", "keywords", "license", "engines", "sideEffects", "publishConfig"];

/** Every package has its licence, its README, a manifest that says what it is, and no declaration of what is internal. */
export function checkContents(packages, project) {
  const licence = readFileSync(join(ROOT, "LICENSE"), "utf8");
  const wrong = packages.flatMap((one) => {
    const installed = (file) => join(project, "node_modules", one.name, file);
    const hasLicence =
      existsSync(installed("LICENSE")) && readFileSync(installed("LICENSE"), "utf8") === licence;
    return [
      ...(hasLicence ? [] : [`${one.name} has no LICENSE`]),
      ...(existsSync(installed("README.md")) ? [] : [`${one.name} has no README.md`]),
      ...internalDeclarations(installed("dist")).map(
        (file) => `${one.name}: ${file} has @internal`,
      ),
      ...NEEDED.filter((field) => one[field] === undefined).map(
        (field) => `${one.name}: package.json has no ${field}`,
      ),
    ];
  });
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

function internalDeclarations(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(".d.ts"))
    .filter((file) => readFileSync(join(folder, file), "utf8").includes("@internal"));
}

/** publint and attw find nothing wrong. The packages are ESM only: attw's verdict on require does not count. */
export function checkManifests(packages, tarballs, { publint, attw }) {
  for (const one of packages) {
    const tarball = join(tarballs, tarballOf(one));
    run(publint, ["--strict", tarball], tarballs);
    run(attw, ["--profile", "esm-only", "--no-emoji", "--no-color", tarball], tarballs);
  }
  return `nothing wrong with ${packages.length} tarballs`;
}

/** `internal.js` is for our own tests: neither listed in the exports, nor to be imported by its name or its path. */
export function checkInnerDoor(packages, project) {
  for (const { name, exports } of packages) {
    const open = Object.keys(exports).find((path) => path.includes("internal"));
    if (open !== undefined) throw new Error(`${name} exports ${open}`);
    for (const path of ["internal", "internal.js", "dist/internal.js"]) {
      const program = `await import("${name}/${path}")`;
      const args = ["--input-type=module", "--eval", program];
      const { output } = tryToRun(process.execPath, args, project);
      if (!output.includes("ERR_PACKAGE_PATH_NOT_EXPORTED")) {
        throw new Error(`${program} should not be possible\n${output}`);
      }
    }
  }
}
