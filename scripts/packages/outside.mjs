/** Runs programs as if nobody had started them from this clone. */
import { spawnSync } from "node:child_process";

/** npm tells its scripts which project they belong to and what it was asked; a job tells its ranks. Neither holds here. */
const INHERITED = /^(npm_|INIT_CWD$|COBRE_)/i;
/** How to reach a registry is the machine's affair and stays. */
const KEPT = /^npm_config_(registry|cache|userconfig|globalconfig|cafile|strict_ssl|.*proxy)$/i;

/** Runs a program in a folder. `output` is what it printed, stdout first; `stdout` is that alone. */
export function tryToRun(file, args, cwd) {
  const kept = Object.entries(process.env).filter(
    ([name]) => KEPT.test(name) || !INHERITED.test(name),
  );
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    cwd,
    env: Object.fromEntries(kept),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  const output = error === undefined ? `${stdout}${stderr}` : error.message;
  return { isFine: status === 0, stdout: stdout ?? "", output };
}

/** The same, and throws what it printed if it fails. Returns stdout. */
export function run(file, args, cwd) {
  const { isFine, stdout, output } = tryToRun(file, args, cwd);
  if (!isFine) throw new Error(`${[file, ...args].join(" ")}\n${output}`);
  return stdout;
}
