// `npm run bench`: prepares the clone, installs the peers if that is allowed, and measures.
// Everything after `--` goes to packages/bench; `npm run bench -- --help` lists the options.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { prepare, ROOT } from "./prepare.mjs";
import { BENCH_PEER_PACKAGES, ensurePackages } from "./system-packages.mjs";

const words = process.argv.slice(2);

await prepare();
if (!words.some((word) => ["--no-peers", "--help", "-h", "cobre-rs"].includes(word)))
  installPeers();

const main = join(ROOT, "packages/bench/dist/main.js");
const { status } = spawnSync(process.execPath, [main, ...words], { stdio: "inherit" });
process.exit(status ?? 1);

function installPeers() {
  const log = (line) => console.error(`bench: ${line}`);
  const { missing, reason, command } = ensurePackages(BENCH_PEER_PACKAGES, { log });
  if (missing.length === 0) return;
  log(`${missing.join(", ")} missing: ${reason}`);
  log(`to measure all peers: ${command}`);
}
