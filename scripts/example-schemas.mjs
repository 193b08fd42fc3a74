// Writes the schemas of a case into each example, where its files name them, so that editors complete. `cobre init` does the same.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { writeSchemas } from "../packages/cli/dist/schemas.js";
import { ROOT } from "./prepare.mjs";

const cases = join(ROOT, "examples/cases");
for (const name of readdirSync(cases)) {
  const dialect = name.endsWith("-0.5") ? "0.5" : "0.18";
  writeSchemas(join(cases, name, "schemas"), ["json"], dialect);
}
