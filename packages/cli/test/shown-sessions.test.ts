/**
 * The sessions that documents show, run as they stand there: each document in a folder of its own, with the examples and
 * packages of this clone. A line `…` stands for any lines, and `…` in a line for any text. A block that is marked `elsewhere`
 * needs other machines and is not run; one that is marked `file=NAME` becomes a file.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, it } from "node:test";
import { linesInScope, runsQuick } from "@cobre/testing/scope";
import { COBRE } from "./cobre-process.js";
import {
  type Block,
  blocksOf,
  commandLinesOf,
  exchangesOf,
  type Hidden,
  partsOf,
  ROOT,
  simpleCommands,
} from "./documents.js";

const DOCUMENTS = linesInScope([
  { document: "docs/guide.md", rest: true },
  { document: "docs/troubleshooting.md", rest: true },
  { document: "docs/how-to-ranks.md", rest: true },
  { document: "docs/how-to-resume.md", rest: true },
  { document: "docs/how-to-results.md", rest: true },
  { document: "docs/how-to-migrate.md", rest: true },
  { document: "docs/how-to-typescript.md", rest: true },
]);

/** A time that only a hang takes. */
const LIMIT_MS = 120_000;
/** What another program has told about itself; a reader's terminal has none of it. */
const INHERITED = /^(?:npm_|COBRE_|NODE_TEST)/;

/** A folder as a reader has it after the first two lines of the guide: `cobre` and `npx cobre` work. */
function makeFolder(): { readonly work: string; readonly bin: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "cobre-session-"));
  const [bin, work] = [join(folder, "bin"), join(folder, "work")];
  mkdirSync(bin);
  mkdirSync(work);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${COBRE}" "$@"\n`;
  writeFileSync(join(bin, "cobre"), script, { mode: 0o755 });
  symlinkSync(process.execPath, join(bin, "node"));
  symlinkSync(join(ROOT, "examples"), join(work, "examples"));
  symlinkSync(join(ROOT, "node_modules"), join(work, "node_modules"));
  return { folder, bin, work };
}

function runIn(work: string, bin: string, command: string): string {
  const kept = Object.entries(process.env).filter(([name]) => !INHERITED.test(name));
  const { stdout, error } = spawnSync("bash", ["-c", `{ ${command}\n} 2>&1`], {
    cwd: work,
    env: {
      ...Object.fromEntries(kept),
      NO_COLOR: "1",
      PATH: `${bin}${delimiter}${process.env.PATH}`,
    },
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
  if (error !== undefined) throw error;
  return stdout;
}

/** Whether a text is the one that is shown. */
function patternOf(shown: string): RegExp {
  const lines = shown.split("\n").slice(0, -1);
  const source = lines.map((line) =>
    line === "…" ? "(?:.*\\n)*?" : `${line.split("…").map(escaped).join(".*")}\\n`,
  );
  return new RegExp(`^${source.join("")}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function runPart(part: Block | Hidden, work: string, bin: string): void {
  if (part.kind === "hidden") {
    runIn(work, bin, part.command);
    return;
  }
  const name = part.marks.find((mark) => mark.startsWith("file="))?.slice("file=".length);
  if (name !== undefined) writeFileSync(join(work, name), part.text);
  if (part.language !== "console" || part.marks.includes("elsewhere")) return;
  for (const { command, printed } of exchangesOf(part)) {
    const told = runIn(work, bin, command);
    if (patternOf(printed).test(told)) continue;
    assert.equal(told, printed, `${part.document}, line ${part.line}: $ ${command}`);
  }
}

describe("sessions that are shown", () => {
  for (const { document } of DOCUMENTS) {
    it(`${document}: print what it says`, () => {
      const { folder, work, bin } = makeFolder();
      try {
        for (const part of partsOf(document)) runPart(part, work, bin);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  for (const document of runsQuick ? ["README.md", "docs/guide.md"] : []) {
    it(`${document}: the ten lines are those of the guide's session`, () => {
      const session = blocksOf("docs/guide.md").filter(({ language }) => language === "console");
      const walked = new Set(session.flatMap(commandsIn));
      const [lines] = blocksOf(document).filter(({ text }) => text.includes("cobre init my-case"));
      assert.ok(lines !== undefined, `${document} has no block with cobre init my-case`);
      const commands = commandsIn(lines);
      assert.ok(commands.length >= 8, `only ${commands.length} commands were found`);
      assert.deepEqual(
        commands.filter((command) => !walked.has(command)),
        [],
      );
    });
  }
});

/** The `cobre` commands of a block; whether one is quiet makes no difference. */
function commandsIn(block: Block): string[] {
  return commandLinesOf(block)
    .flatMap(simpleCommands)
    .filter(([name]) => name === "cobre")
    .map((words) => words.filter((word) => word !== "--quiet").join(" "));
}
