/** docs/case-format.md is what the readers say: a field that is added, renamed or described anew has to be written there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

interface CaseFormatScript {
  readonly DOCUMENT: string;
  caseFormat(): Promise<string>;
  fieldsWithoutMeaning(): Promise<readonly string[]>;
}

const script: CaseFormatScript = await import(
  new URL("../../../scripts/case-format.mjs", import.meta.url).href
);

describe("docs/case-format.md", () => {
  it("is up to date", async () => {
    const text = readFileSync(script.DOCUMENT, "utf8");
    assert.equal(text, await script.caseFormat(), "run `npm run case-format`");
  });

  it("tells what every field means", async () => {
    assert.deepEqual(
      await script.fieldsWithoutMeaning(),
      [],
      "say it in packages/io/src/schema/meanings",
    );
  });
});
