// Compiles the WebAssembly kernels and writes them as a module, so that the build needs no binary
// file and a bundler has nothing to copy. `npm run build` runs this. It does nothing if the module
// is up to date.
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../src/kernel/module.ts");

const origin = await hashOrigin();
const previous = await readFile(target, "utf8").catch(() => "");
if (previous.includes(origin)) process.exit();

const { default: asc } = await import("assemblyscript/asc");
let binary;
const { error, stderr } = await asc.main(
  [
    "fold.ts",
    "steps.ts",
    "--baseDir",
    here,
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

const source = `// Generated from assembly/*.ts by assembly/build.mjs. Do not edit.
// ${origin}
export const KERNEL_MODULE_BASE64 =
  "${Buffer.from(binary).toString("base64")}";
`;
await writeFile(target, source);

/** Changes with everything that determines the module: the sources, this script, the compiler. */
async function hashOrigin() {
  const hash = createHash("sha256");
  const names = await readdir(here);
  for (const name of names.sort()) hash.update(name).update(await readFile(join(here, name)));
  const compiler = createRequire(import.meta.url).resolve("assemblyscript/package.json");
  return hash.update(JSON.parse(await readFile(compiler, "utf8")).version).digest("hex");
}
