import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type LinearProgram, loadSolver, SolverError } from "@cobre/solver";
import { needs } from "@cobre/testing/needs";
import { checkedVersion, loadHighsNativeSolver } from "#internal";
import { DISPATCH, largeDispatch } from "./programs.js";
import { nativeHere } from "./solvers.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-highs-"));
after(() => rmSync(folder, { recursive: true }));

type Call = (...args: number[]) => number;
const callsOf = (lp: LinearProgram) =>
  (lp as unknown as { library: { call: Record<string, Call> } }).library.call;

/** Runs a test with other variables in the environment of this process; `undefined` removes one. */
async function withVariables(
  variables: Readonly<Record<string, string | undefined>>,
  test: () => Promise<void>,
): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  const set = ([name, value]: readonly [string, string | undefined]) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  Object.entries(variables).forEach(set);
  try {
    await test();
  } finally {
    before.forEach(set);
  }
}

/**
 * What a program prints that has these variables alone. It has a process of its own: the dynamic loader would find a library by its name that is
 * loaded already.
 */
function printedBy(script: string, env: Readonly<Record<string, string>> = {}): string {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { HOME: folder, PATH: folder, ...env },
    encoding: "utf8",
  });
  return stdout + stderr;
}

describe("a native HiGHS that is installed", () => {
  it("tells its version, its file and its hash", async (t) => {
    const native = await nativeHere(t);
    if (native === undefined) return;
    assert.equal(native.name, "highs-native");
    assert.match(native.version, /^1\.\d+\.\d+$/);
    assert.match(native.library ?? "", /libhighs/);
    const [name, version, ...rest] = native.fingerprint.split(" ");
    assert.deepEqual([name, version, rest[0]], ["highs", native.version, "native"]);
    assert.match(native.fingerprint, new RegExp(`${process.arch} sha256 [0-9a-f]{64}$`));
  });

  it("is loaded once, and chosen by auto", async (t) => {
    const native = await nativeHere(t);
    if (native === undefined) return;
    const chosen = await loadSolver("auto");
    assert.equal(chosen.library, native.library);
    assert.equal(await loadSolver("highs-native"), chosen);
    assert.equal(await loadSolver("auto"), chosen);
  });

  it("is found by its name, and known by its file", async (t) => {
    const native = await nativeHere(t);
    if (native === undefined) return;
    const script = `import { loadSolver } from "@cobre/solver";
      console.log((await loadSolver("auto")).library);`;
    const printed = printedBy(script, { LD_LIBRARY_PATH: dirname(native.library ?? "") });
    assert.equal(printed, `${native.library}\n`);
  });

  it("is not what highs means", async () => {
    assert.equal((await loadSolver("highs")).name, "highs-wasm");
    assert.equal(await loadSolver("highs"), await loadSolver("highs-wasm"));
    assert.equal(await loadSolver(), await loadSolver("highs-wasm"));
  });

  it("takes every setting of every attempt", async (t) => {
    const native = await nativeHere(t);
    if (native === undefined) return;
    const call = callsOf(native.create(DISPATCH));
    const originals = { ...call };
    const statuses: number[] = [];
    for (const kind of ["Bool", "Int", "Double", "String"]) {
      const name = `_Highs_set${kind}OptionValue`;
      const original = originals[name] as Call;
      call[name] = (...args) => {
        const status = original(...args);
        statuses.push(status);
        return status;
      };
    }
    try {
      using lp = native.create(largeDispatch(10, 30, 5), { edgeWeights: "devex" });
      const ladder = lp as unknown as { rungs: number; attempt(rung: number): string };
      for (let rung = 0; rung < ladder.rungs; rung++) {
        assert.equal(ladder.attempt(rung), "optimal");
      }
    } finally {
      Object.assign(call, originals);
    }
    assert.ok(statuses.length > 25, `${statuses.length} settings`);
    assert.deepEqual([...new Set(statuses)], [0]);
  });

  it("gives back the memory of closed programs", async (t) => {
    const native = await nativeHere(t);
    if (native === undefined) return;
    const call = callsOf(native.create(DISPATCH));
    const { _malloc: malloc, _free: free } = call as { _malloc: Call; _free: Call };
    const open = new Set<number>();
    call._malloc = (bytes) => {
      const address = malloc(bytes as number);
      open.add(address);
      return address;
    };
    call._free = (address) => {
      open.delete(address as number);
      return free(address as number);
    };
    try {
      const lp = native.create(largeDispatch(10, 30, 5));
      assert.equal(lp.solve(), "optimal");
      lp.close();
      assert.equal(open.size, 0);
      call._malloc = () => 0;
      const message = /^highs-native: no memory for \d+ more bytes: the arrays shared with HiGHS/;
      assert.throws(() => native.create(DISPATCH), { kind: "SolverCrashed", message });
    } finally {
      Object.assign(call, { _malloc: malloc, _free: free });
    }
  });

  it("says what it refuses by its own name", async (t) => {
    const native = await nativeHere(t);
    if (native === undefined) return;
    const cost = Float64Array.of(1);
    const message = /^highs-native: there are 1 costs/;
    assert.throws(() => native.create({ ...DISPATCH, cost }), { message });
  });
});

describe("a native HiGHS that cannot be used", () => {
  const text = join(folder, "libhighs.so");
  writeFileSync(text, "no library");
  const cases: readonly [what: string, file: string, reason: RegExp][] = [
    ["a file that does not exist", join(folder, "none.so"), /there is no such library/],
    ["a file that is no library", text, /the dynamic loader says: .*(ELF|file too short)/],
    ["a library that is not HiGHS", "libm.so.6", /is not HiGHS: it has no Highs_versionMajor/],
  ];
  for (const [what, file, reason] of cases) {
    it(`${what} is refused with the reason`, async () => {
      const env = { COBRE_HIGHS_LIBRARY: file };
      await assert.rejects(loadHighsNativeSolver("embedded", env), (error) => {
        assert.ok(error instanceof SolverError, String(error));
        assert.deepEqual([error.kind, error.solver], ["SolverNotAvailable", "highs-native"]);
        const lines = error.message.split("\n");
        assert.equal(lines[0], "highs-native: the named library cannot be used:");
        assert.ok(lines[1]?.startsWith(`  ${file} (COBRE_HIGHS_LIBRARY): `), lines[1]);
        assert.match(lines[1] ?? "", reason);
        assert.match(lines[2] ?? "", /leave it unset to search for one, or use highs-wasm\.$/);
        return true;
      });
    });
  }

  it("is no reason for auto to use another one if the user has named it", async () => {
    await withVariables({ COBRE_HIGHS_LIBRARY: text }, async () => {
      await assert.rejects(loadSolver("auto"), { kind: "SolverNotAvailable" });
    });
  });

  it("leaves highs-wasm to auto if none is found", async (t) => {
    const { stdout } = spawnSync("/sbin/ldconfig", ["-p"], { encoding: "utf8" });
    if (!needs(t, !/libhighs/.test(stdout ?? ""), "a system without a HiGHS of its own")) return;
    const script = `import { loadSolver } from "@cobre/solver";
      const { message } = await loadSolver("highs-native").catch((error) => error);
      console.log((await loadSolver("auto")).name + " " + message);`;
    const printed = printedBy(script);
    assert.match(
      printed,
      /^highs-wasm highs-native: no native HiGHS was found\. Tried:\n(.*\n)+Install one \(pip/,
    );
  });
});

describe("the version of a native HiGHS", () => {
  let instances = 0;
  /** A library that answers with this version and size of integers, and has not the function `missing`. */
  const library = (version: readonly number[], bytes = 4, missing = "none") => ({
    func: (signature: string) => {
      const name = /(Highs_\w+)\(/.exec(signature)?.[1] ?? "";
      if (name === missing) throw new Error(`Cannot find function ${name}`);
      const part = ["Highs_versionMajor", "Highs_versionMinor", "Highs_versionPatch"].indexOf(name);
      if (part >= 0) return () => version[part];
      if (name === "Highs_create") return () => ++instances;
      if (name === "Highs_destroy") return () => --instances;
      return name === "Highs_getSizeofHighsInt" ? () => bytes : () => 1;
    },
  });
  const check = (...args: Parameters<typeof library>) =>
    checkedVersion(library(...args) as unknown as Parameters<typeof checkedVersion>[0]);

  it("is told if it is known", () => {
    assert.equal(check([1, 15, 1]), "1.15.1");
    assert.equal(check([1, 11, 0]), "1.11.0");
    assert.equal(instances, 0, "what was created to look at is destroyed");
  });

  it("is refused if it is not", () => {
    for (const version of [
      [1, 10, 0],
      [1, 14, 0],
      [1, 16, 0],
      [2, 11, 0],
      [0, 15, 1],
    ]) {
      assert.throws(() => check(version), {
        problem: "UnknownVersion",
        message: `it is HiGHS ${version.join(".")}; known are 1.11, 1.12, 1.13, 1.15`,
      });
    }
  });

  it("is not enough if integers have 64 bits or a function is missing", () => {
    assert.throws(() => check([1, 15, 1], 8), {
      problem: "WideIntegers",
      message: "it is HiGHS 1.15.1 with integers of 64 bits; use a build without HIGHSINT64",
    });
    assert.throws(() => check([1, 15, 1], 4, "Highs_getSizeofHighsInt"), {
      problem: "NotHighs",
      message: "it loads, but is not HiGHS: it has no Highs_getSizeofHighsInt",
    });
  });
});
