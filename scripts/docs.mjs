// `npm run docs`: builds the documentation site in out/docs from docs/, the READMEs, the help of the command, the
// declarations of the packages and runs of the examples. Fails if a link or an anchor leads nowhere.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare, ROOT } from "./prepare.mjs";

const SITE = join(ROOT, "out/docs");
/** Opens the pages in a Chromium, too. */
const LOOK = "--look";

/** Builds and checks the site in a process of its own, as a part of the tests. */
export async function testDocsAside() {
  const child = fork(fileURLToPath(import.meta.url), [LOOK], { silent: true });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => output.push(chunk));
  }
  let outcome = { failed: ["Docs: the site could not be built"], notRun: [] };
  child.on("message", (message) => {
    outcome = message;
  });
  await once(child, "close");
  process.stdout.write(Buffer.concat(output));
  return outcome;
}

/** Returns what failed, and why something could not be run. */
async function docs() {
  // What is built is imported only now, since it may not have been there before.
  const { loadTools } = await import("./docs/tools.mjs");
  const { tools, reason } = await loadTools();
  if (tools === undefined) return { failed: [], notRun: [`the documentation site: ${reason}`] };
  const { buildSite } = await import("./docs/site.mjs");
  const { faultsOf } = await import("./docs/check.mjs");
  const pages = buildSite(SITE, tools);
  const faults = faultsOf(SITE);
  console.log(`Docs: ${pages.length} pages in ${join(SITE, "index.html")}`);
  const seen = process.argv.includes(LOOK) ? await look() : { failed: [], notRun: [] };
  const failed = [...faults, ...seen.failed].map((fault) => `Docs: ${fault}`);
  return { failed, notRun: seen.notRun };
}

async function look() {
  const { lookAt } = await import("./docs/browser.mjs");
  try {
    return await lookAt(SITE);
  } catch (error) {
    return { failed: [error.message], notRun: [] };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await prepare();
  const { failed, notRun } = await docs();
  process.send?.({ failed, notRun });
  for (const line of notRun) console.log(`Not run: ${line}`);
  for (const line of failed) console.error(line);
  process.exitCode = failed.length + notRun.length === 0 ? 0 : 1;
}
