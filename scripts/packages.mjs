// What somebody gets who installs our packages: packs them all, installs the tarballs in an empty project, and uses them there as a stranger
// would. `node scripts/packages.mjs` runs it alone.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleLocalOnly, bundleSharedMemory } from "./packages/bundles.mjs";
import { checkCommand } from "./packages/command.mjs";
import { checkContents, checkInnerDoor, checkManifests } from "./packages/contents.mjs";
import { checkPrograms } from "./packages/programs.mjs";
import { makeProject, pack } from "./packages/project.mjs";
import { ensureTools } from "./packages/tools.mjs";
import { prepare, ROOT } from "./prepare.mjs";

/** Runs the checks in a process of their own, so that other tests can go on; what they print is shown when they have ended. */
export async function testPackagesAside() {
  const child = fork(fileURLToPath(import.meta.url), { silent: true });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => output.push(chunk));
  }
  let outcome = { failed: ["Packages: they could not be tested"], skipped: [] };
  child.on("message", (message) => {
    outcome = message;
  });
  await once(child, "close");
  process.stdout.write(Buffer.concat(output));
  return outcome;
}

/** Returns what failed, and why something could not be run. */
function testPackages() {
  const failed = [];
  const { tools, reason } = ensureTools();
  if (tools === undefined) return { failed, skipped: [{ reason, name: "tests of the packages" }] };
  const folder = mkdtempSync(join(tmpdir(), "cobre-packages-"));
  /** Runs a check, which throws if something is wrong and may return what is worth knowing. */
  const step = (name, check) => {
    try {
      const told = check();
      console.log(`Packages: ${name}${told === undefined ? "" : `: ${told}`}`);
      return true;
    } catch (error) {
      console.log(`Packages: ${name}: FAILED\n${error.message}`);
      failed.push(`Packages: ${name}: ${error.message}`);
      return false;
    }
  };
  try {
    console.log("");
    const packages = publishedPackages();
    const tarballs = join(folder, "tarballs");
    const project = join(folder, "project");
    mkdirSync(tarballs);
    mkdirSync(project);
    const isInstalled =
      step("pack", () => pack(packages, tarballs)) &&
      step("install in an empty project", () => makeProject(project, packages, tarballs));
    if (!isInstalled) return { failed, skipped: [] };
    step("contents", () => checkContents(packages, project));
    step("publint and are-the-types-wrong", () => checkManifests(packages, tarballs, tools));
    step("the inner door is closed", () => checkInnerDoor(packages, project));
    step("programs of the READMEs", () => checkPrograms(packages, project, tools));
    step("npx cobre", () => checkCommand(project));
    step("a bundle of communicatorFactory([])", () => bundleLocalOnly(project, folder, tools));
    step("a bundle of communicatorFactory([shm])", () => bundleSharedMemory(project, tools));
    return { failed, skipped: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The manifests of all packages that are not private. */
function publishedPackages() {
  return readdirSync(join(ROOT, "packages"))
    .map((name) => join(ROOT, "packages", name, "package.json"))
    .map((file) => JSON.parse(readFileSync(file, "utf8")))
    .filter((manifest) => !manifest.private);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await prepare();
  const { failed, skipped } = testPackages();
  process.send?.({ failed, skipped });
  for (const { reason, name } of skipped) console.log(`Not run: ${name}: ${reason}`);
  const isComplete = skipped.length === 0 || process.env.CI !== "true";
  process.exitCode = failed.length === 0 && isComplete ? 0 : 1;
}
