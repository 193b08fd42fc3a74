/** docs/configuration.md names the same environment variables as the code. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** A whole name. `COBRE_SHM_*` and the start of a regular expression such as `COBRE_SHM_(NAME|RANK)` are not names. */
const VARIABLE = /\bCOBRE_[A-Z0-9_]*[A-Z0-9]\b/g;
/** Tests set many of the product's variables, or build their names from parts. These are their own. */
const TEST_VARIABLE = /\bCOBRE_(?:TEST|REFERENCE)_[A-Z0-9_]*[A-Z0-9]\b/g;

/** The names that match in the source files below a folder, and one file for each. */
function namesIn(folder: string, pattern: RegExp, isDeep = true): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && isDeep) {
      for (const [name, file] of namesIn(path, pattern)) found.set(name, file);
    } else if (/\.(ts|js|mjs|py)$/.test(entry.name)) {
      const [...matches] = readFileSync(join(ROOT, path), "utf8").matchAll(pattern);
      for (const [name] of matches) found.set(name, path);
    }
  }
  return found;
}

function inCode(): Map<string, string> {
  const packages = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`);
  const has = (folder: string, name: string) => readdirSync(join(ROOT, folder)).includes(name);
  const sources = packages.flatMap((folder) =>
    ["src", "bin"].filter((name) => has(folder, name)).map((name) => `${folder}/${name}`),
  );
  const tests = packages
    .filter((folder) => has(folder, "test"))
    .map((folder) => `${folder}/test`)
    .concat("python/tests");
  return new Map([
    ...tests.flatMap((folder) => [...namesIn(folder, TEST_VARIABLE)]),
    ...[...sources, "python/src", "scripts"].flatMap((folder) => [...namesIn(folder, VARIABLE)]),
    ...namesIn("python", VARIABLE, false),
  ]);
}

describe("docs/configuration.md", () => {
  const document = readFileSync(join(ROOT, "docs/configuration.md"), "utf8");
  const rows = document.split("\n").filter((line) => line.startsWith("| `COBRE_"));
  const documented = rows.flatMap((row) => row.split("|")[1]?.match(VARIABLE) ?? []);

  it("has every variable of the code", () => {
    const code = inCode();
    assert.ok(code.size > 20, `only ${code.size} variables were found: the search is broken`);
    const missing = [...code].filter(([name]) => !documented.includes(name));
    const list = missing.map(([name, file]) => `${name} (${file})`);
    assert.deepEqual(list, [], "add these variables to docs/configuration.md");
  });

  it("has no variable that the code does not know", () => {
    const code = inCode();
    const unknown = documented.filter((name) => !code.has(name));
    assert.deepEqual(unknown, [], "remove these variables from docs/configuration.md");
  });

  it("has each variable once", () => {
    const repeated = documented.filter((name, i) => documented.indexOf(name) !== i);
    assert.deepEqual(repeated, []);
  });
});
