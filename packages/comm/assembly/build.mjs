// Compiles the WebAssembly kernels and writes them as a module, so that the build needs no binary file and
// a bundler has nothing to copy. Run by `npm run build`.
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../src/kernel/module.ts");

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

const source = `// Made from assembly/*.ts by assembly/build.mjs; not to be edited.
export const KERNEL_MODULE_BASE64 =
  "${Buffer.from(binary).toString("base64")}";
`;
const previous = await readFile(target, "utf8").catch(() => "");
if (previous !== source) await writeFile(target, source);
