/** What the tests of the packages need and nothing else does: installed on demand, so that `npm ci` stays short. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../prepare.mjs";
import { tryToRun } from "./outside.mjs";

/** Exact versions, for repeatability. */
const VERSIONS = {
  publint: "0.3.25",
  "@arethetypeswrong/cli": "0.18.5",
  esbuild: "0.28.2",
  // The oldest compiler that our types promise to work with; under another name, since attw brings a compiler of its own.
  "oldest-typescript": "npm:typescript@5.6.3",
};

/** The paths of the tools, or why there are none. */
export function ensureTools() {
  const wanted = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  const folder = join(
    ROOT,
    "out",
    `package-tools-${Object.values(VERSIONS).join("-")}`.replaceAll(/[:@]/g, "-"),
  );
  const complete = join(folder, "complete");
  if (!existsSync(complete)) {
    console.log(`\nPackages: installing ${wanted.join(", ")} …`);
    mkdirSync(folder, { recursive: true });
    const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    const { isFine, output } = tryToRun("npm", [...args, "--prefix", folder, ...wanted], folder);
    if (!isFine) {
      console.log(output);
      return { reason: `${wanted.join(", ")} could not be installed` };
    }
    mkdirSync(complete);
  }
  const modules = join(folder, "node_modules");
  const tools = {
    publint: join(modules, ".bin/publint"),
    attw: join(modules, ".bin/attw"),
    esbuild: join(modules, ".bin/esbuild"),
    compilers: [
      join(modules, "oldest-typescript/bin/tsc"),
      join(ROOT, "node_modules/typescript/bin/tsc"),
    ],
  };
  return { tools };
}
