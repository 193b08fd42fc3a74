/** Writes the golden results anew. The commit that changes them must say why they changed. */
import { writeFileSync } from "node:fs";
import { EXAMPLES, GOLDEN_FILE } from "./golden-file.js";
import { type Results, resultsOf } from "./results.js";

const golden: Record<string, Results> = {};
for (const name of EXAMPLES) golden[name] = await resultsOf(name);
writeFileSync(GOLDEN_FILE, `${JSON.stringify(golden, null, 2)}\n`);
console.log(`${GOLDEN_FILE} is new. Say in the commit why the results changed.`);
