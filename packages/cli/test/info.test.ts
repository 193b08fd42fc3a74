import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Info } from "@cobre/comm/info";
import { canMount } from "@cobre/testing/needs";

const COBRE = fileURLToPath(new URL("../bin/cobre.js", import.meta.url));

function runInfo(args: string[], env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COBRE, "info", ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  return stdout;
}

/** Runs a shell command where `/dev/shm` is a file system of its own, of 64 MiB as in Docker. */
function spawnWithSmallSharedMemory(command: string[]) {
  const mount = 'mount -t tmpfs -o size=64m tmpfs /dev/shm && exec "$@"';
  const args = ["--map-root-user", "--mount", "sh", "-c", mount, "sh", ...command];
  return spawnSync("unshare", args, { encoding: "utf8" });
}

describe("cobre info", () => {
  it("prints sections of aligned lines", () => {
    const text = runInfo([]);
    assert.match(text, /^cobre \d+\.\d+\.\d+\n {2}Node\.js +v\d+/);
    for (const title of ["Backends", "MPI libraries", "MPI launchers", "Launch variables"]) {
      assert.match(text, new RegExp(`^${title}\n {2}\\S`, "m"));
    }
    assert.match(text, /^ {2}local +usable +\S/m);
  });

  it("prints JSON with --json", () => {
    const info = JSON.parse(runInfo(["--json"])) as Info;
    assert.equal(info.machine.node, process.version);
    assert.ok(info.backends.some(({ name, usable }) => name === "local" && usable));
  });

  it("warns of a container's small /dev/shm", (t) => {
    if (!canMount(t)) return;
    const { stdout } = spawnWithSmallSharedMemory([process.execPath, COBRE, "info"]);
    assert.match(stdout, /^ {2}\/dev\/shm +64 MiB free of 64 MiB\n +warning: .*--shm-size/m);
  });

  it("hides the token and keeps control characters from the terminal", () => {
    const env = { COBRE_TCP_TOKEN: "open sesame", COBRE_SHM_NAME: "a\u001b[31m\nb" };
    const text = runInfo([], env);
    assert.match(text, /^ {2}COBRE_TCP_TOKEN +\(set, not shown\)$/m);
    assert.match(text, /^ {2}COBRE_SHM_NAME +a\\x1b\[31m\\x0ab$/m);
    for (const output of [text, runInfo(["--json"], env)]) assert.doesNotMatch(output, /sesame/);
  });

  it("succeeds whatever COBRE_MPI_LIBRARY names, and says what is wrong with it", () => {
    const text = runInfo([], { COBRE_MPI_LIBRARY: "/does/not/exist.so" });
    assert.match(text, /^ {2}- +\/does\/not\/exist\.so \(COBRE_MPI_LIBRARY\)\n +cannot be used: /m);
  });

  it("works without koffi and says so", () => {
    const hook = `export function resolve(specifier, context, next) {
      if (specifier === "koffi") throw new Error("no build for this platform");
      return next(specifier, context);
    }`;
    const register = `import { register } from "node:module";
      register("data:text/javascript,${encodeURIComponent(hook)}");`;
    // Later releases deprecate register(); its successor is not in Node.js 20.
    const NODE_OPTIONS = `--no-deprecation --import=data:text/javascript,${encodeURIComponent(register)}`;
    const info = JSON.parse(runInfo(["--json"], { NODE_OPTIONS })) as Info;
    assert.equal(info.foreignFunctions.usable, false);
    assert.match(info.foreignFunctions.details, /koffi.*no build for this platform/);
    assert.match(runInfo([], { NODE_OPTIONS }), /MPI libraries\n {2}unknown without FFI/);
  });
});
