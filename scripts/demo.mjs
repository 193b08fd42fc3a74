// `npm run demo`: in a bare clone, from nothing to ranks that compute together. Runs the README's
// example on one process and on several, and compares the bits of what they found.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { prepare, ROOT } from "./prepare.mjs";

await prepare();

const EXAMPLE = "examples/pi.mjs";
const RUNS = [
  { ranks: 1, backend: "local" },
  { ranks: 2, backend: "shm" },
  { ranks: 4, backend: "shm" },
];

console.log("\nThe same program, on more and more processes:\n");
const found = new Set();
for (const { ranks, backend } of RUNS) {
  const args = ["launch", "-n", String(ranks), "--backend", backend, "--", "node", EXAMPLE];
  console.log(`$ npx cobre ${args.join(" ")}`);
  const started = performance.now();
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(ROOT, "packages/cli/bin/cobre.js"), ...args],
    { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  process.stdout.write(`${stdout.trimEnd()}   (${seconds} s)\n\n`);
  const value = /π = (\S+)/.exec(stdout)?.[1];
  if (status !== 0 || value === undefined) {
    console.error("The example failed.");
    process.exit(1);
  }
  // JavaScript prints the shortest text that reads back as the same number: same text, same bits.
  found.add(value);
}

if (found.size !== 1) {
  console.error(`The results differ: ${[...found].join(", ")}`);
  process.exit(1);
}
console.log("The same bits every time.");
console.log(`The program is ${EXAMPLE}. What this machine can run: npx cobre info`);
