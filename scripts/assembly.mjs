// Compiles the WebAssembly kernels of the packages and writes each package's as a module, so that the build needs no binary file and a
// bundler has nothing to copy. `npm run build` runs this. What is up to date is not made again.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./prepare.mjs";

for (const name of readdirSync(join(ROOT, "packages"))) {
  const home = join(ROOT, "packages", name);
  if (existsSync(join(home, "assembly"))) await compile(home);
}

/** Compiles `assembly/` of a package to its `src/kernel/module.ts`. */
async function compile(home) {
  const folder = join(home, "assembly");
  const target = join(home, "src/kernel/module.ts");
  const files = readdirSync(folder).sort();
  const origin = hashOrigin(files.map((file) => join(folder, file)));
  if (existsSync(target) && readFileSync(target, "utf8").includes(origin)) return;
  const { default: asc } = await import("assemblyscript/asc");
  let binary;
  const { error, stderr } = await asc.main(
    [
      ...files,
      "--baseDir",
      folder,
      "--outFile",
      "kernel.wasm",
      "--importMemory",
      "--runtime",
      "stub",
      "--noAssert",
      "--enable",
      "simd",
      "--enable",
      "threads", // atomic accesses; the memory itself is not declared shared
      "-O3",
    ],
    {
      writeFile(_name, contents) {
        binary = contents;
      },
    },
  );
  if (error) {
    console.error(stderr.toString());
    throw error;
  }
  writeFileSync(
    target,
    `// Generated from assembly/*.ts by scripts/assembly.mjs. Do not edit.
// ${origin}
export const KERNEL_MODULE_BASE64 =
  "${Buffer.from(binary).toString("base64")}";
`,
  );
}

/** Changes with everything that determines the module: the sources, this script, the compiler. */
function hashOrigin(sources) {
  const hash = createHash("sha256");
  for (const file of [...sources, fileURLToPath(import.meta.url)]) {
    hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  }
  const compiler = createRequire(import.meta.url).resolve("assemblyscript/package.json");
  return hash.update(JSON.parse(readFileSync(compiler, "utf8")).version).digest("hex");
}
