/**
 * TypeScript programs in the project: those of the READMEs, which must print what the READMEs say, and one each for what must be importable and
 * what must not be.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { run } from "./outside.mjs";

/** No DOM, every check on, and the declarations of all packages checked as well. */
const STRICT = {
  target: "ES2022",
  lib: ["ES2022"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  rootDir: "programs",
  outDir: "built",
};
const RESOLUTIONS = [
  { module: "ESNext", moduleResolution: "Bundler" },
  { module: "NodeNext", moduleResolution: "NodeNext" }, // last: what it builds is what runs
];

/** Each line marked must be an error, or the compiler complains of the mark. */
const FORBIDDEN = `import { communicatorFactory } from "@cobre/comm";
// @ts-expect-error the inner door
export * as inner from "@cobre/comm/internal";
import { shm } from "@cobre/comm/shm";

const createCommunicator = communicatorFactory([shm]);
export const comm = await createCommunicator({ kind: "local" });
// @ts-expect-error this build knows shm and local
export const other = () => createCommunicator({ kind: "tcp" });
// @ts-expect-error regions are made by createSharedRegion alone
export { ArrayRegion } from "@cobre/comm";
// @ts-expect-error this is not a browser
export const page = () => document.body;
`;

/** Compiles all programs with each compiler and resolution, then runs those of the READMEs. */
export function checkPrograms(packages, project, { compilers }) {
  const folder = join(project, "programs");
  mkdirSync(folder);
  const write = (name, text) => writeFileSync(join(folder, `${name}.ts`), text);
  write("everything", importAll(packages));
  write("forbidden", FORBIDDEN);
  const programs = packages.flatMap(({ name }) => readmePrograms(name, project));
  for (const { name, text } of programs) write(name, text);

  for (const [i, compiler] of compilers.entries()) {
    for (const [j, resolution] of RESOLUTIONS.entries()) {
      const compilerOptions = { ...STRICT, ...resolution };
      const config = join(project, `tsconfig.${i}${j}.json`);
      writeFileSync(config, JSON.stringify({ compilerOptions, include: ["programs"] }));
      run(process.execPath, [compiler, "--project", config], project);
    }
  }
  const wrong = programs.flatMap(({ name, printed }) => {
    const told = run(process.execPath, [join("built", `${name}.js`)], project);
    return told === printed ? [] : [`${name} printed\n${told}and its README says\n${printed}`];
  });
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  const versions = compilers.map((compiler) =>
    run(process.execPath, [compiler, "--version"], project),
  );
  return `${programs.length} run as they say; types hold with ${versions.map((text) => text.trim().replace("Version", "TypeScript")).join(" and ")}`;
}

/** A module that imports every subpath of every package. */
function importAll(packages) {
  const paths = packages.flatMap(({ name, exports }) =>
    Object.keys(exports).map((path) => name + path.slice(1)),
  );
  return paths.map((path, i) => `export * as part${i} from "${path}";\n`).join("");
}

/** The programs of a README, each with what it prints. */
function readmePrograms(name, project) {
  const readme = readFileSync(join(project, "node_modules", name, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```\n\n```text\n(.*?)^```$/gms)];
  if (blocks.length === 0) throw new Error(`the README of ${name} has no program`);
  return blocks.map(([, text, printed], i) => ({
    name: `${basename(name)}-${i + 1}`,
    text,
    printed,
  }));
}
