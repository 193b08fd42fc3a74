import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { loadSolver } from "@cobre/solver";
import { needs } from "@cobre/testing/needs";
import { loadClpSolver } from "#internal";
import { DISPATCH, program } from "./programs.js";

/** CLP's library as the system's loader knows it, which is another judge than our own loading. */
function installed(): string | undefined {
  const { stdout } = spawnSync("/sbin/ldconfig", ["-p"], { encoding: "utf8" });
  return /libClp\.so\.1 .*=> (\S+)/.exec(stdout ?? "")?.[1];
}

describe("CLP that is installed", () => {
  const path = installed();

  it("is found by its name and by its path", async (t) => {
    if (!needs(t, path !== undefined, "clp (coinor-libclp1)")) return;
    const solver = await loadSolver("clp");
    assert.equal(solver.name, "clp");
    assert.match(solver.version, /^\d+\.\d+/);
    assert.match(solver.fingerprint, /^clp \d+\.\d+\S* \w+ \w+$/);
    const chosen = await loadClpSolver({ COBRE_CLP_LIBRARY: path });
    assert.equal(chosen.version, solver.version);
  });

  it("is given a start for each column and one for their end", async (t) => {
    if (!needs(t, path !== undefined, "clp (coinor-libclp1)")) return;
    const solver = await loadSolver("clp");
    type Call = (...args: unknown[]) => unknown;
    using lp = solver.create(DISPATCH);
    const { call } = (lp as unknown as { library: { call: { loadProblem: Call } } }).library;
    const { loadProblem } = call;
    let given: unknown[] = [];
    call.loadProblem = (...args) => {
      given = args.slice(1, 4);
      return loadProblem(...args);
    };
    try {
      solver.create(DISPATCH).close();
    } finally {
      call.loadProblem = loadProblem;
    }
    assert.deepEqual(given, [5, 0, new Int32Array(6)]);
  });

  it("gives back a program of one column", async (t) => {
    if (!needs(t, path !== undefined, "clp (coinor-libclp1)")) return;
    const data = program(
      [{ cost: 3, upper: 7 }],
      [
        [1, [2], 4],
        [1, [], 4],
        [0, [5], 9],
      ],
    );
    using lp = (await loadSolver("clp")).create(data);
    assert.deepEqual(lp.data(), data);
  });
});
