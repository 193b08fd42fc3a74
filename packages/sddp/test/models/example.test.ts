/** The example for people runs as it stands, and prints the same on any number of ranks. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";

const EXAMPLE = fileURLToPath(new URL("../../../../examples/newsvendor.mjs", import.meta.url));

// A day with a day after it: 40 papers earn 3 · 25 - 40 + 0.4 · 15 = 41, more than 20 or 30 do. The last one: 30 earn 3 · 22.5 - 30 = 37.5.
const PRINTED =
  /^at most 119\.50 can be earned, and 1\d\d\.\d\d were\npapers ordered each day: 40, 40, 30, 0\n$/;

it("docs/models.md shows the example as it stands", () => {
  const guide = readFileSync(new URL("../../../../docs/models.md", import.meta.url), "utf8");
  const [, shown = ""] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];
  assert.ok(shown.length > 500 && readFileSync(EXAMPLE, "utf8").includes(shown));
});

for (const ranks of [1, 2]) {
  it(`examples/newsvendor.mjs on ${ranks} ranks`, async () => {
    await using job = await launch({
      ranks,
      backend: "shm",
      command: [process.execPath, EXAMPLE],
      output: "capture",
    });
    const { code, ranks: ended } = await job.done;
    assert.equal(code, 0, ended.map(({ stderr }) => stderr).join("\n"));
    assert.match(ended[0]?.stdout ?? "", PRINTED);
  });
}
