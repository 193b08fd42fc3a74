// `npm run demo`: from a bare clone to a trained policy. Trains the four-regions example in
// two processes and in one, and compares every bit of the results.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { prepare, ROOT } from "./prepare.mjs";

await prepare();

const CASE = "examples/cases/four-regions";
const RUNS = [
  { output: "out/demo-shm", args: ["-n", "2", "--backend", "shm", "--report"] },
  { output: "out/demo-local", args: ["--backend", "local"] },
];

for (const { output, args } of RUNS) {
  rmSync(join(ROOT, output), { recursive: true, force: true });
  cobre("run", CASE, ...args, "--output", output);
}
cobre("compare", ...RUNS.map(({ output }) => output));
console.log("\nTo see what this machine can run: npx cobre info");
console.log(`The results in words: npx cobre report ${RUNS[0].output}`);
console.log(`The results to look at, in any browser: ${join(ROOT, RUNS[0].output, "report.html")}`);

function cobre(...args) {
  console.log(`\n$ npx cobre ${args.join(" ")}`);
  const command = [join(ROOT, "packages/cli/bin/cobre.js"), ...args];
  const { status } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: "inherit" });
  if (status === 0) return;
  console.error("The demo failed.");
  process.exit(1);
}
