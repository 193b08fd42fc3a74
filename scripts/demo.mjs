// `npm run demo`: in a bare clone, from nothing to a trained policy. Trains the four-region example on
// several processes and on one, and compares every bit of what they found.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { prepare, ROOT } from "./prepare.mjs";

await prepare();

const CASE = "examples/cases/four-regions";
const RUNS = [
  { output: "out/demo-shm", args: ["-n", "2", "--backend", "shm"] },
  { output: "out/demo-local", args: ["--backend", "local"] },
];

for (const { output, args } of RUNS) {
  rmSync(join(ROOT, output), { recursive: true, force: true });
  cobre("run", CASE, ...args, "--output", output);
}
cobre("compare", ...RUNS.map(({ output }) => output));
console.log(`\nWhat was found: npx cobre report ${RUNS[0].output}`);
console.log("What this machine can run: npx cobre info");

function cobre(...args) {
  console.log(`\n$ npx cobre ${args.join(" ")}`);
  const command = [join(ROOT, "packages/cli/bin/cobre.js"), ...args];
  const { status } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: "inherit" });
  if (status === 0) return;
  console.error("The demo failed.");
  process.exit(1);
}
