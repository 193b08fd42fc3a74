/** `--solver`, and what results, resumed runs and `cobre info` tell about solvers. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import { decodePolicy } from "@cobre/sddp";
import { type LpSolver, loadSolver } from "@cobre/solver";
import type { SolversInfo } from "@cobre/solver/info";
import { needs } from "@cobre/testing/needs";
import { COBRE, CobreProcess, type Finished } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-solvers-"));
after(() => rmSync(folder, { recursive: true }));
const source = copyExample("one-reservoir", join(folder, "case"), { iterations: 3, scenarios: 2 });
const longer = copyExample("one-reservoir", join(folder, "more"), { iterations: 5, scenarios: 2 });
const native = await loadSolver("highs-native").catch(() => undefined);

function isHere(t: TestContext, solver: LpSolver | undefined): solver is LpSolver {
  return needs(t, solver !== undefined, "highs-native (pip install highspy)");
}

async function cobre(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const process = CobreProcess.start(args, { env });
  const finished = await process.finished;
  assert.deepEqual(process.marked(), [], "processes are left behind");
  return finished;
}

async function ran(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cobre(args);
  assert.equal(code, 0, stderr);
  return stdout;
}

function metadata(output: string, part = "training"): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(output, part, "metadata.json"), "utf8"));
}

describe("cobre run --solver", () => {
  it("highs-native is named by the log, the results and the policy, on one rank and on two", async (t) => {
    if (!isHere(t, native)) return;
    const hashes: unknown[] = [];
    for (const ranks of [[], ["-n", "2"]]) {
      const output = join(folder, `native-${ranks.length}`);
      const stdout = await ran(["run", source, "-s", "highs-native", "-o", output, ...ranks]);
      assert.match(stdout, new RegExp(`^running .*, highs-native ${native.version}$`, "m"));
      for (const part of ["training", "simulation"]) {
        const { solver, solver_version, solver_fingerprint, solver_library } = metadata(
          output,
          part,
        );
        assert.deepEqual(
          [solver, solver_version, solver_fingerprint, solver_library],
          ["highs-native", native.version, native.fingerprint, native.library],
        );
      }
      const file = join(output, "policy/policy.bin");
      const { origin } = decodePolicy(readFileSync(file), file);
      assert.equal(origin.solverFingerprint, native.fingerprint);
      hashes.push([metadata(output).hashes, metadata(output, "simulation").hash]);
    }
    assert.deepEqual(hashes[1], hashes[0]);
  });

  it("auto is the native one, and highs the one in WebAssembly", async (t) => {
    if (!isHere(t, native)) return;
    for (const [choice, name] of [
      ["auto", "highs-native"],
      ["highs", "highs-wasm"],
    ] as const) {
      const output = join(folder, choice);
      const stdout = await ran(["run", source, "--solver", choice, "-o", output]);
      assert.match(stdout, new RegExp(`^running .*, ${name} `, "m"));
      assert.equal(metadata(output).solver, name);
    }
    assert.equal(metadata(join(folder, "highs")).solver_library, null);
  });

  it("explains once why a library that was named cannot be used", async () => {
    const env = { COBRE_HIGHS_LIBRARY: "/does/not/exist.so" };
    for (const solver of ["highs-native", "auto"]) {
      const args = ["run", source, "-s", solver, "-o", join(folder, "none"), "-n", "2"];
      const { code, stdout, stderr } = await cobre(args, env);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /^cobre: highs-native: the named library cannot be used:\n {2}\/does/);
      assert.equal(stderr.match(/no such library/g)?.length, 1, stderr);
    }
  });

  it("refuses ranks with different solvers, and names them once", async (t) => {
    if (!isHere(t, native)) return;
    const output = join(folder, "different");
    const script = `case $COBRE_LAUNCH_RANK in 1) s=highs-native;; *) s=highs-wasm;; esac
      exec "${process.execPath}" "${COBRE}" run "${source}" -s $s -o "${output}"`;
    const { code, stderr } = await cobre(["launch", "-n", "3", "--", "sh", "-c", script]);
    assert.notEqual(code, 0);
    assert.match(stderr, /ranks 0, 2: highs \S+ wasm sha256 \w+ simplex 1$/m);
    assert.match(stderr, /rank 1: highs \S+ native \w+ \w+ sha256 \w+ simplex 1$/m);
    assert.equal(stderr.match(/all ranks need the same solver/g)?.length, 1, stderr);
  });

  it("resumes with another solver only if that is allowed", async (t) => {
    if (!isHere(t, native)) return;
    const output = join(folder, "resumed");
    await ran(["run", source, "-o", output]);
    const resume = ["run", longer, "-o", output, "--resume", "-s", "highs-native"];
    const { code, stderr } = await cobre(resume);
    assert.equal(code, 4, stderr);
    assert.match(stderr, /the bits would differ; use the same solver, allow another one/);
    assert.equal(metadata(output).solver, "highs-wasm");
    await ran([...resume, "--allow-other-solver", "-n", "2"]);
    const file = join(output, "policy/policy.bin");
    const { iteration, origin } = decodePolicy(readFileSync(file), file);
    assert.equal(iteration, 5);
    assert.equal(origin.solverFingerprint, native.fingerprint);
    assert.match(origin.earlierSolvers?.join() ?? "", /^highs \S+ wasm sha256 \w+ simplex 1$/);
  });
});

describe("cobre info", () => {
  it("lists the solvers and the native libraries of HiGHS", async (t) => {
    if (!isHere(t, native)) return;
    const text = await ran(["info"]);
    assert.match(text, /^Solvers\n {2}highs-wasm +\d\S+ +\S.*\n {2}highs-native +\d\S+ +\S/m);
    const library = `^Native HiGHS libraries\n {2}${native.version} +${native.library} `;
    assert.match(text, new RegExp(library, "m"));
    const info: SolversInfo = JSON.parse(await ran(["info", "--json"]));
    assert.equal(info.auto, "highs-native");
    assert.deepEqual(
      info.solvers.map(({ name }) => name),
      ["highs-wasm", "highs-native", "clp"],
    );
    assert.equal(info.highsLibraries[0]?.file, native.library);
  });

  it("succeeds whatever COBRE_HIGHS_LIBRARY names, and says what is wrong with it", async () => {
    const env = { COBRE_HIGHS_LIBRARY: "/does/not/exist.so" };
    const { code, stdout } = await cobre(["info"], env);
    assert.equal(code, 0);
    const what =
      /^ {2}- +\/does\/not\/exist\.so \(COBRE_HIGHS_LIBRARY\)\n +cannot be used: there is/m;
    assert.match(stdout, what);
    assert.match(stdout, /^ {2}highs-native +not usable/m);
  });
});
