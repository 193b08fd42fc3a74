/**
 * Writes a case of the size of a national system: 160 hydro plants in cascades, 120 thermal plants, five areas, five years of months with three
 * blocks, inflows with up to six lags.
 *
 *   node examples/large-system/generate.mjs large            # all of it
 *   node examples/large-system/generate.mjs small --hydros 8 --thermals 6 --stages 6 --openings 3 --passes 2 --order 2
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { caseFiles, FULL_SIZE } from "./case-files.mjs";

const LEAST = {
  hydros: 1,
  thermals: 1,
  stages: 2,
  openings: 1,
  passes: 1,
  order: 1,
  iterations: 1,
};

function usage() {
  const defaults = Object.entries(FULL_SIZE).map(([name, value]) => `--${name} ${value}`);
  return `node examples/large-system/generate.mjs FOLDER [${defaults.join("] [")}]`;
}

function fail(message) {
  console.error(`${message}\n${usage()}`);
  process.exit(2);
}

function readArguments() {
  try {
    const options = Object.fromEntries(
      [...Object.keys(FULL_SIZE), "help"].map((name) => [
        name,
        { type: name === "help" ? "boolean" : "string" },
      ]),
    );
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    // The rest is advice for another mistake.
    return fail(error.message.split(". To specify")[0]);
  }
}

const { values, positionals } = readArguments();
if (values.help) {
  console.log(usage());
  process.exit(0);
}
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) fail("name one folder for the case");
if (existsSync(folder)) fail(`${folder} exists; name a new folder`);

const size = { ...FULL_SIZE };
for (const name of Object.keys(FULL_SIZE)) {
  if (values[name] === undefined) continue;
  const number = Number(values[name]);
  const least = LEAST[name] ?? 0;
  if (!/^\d{1,9}$/.test(values[name]) || number < least)
    fail(`--${name}: ${values[name]} is not a whole number from ${least} on`);
  size[name] = number;
}

for (const [path, text] of Object.entries(caseFiles(size))) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
console.log(`wrote ${folder}; cobre run ${folder} -n 2 trains it`);
