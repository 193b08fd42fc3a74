/** Collective communication knows nothing of what it is used for: no name, comment or type here is one of the solver's. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** What people of the solver speak of. A word also counts as a part of a name: `cutPool`, `STAGE_COUNT`. */
const WORDS_OF_THE_SOLVER = new Set(
  `sddp bellman benders cvar par lp simplex highs clp
  cut cuts stage stages opening openings scenario scenarios policy policies iteration iterations trajectory
  hydro hydros reservoir reservoirs inflow inflows spillage turbine turbines thermal thermals bus buses deficit
  water energy megawatt mwh dispatch hydrothermal stochastic optimization optimisation solver solvers
  train trains training simulate simulation simulations`.split(/\s+/),
);

/** Where a word of that list means something else. */
const OTHER_MEANINGS: readonly RegExp[] = [
  // to cut a vector, a line, a wait
  /\b(is|are|be) cut( into\b|,)/g,
  /\bcuts? (the waiting short|`file` off|a byte stream)/gi,
  /#cut\(\)/g,
  // to stage a message: to put it where the next rank takes it from
  /\bcanStage\b/g,
];

it("comm has no word of the solver", () => {
  const found = ["src", "assembly"].flatMap((folder) =>
    readdirSync(join(PACKAGE, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => /\.(ts|mjs)$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .flatMap((file) =>
        wordsOfTheSolverIn(`${relative(PACKAGE, file)}\n${readFileSync(file, "utf8")}`).map(
          (word) => `${relative(PACKAGE, file)}: ${word}`,
        ),
      ),
  );
  assert.deepEqual(found, []);
});

it("a word is found in a sentence, in a name and in the name of a file, and not where it means something else", () => {
  for (const text of ["the cuts of a stage", "cutPool", "STAGE_COUNT", "src/opening-tree.ts"]) {
    assert.notDeepEqual(wordsOfTheSolverIn(text), [], text);
  }
  for (const text of ["a vector is cut into blocks", "staging.ts", "execute", "shortcut", "busy"]) {
    assert.deepEqual(wordsOfTheSolverIn(text), [], text);
  }
});

function wordsOfTheSolverIn(text: string): string[] {
  const rest = OTHER_MEANINGS.reduce((left, phrase) => left.replace(phrase, ""), text);
  const words = rest.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words.map((word) => word.toLowerCase()).filter((word) => WORDS_OF_THE_SOLVER.has(word));
}
