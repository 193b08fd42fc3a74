/** The test files of all packages, and which of them a run of the tests has. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./prepare.mjs";

/** What takes longest, longest first. It begins first, so that none of it is left over at the end while a core has nothing to do. */
const LONGEST = [
  "sddp/dist-test/oracle/",
  "comm/dist-test/conformance/",
  "comm/dist-test/faults/faults",
  "cli/dist-test/late-rank",
  "cli/dist-test/kill-resume",
  "cli/dist-test/killed-systems",
  "sddp/dist-test/same-bits",
  "io/dist-test/fuzz-files",
  "comm/dist-test/tcp/fuzz-frames",
  "cli/dist-test/run.test",
  "cli/dist-test/outputs",
  "report/dist-test/browser",
  "comm/dist-test/tcp/startup",
  "comm/dist-test/mpi/",
];

/** A file that imports this has tests in both parts; the tests of any other file all belong to the quick part. */
const SCOPE_IMPORT = /^(?:import .*|\}) from "@cobre\/testing\/scope";$/m;

/** Whether a path has one of the words in it; without words, every path is chosen. */
export function isChosen(path, words) {
  return words.length === 0 || words.some((word) => path.includes(word));
}

/** The test files whose path has one of the words in it and that have tests in the scope, in the order in which they are best begun. */
export function chooseTestFiles(words, scope) {
  return allTestFiles()
    .filter((file) => isChosen(file, words))
    .filter((file) => scope !== "rest" || hasRest(file))
    .sort((a, b) => placeOf(a) - placeOf(b));
}

function placeOf(file) {
  const place = LONGEST.findIndex((part) => file.includes(part));
  return place === -1 ? LONGEST.length : place;
}

function allTestFiles() {
  const found = [];
  for (const name of readdirSync(join(ROOT, "packages"))) {
    const folder = join(ROOT, "packages", name, "dist-test");
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.name.endsWith(".test.js")) continue;
      found.push(relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)));
    }
  }
  return found.sort();
}

function hasRest(file) {
  return SCOPE_IMPORT.test(readFileSync(join(ROOT, file), "utf8"));
}
