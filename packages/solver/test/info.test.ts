import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeSolvers } from "@cobre/solver/info";
import { nativeHere } from "./solvers.js";

describe("what is told about the solvers", () => {
  it("names the native HiGHS that would be loaded", async (t) => {
    const native = await nativeHere(t);
    if (native === undefined) return;
    const { solvers, auto, highsLibraries } = await describeSolvers();
    const [library] = highsLibraries;
    assert.deepEqual(
      [library?.file, library?.version, library?.reason],
      [native.library, native.version, null],
    );
    assert.equal(auto, "highs-native");
    const [, own] = solvers;
    const details = `${native.library} (${library?.origin})`;
    assert.deepEqual(own, { name: "highs-native", usable: true, version: native.version, details });
  });

  it("says why a library cannot be used, and that auto would fail if it is named", async () => {
    for (const [file, reason] of [
      ["/does/not/exist.so", /there is no such library/],
      ["libm.so.6", /is not HiGHS/],
    ] as const) {
      const env = { ...process.env, COBRE_HIGHS_LIBRARY: file };
      const { solvers, auto, highsLibraries } = await describeSolvers({ env });
      const [library, ...others] = highsLibraries;
      assert.deepEqual(others, []);
      const { origin, version } = library ?? {};
      assert.deepEqual([library?.file, origin, version], [file, "COBRE_HIGHS_LIBRARY", null]);
      assert.match(library?.reason ?? "", reason);
      assert.equal(auto, null);
      const usable = solvers.map(({ name, usable }) => [name, usable]);
      assert.deepEqual(usable.slice(0, 2), [
        ["highs-wasm", true],
        ["highs-native", false],
      ]);
    }
  });

  it("says what is wrong with CLP, in one line", async () => {
    const env = { ...process.env, COBRE_CLP_LIBRARY: "/does/not/exist.so" };
    const { solvers } = await describeSolvers({ env });
    assert.deepEqual([solvers[2]?.name, solvers[2]?.usable], ["clp", false]);
    assert.match(solvers[2]?.details ?? "", /^no library was found \(\/does\/not\/exist\.so: /);
  });
});
