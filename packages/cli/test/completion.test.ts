/** Shell completion, in the shells themselves: bash always, zsh and fish in the rest. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { needs } from "@cobre/testing/needs";
import { runsQuick, runsRest } from "@cobre/testing/scope";
import { hasTerminal, Terminal } from "@cobre/testing/terminal";
import { CobreProcess } from "./cobre-process.js";

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-completion-"));
  mkdirSync(join(folder, "my case"));
  mkdirSync(join(folder, "my-other"));
  writeFileSync(join(folder, "my-file"), "");
});
after(() => rmSync(folder, { recursive: true }));

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await CobreProcess.start(["completion", shell]).finished;
  assert.equal(code, 0, stderr);
  return stdout;
}

/** A line that is typed up to here, and some of the words that are offered. `-` means: none. */
const LINES: readonly [line: string, ...offered: string[]][] = [
  ["cobre ru", "run"],
  ["cobre ", "init", "run", "compare", "completion"],
  ["cobre run --ite", "--iterations"],
  ["cobre run --solver ", "highs", "clp"],
  ["cobre run my -b sh", "shm"],
  ["cobre run my --set training.forw", "training.forward_passes=", "training.forward_pass.type="],
  ["cobre init --template o", "one-reservoir"],
  ["cobre schema system/hy", "system/hydros.json"],
  ["cobre completion z", "zsh"],
  ["cobre help sim", "simulate"],
];

/** However it looks: a shell that waits for a line ends its prompt like this. */
const PROMPT = /[#$%>] *$/m;

function isThere(t: TestContext, shell: string): boolean {
  return needs(t, spawnSync(shell, ["--version"]).status === 0, shell);
}

/** What the Tab key makes of a command, its argument, a setting and an option. */
async function assertCompletes(terminal: Terminal): Promise<void> {
  terminal.type("cobre sim\t");
  await terminal.shows(/cobre simulate $/m);
  terminal.type("my-o\t");
  await terminal.shows(/cobre simulate my-other\/$/m);
  terminal.type(" --set training.forward_passes\t8 --sol\t");
  await terminal.shows(/ --set training\.forward_passes=8 --solver $/m);
}

if (runsQuick) {
  describe("completion in bash", { timeout: 300_000 }, () => {
    /** What a bash that has read the script offers for lines; the words before the last are split as bash does it. */
    const offeredIn = async (lines: readonly string[]): Promise<string[][]> => {
      const ask = lines.map((line) => {
        const words = line.split(/ |(=)/).filter((word) => word !== undefined);
        const list = words.map((word) => `'${word}'`).join(" ");
        return `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _cobre; printf '%s\\n' "\${COMPREPLY[@]}" --`;
      });
      const script = `${await scriptFor("bash")}\ncd '${folder}'\n${ask.join("\n")}`;
      const { stdout, stderr } = spawnSync("bash", ["--norc"], { input: script, encoding: "utf8" });
      assert.equal(stderr, "");
      const answers = stdout.split("--\n").slice(0, -1);
      return answers.map((text) => text.split("\n").filter((word) => word !== ""));
    };

    it("offers commands, options, values, settings and files", async () => {
      const all = await offeredIn(LINES.map(([line]) => line));
      for (const [i, [line, ...offered]] of LINES.entries()) {
        for (const word of offered) assert.ok(all[i]?.includes(word), `${line}: ${all[i]}`);
      }
    });

    it("knows which argument comes next, also behind options with values", async () => {
      const directories = ["my case", "my-other"];
      const table: readonly [line: string, offered: string[]][] = [
        ["cobre run my", directories],
        ["cobre run x my", []],
        ["cobre run -n 2 --set policy.mode=fresh my", directories],
        ["cobre run --seed=7 my", directories],
        ["cobre run --solver=h", ["highs", "highs-native", "highs-wasm"]],
        ["cobre compare a my", directories],
        ["cobre compare a b my", []],
        ["cobre run x --config my", ["my case", "my-file", "my-other"]],
        ["cobre launch -n 2 node my", ["my case", "my-file", "my-other"]],
        ["cobre run x --ranks ", []],
        ["cobre info ", []],
        ["cobre frobnicate ", []],
      ];
      const all = await offeredIn(table.map(([line]) => line));
      for (const [i, [line, offered]] of table.entries()) {
        assert.deepEqual(all[i]?.sort(), offered, line);
      }
    });

    it("completes what is typed", async (t) => {
      if (!hasTerminal(t)) return;
      await using terminal = Terminal.open({
        command: ["bash", "--norc", "-i"],
        cwd: folder,
      });
      writeFileSync(join(folder, "completion.bash"), await scriptFor("bash"));
      await terminal.shows(PROMPT);
      terminal.type("source completion.bash; echo read\n");
      await terminal.shows(/^read$/m);
      await assertCompletes(terminal);
    });
  });
}

if (runsRest) {
  describe("completion in other shells", { timeout: 300_000 }, () => {
    it("is offered by fish", async (t) => {
      if (!isThere(t, "fish")) return;
      const script = join(folder, "cobre.fish");
      writeFileSync(script, await scriptFor("fish"));
      for (const [line, ...offered] of LINES) {
        const ask = `source '${script}'; complete -C '${line}'`;
        const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", ask], {
          encoding: "utf8",
        });
        assert.equal(stderr, "", line);
        const words = stdout.split("\n").map((text) => text.split("\t")[0]);
        for (const word of offered) assert.ok(words.includes(word), `${line}: ${words}`);
      }
    });

    it("completes what is typed in zsh", async (t) => {
      if (!isThere(t, "zsh") || !hasTerminal(t)) return;
      writeFileSync(join(folder, "completion.zsh"), await scriptFor("zsh"));
      await using terminal = Terminal.open({
        command: ["zsh", "-f", "-i"],
        cwd: folder,
      });
      await terminal.shows(PROMPT);
      terminal.type("autoload -U compinit; compinit -D -u; source completion.zsh; echo read\n");
      await terminal.shows(/^read$/m);
      await assertCompletes(terminal);
    });
  });
}
