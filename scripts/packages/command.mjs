/** The command, in a folder that is no clone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "./outside.mjs";

const CASE = "cases/sddp-tutorial";

export function checkCommand(project) {
  const npx = (...args) => run("npx", ["--no-install", ...args], project);
  const found = npx("--call", "command -v cobre").trim();
  if (found !== join(project, "node_modules/.bin/cobre")) throw new Error(`npx runs ${found}`);
  npx("cobre", "init", "made", "--template", "one-reservoir");
  npx("cobre", "validate", "made");
  npx("cobre", "validate", CASE);
  npx("cobre", "run", CASE, "-n", "2", "--backend", "shm", "--output", "two");
  npx("cobre", "run", CASE, "--backend", "local", "--output", "one");
  npx("cobre", "compare", "one", "two");
  const report = npx("cobre", "report", "two");
  if (!/^ {2}lower bound /m.test(report)) throw new Error(`the report is ${report}`);
  // search_docs of `cobre mcp` needs the pages.
  const page = join(project, "node_modules/@cobre/mcp/docs/outputs.md");
  if (!existsSync(page)) throw new Error(`${page} is missing`);
  const launched = npx(
    "cobre",
    "launch",
    "-n",
    "2",
    "--backend",
    "shm",
    "--",
    "node",
    "built/comm-1.js",
  );
  if (!launched.includes("2 × shm: the sum is 3")) throw new Error(`two ranks print ${launched}`);
  return "a case has the same bits on one process and on two";
}
