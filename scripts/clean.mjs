// Removes everything that builds and runs have generated. The dependencies stay.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./prepare.mjs";

const made = [
  "dist",
  "dist-test",
  "tsconfig.tsbuildinfo",
  "test/tsconfig.tsbuildinfo",
  "src/kernel/module.ts",
];
for (const name of readdirSync(join(ROOT, "packages"))) {
  for (const path of made)
    rmSync(join(ROOT, "packages", name, path), { recursive: true, force: true });
}
rmSync(join(ROOT, "out"), { recursive: true, force: true });
