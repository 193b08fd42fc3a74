/** What is not imported is not in the build. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { run } from "./outside.mjs";

/** A program over a factory that knows these backends. */
const programWith = (backends) => `import { communicatorFactory } from "@cobre/comm";
${backends.map((name) => `import { ${name} } from "@cobre/comm/${name}";`).join("\n")}
const createCommunicator = communicatorFactory([${backends.join(", ")}]);
const comm = await createCommunicator();
const sum = new Float64Array(1);
comm.allreduce(Float64Array.of(comm.rank + 1), sum, "sum");
console.log(\`\${comm.size} × \${comm.backend}: \${sum[0]}\`);
comm.close();
`;

/** Without backends: no backend, no koffi, and it runs where nothing is installed. */
export function bundleLocalOnly(project, folder, tools) {
  const { file, bytes, sources, imports } = bundle("local-only", programWith([]), project, tools);
  expectNone(sources, /koffi|\/dist\/(shm|tcp|mpi)\//);
  expectNone(imports, { test: (name) => !isBuiltin(name) });
  if (/koffi/.test(readFileSync(file, "utf8"))) throw new Error("it speaks of koffi");
  const bare = join(folder, "bare");
  mkdirSync(bare);
  copyFileSync(file, join(bare, "program.mjs"));
  expectPrinted(run(process.execPath, ["program.mjs"], bare), "1 × local: 1\n");
  return `${bytes} bytes, without koffi; runs in an empty folder`;
}

/** With one backend: that one and no other. koffi stays outside, since it has a native library. */
export function bundleSharedMemory(project, tools) {
  const program = programWith(["shm"]);
  const { file, bytes, sources, imports } = bundle("shm-only", program, project, tools);
  expectNone(sources, /\/dist\/(tcp|mpi)\//);
  expectNone(imports, { test: (name) => !isBuiltin(name) && name !== "koffi" });
  if (!sources.some((path) => path.includes("/dist/shm/"))) throw new Error("it has no shm");
  const launch = ["--no-install", "cobre", "launch", "-n", "2", "--backend", "shm"];
  const printed = run("npx", [...launch, "--", process.execPath, file], project);
  expectPrinted(printed.split("\n").sort().join("\n"), "\n[0] 2 × shm: 3\n[1] 2 × shm: 3");
  return `${bytes} bytes, without tcp and mpi; two ranks of it meet`;
}

/** Bundles a program in the project. Returns the file, its size, the sources that are in it and what it still imports. */
function bundle(name, program, project, { esbuild }) {
  const entry = join(project, `${name}.mjs`);
  const file = join(project, "bundles", `${name}.mjs`);
  const meta = join(project, `${name}.json`);
  writeFileSync(entry, program);
  const options = ["--platform=node", "--format=esm", "--target=node20", "--external:koffi"];
  const output = [`--metafile=${meta}`, `--outfile=${file}`, "--log-level=warning"];
  run(esbuild, [entry, "--bundle", "--minify", ...options, ...output], project);
  const [made] = Object.values(JSON.parse(readFileSync(meta, "utf8")).outputs);
  const used = Object.entries(made.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return {
    file,
    bytes: made.bytes,
    sources: used.map(([path]) => path),
    imports: made.imports.map(({ path }) => path),
  };
}

function isBuiltin(name) {
  return builtinModules.includes(name.replace(/^node:/, ""));
}

function expectNone(names, unwanted) {
  const found = names.filter((name) => unwanted.test(name));
  if (found.length === 0) return;
  throw new Error(
    `${found.length} things too many in the bundle: ${found.slice(0, 5).join(", ")} …`,
  );
}

function expectPrinted(printed, expected) {
  if (printed !== expected) throw new Error(`it printed\n${printed}and not\n${expected}`);
}
