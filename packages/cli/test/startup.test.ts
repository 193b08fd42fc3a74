/** The help comes at once, because commands load what they need only when they run. Modules are counted, not milliseconds. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CobreProcess } from "./cobre-process.js";

/** The files of this checkout that a command has loaded, as V8 lists them. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "cobre-startup-"));
  try {
    const env = { NODE_V8_COVERAGE: folder };
    const { code, stderr } = await CobreProcess.start(args, { env }).finished;
    assert.equal(code, 0, stderr);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const urls = files.flatMap((text) => JSON.parse(text).result as { url: string }[]);
    return urls.map(({ url }) => url).filter((url) => url.startsWith("file:"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("what a command loads", { timeout: 60_000 }, () => {
  for (const args of [["--help"], ["--version"], ["run", "--help"], ["launch", "--help"]]) {
    it(`is little for cobre ${args.join(" ")}`, async () => {
      const loaded = await loadedBy(...args);
      const others = loaded.filter((url) => !/\/packages\/cli\/|\/commander\//.test(url));
      assert.deepEqual(others, []);
      assert.ok(loaded.length < 40, `${loaded.length} files:\n${loaded.join("\n")}`);
      assert.ok(loaded.some((url) => url.endsWith("/commands/run.js")));
    });
  }

  it("is more for a command that works", async () => {
    const loaded = await loadedBy("version");
    assert.ok(loaded.some((url) => /\/packages\/solver\//.test(url)));
  });
});
