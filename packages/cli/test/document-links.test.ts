/** Links of documents to files and sections lead somewhere. `npm run docs` checks the pages that are made from them. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, it } from "node:test";
import { documents, ROOT, readDocument } from "./documents.js";

const LINK = /\]\(([^)\s]+)\)/g;
const HEADING = /^#{1,6} +(.*)$/gm;

/** A text without its code, in which brackets are not links. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, "").replaceAll(/`[^`\n]*`/g, "`code`");
}

/** The anchors that GitHub and the site give to the headings of a document. */
function anchorsOf(document: string): Set<string> {
  const text = readDocument(document).replaceAll(/^```.*?^```$/gms, "");
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.matchAll(HEADING)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let i = 1; anchors.has(anchor); i++) anchor = `${slug}-${i}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Why a link leads nowhere, or `undefined` if it does not lead out of the clone or is good. */
function faultOf(target: string, document: string): string | undefined {
  if (/^(?:https?|mailto):/.test(target)) return undefined;
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? document : normalize(join(dirname(document), file));
  if (!existsSync(join(ROOT, path))) return `${target}: there is no ${path}`;
  if (anchor === undefined || !path.endsWith(".md")) return undefined;
  return anchorsOf(path).has(anchor) ? undefined : `${target}: ${path} has no such heading`;
}

describe("links of documents", () => {
  for (const document of documents()) {
    it(`${document}: lead somewhere`, () => {
      const targets = [...withoutCode(readDocument(document)).matchAll(LINK)];
      const faults = targets.map(([, target = ""]) => faultOf(target, document));
      assert.deepEqual(
        faults.filter((fault) => fault !== undefined),
        [],
      );
    });
  }
});
