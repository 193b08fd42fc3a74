/** The command line as a newcomer meets it: a case to start from, settings, mistakes, help, exit codes. */
import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { ValidationError } from "@cobre/core";
import { OutputError } from "@cobre/io";
import { SddpError } from "@cobre/sddp";
import { FailedElsewhere, RunError } from "@cobre/study";
import { createProgram } from "cobre";
import { caseArguments, parseSetting } from "../dist/commands/case-options.js";
import { EXIT, EXIT_CODES_HELP, EXIT_MEANINGS } from "../dist/exit-codes.js";
import { exitCodeOf } from "../dist/failure.js";
import { styledError, styledHelp } from "../dist/help-text.js";
import { faultOfPath, settingPaths } from "../dist/setting-paths.js";
import { CobreProcess } from "./cobre-process.js";

const DOCUMENT = fileURLToPath(new URL("../../../docs/commands.md", import.meta.url));

let folder = "";
let source = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-commands-"));
  source = join(folder, "my-case");
});
after(() => rmSync(folder, { recursive: true }));

async function cobre(...args: string[]) {
  return await CobreProcess.start(args).finished;
}

async function succeed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cobre(...args);
  assert.equal(code, 0, `${args.join(" ")}\n${stderr}`);
  return stdout;
}

describe("a newcomer", { timeout: 120_000 }, () => {
  it("makes a case, and is told what to do next", async () => {
    const told = await succeed("init", source, "--template", "one-reservoir");
    assert.match(told, /cobre validate .*\n {2}cobre run .*\n {2}cobre report /);
    assert.match(await succeed("validate", source), /is valid: 0 errors, 0 warnings/);
    const env = { npm_lifecycle_event: "npx" };
    const other = join(folder, "an other");
    const byNpx = await CobreProcess.start(["init", other], { env }).finished;
    assert.ok(byNpx.stdout.includes(`  npx cobre run '${other}'\n`), byNpx.stdout);
    const again = await cobre("init", source);
    assert.equal(again.code, 4);
    assert.match(again.stderr, /my-case is not empty/);
  });

  it("trains it with other settings on two ranks, and simulates the policy again", async () => {
    const output = join(folder, "out");
    const settings = ["--set", "training.forward_passes=2", "--set", "simulation.num_scenarios=3"];
    const changes = ["--iterations", "4", "--seed", "7", ...settings];
    await succeed("run", source, "-n", "2", "-o", output, ...changes, "--quiet");
    const report = JSON.parse(await succeed("report", output, "--json"));
    assert.equal(report.iterations, 4);
    assert.equal(report.forward_passes, 2);
    assert.equal(report.seed, 7);
    assert.equal(report.simulation.scenarios, 3);
    const more = ["--scenarios", "5", "--seed", "7"];
    const told = await succeed("simulate", source, "--policy", output, ...more);
    assert.match(told, /^results .*out-simulated; to look at them: cobre report .*out-simulated$/m);
    const simulated = JSON.parse(await succeed("report", `${output}-simulated`, "--json"));
    assert.equal(simulated.simulation.scenarios, 5);
    assert.equal(simulated.lower_bound, null);
    const twice = await cobre("simulate", source, "--policy", output);
    assert.equal(twice.code, 4);
    assert.match(twice.stderr, /out-simulated is not empty/);
    const nothing = await cobre("simulate", source, "--policy", join(folder, "nowhere"));
    assert.equal(nothing.code, 4);
    assert.match(nothing.stderr, /nowhere does not exist; train first/);
  });

  const mistakes: readonly [args: string[], told: RegExp][] = [
    [["rum", "x"], /unknown command 'rum'\n\(Did you mean run\?\)/],
    [["run", "x", "--ouput", "y"], /unknown option '--ouput'\n\(Did you mean --output\?\)/],
    [["run", "x", "--set", "training"], /must be a path and a value/],
    [
      ["run", "x", "--set", "training.forward_pases=8"],
      /--set training\.forward_pases: there is no such setting; did you mean training\.forward_passes\?/,
    ],
    [["validate", "x", "--set", "num_scenarios=8"], /did you mean simulation\.num_scenarios\?/],
    [["simulate", "x", "-p", "y", "--set", "policy.mode.x=8"], /policy\.mode is one value/],
    [["schema", "hydro"], /'hydro' is not a file of a case\n\(Did you mean hydros\?\)/],
    [["schema", "config", "--json"], /only one of them/],
    [["run", "x", "--iterations", "0"], /must be a whole number from 1/],
    [["init", "--template", "nothing"], /Allowed choices are one-reservoir,/],
    [["simulate", "x"], /required option '-p, --policy <directory>' not specified/],
  ];
  for (const [args, told] of mistakes) {
    it(`is helped after cobre ${args.join(" ")}`, async () => {
      const { code, stderr } = await cobre(...args);
      assert.equal(code, EXIT.typedWrong);
      assert.match(stderr, told);
    });
  }
});

describe("a case for Cobre 0.5", { timeout: 120_000 }, () => {
  it("is migrated, and neither it nor anything else is written over", async () => {
    const [old, later] = [join(folder, "old"), join(folder, "later")];
    await succeed("init", old, "--dialect", "0.5");
    const told = await succeed("migrate", old, later);
    assert.match(
      told,
      /^config\.json: simulation: .*\n.*later: \d+ files, 1 difference, see above/,
    );
    const config = JSON.parse(readFileSync(join(later, "config.json"), "utf8"));
    assert.equal(config.$schema, "schemas/config.schema.json");
    assert.deepEqual(config.training.selection, { method: "sampled", forward_passes: 2 });
    const before = readFileSync(join(later, "stages.json"), "utf8");
    const again = await cobre("migrate", old, later);
    assert.equal(again.code, EXIT.unusableFiles);
    assert.match(again.stderr, /later exists already; choose another directory/);
    assert.equal(readFileSync(join(later, "stages.json"), "utf8"), before);
    const twice = await cobre("migrate", later, join(folder, "third"));
    assert.match(twice.stderr, /is written for Cobre 0\.18 already/);
    writeFileSync(join(old, "penalties.json"), "{}");
    const faulty = await cobre("migrate", old, join(folder, "third"));
    assert.equal(faulty.code, EXIT.invalidCase);
    assert.match(faulty.stderr, /penalties\.json: hydro: is missing/);
  });

  it("is there to start from, of one template", async () => {
    const none = await cobre("init", join(folder, "none"), "-t", "fast", "--dialect", "0.5");
    assert.equal(none.code, EXIT.unusableFiles);
    assert.match(
      none.stderr,
      /fast is there for Cobre 0\.18 only; .* take --template one-reservoir/,
    );
    assert.ok(!existsSync(join(folder, "none")));
    // What migration makes of it is the example as it is written for Cobre 0.18.
    const [earlier, migrated] = [join(folder, "earlier"), join(folder, "migrated")];
    await succeed("init", earlier, "--dialect", "0.5");
    await succeed("migrate", earlier, migrated);
    const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), "utf8"));
    assert.ok("forward_passes" in read("earlier", "config.json").training);
    for (const file of readdirSync(source, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".json")) continue;
      assert.deepEqual(read("migrated", file), read("my-case", file), file);
    }
  });
});

describe("cobre schema", { timeout: 60_000 }, () => {
  it("shows and writes schemas, by any name of a file", async () => {
    const hydros = JSON.parse(await succeed("schema", "system/hydros.json"));
    assert.equal(hydros.title, "system/hydros.json");
    for (const name of ["hydros", "hydros.schema.json", join(source, "system/hydros.json")])
      assert.deepEqual(JSON.parse(await succeed("schema", name)), hydros, name);
    const all = JSON.parse(await succeed("schema", "--json"));
    assert.deepEqual(all["system/hydros.json"], hydros);
    const written = join(folder, "written");
    assert.equal(
      await succeed("schema", "--write", written),
      `${Object.keys(all).length} schemas in ${written}\n`,
    );
    const text = readFileSync(join(written, "hydros.schema.json"), "utf8");
    assert.deepEqual(JSON.parse(text), hydros);
    assert.match(await succeed("schema"), /^config\.json +how to train and simulate\n/);
    assert.deepEqual(
      JSON.parse(await succeed("schema", "stages")).properties.stages.items.required.at(-1),
      "num_openings",
    );
    assert.match(await succeed("schema", "--dialect", "0.5"), /^constraints\/exchange_factors/m);
    assert.doesNotMatch(await succeed("schema"), /^constraints\/exchange_factors/m);
    const refused = await cobre("schema", "--write", join(written, "hydros.schema.json", "x"));
    assert.equal(refused.code, EXIT.unusableFiles);
  });

  it("comes with a new case, where its files name it", () => {
    for (const file of ["config.json", "system/hydros.json"]) {
      const { $schema } = JSON.parse(readFileSync(join(source, file), "utf8"));
      const { title } = JSON.parse(readFileSync(join(source, dirname(file), $schema), "utf8"));
      assert.equal(title, file);
    }
  });

  it("knows every setting", () => {
    const paths = settingPaths();
    assert.ok(paths.includes("training.forward_passes"));
    assert.ok(paths.includes("training.stopping_rules"));
    assert.ok(paths.includes("training.selection.forward_passes"), "of Cobre 0.18");
    assert.ok(!paths.some((path) => /\$schema/.test(path)));
    for (const path of [...paths, "policy", "estimation.anything"]) {
      assert.equal(faultOfPath(path), undefined, path);
    }
  });
});

describe("cobre version", { timeout: 60_000 }, () => {
  it("names everything that has an influence on results, for people and for programs", async () => {
    const versions = JSON.parse(await succeed("version", "--json"));
    assert.deepEqual(Object.keys(versions), ["cobre", "node", "highs", "platform"]);
    const number = await succeed("--version");
    assert.equal(number, `${versions.cobre}\n`);
    const text = await succeed("version");
    assert.match(
      text,
      new RegExp(`^cobre +${versions.cobre}\nNode\\.js +${process.versions.node} `),
    );
    assert.ok(text.includes(`HiGHS    ${versions.highs}\n`));
  });
});

describe("styles", () => {
  const terminal = { isTTY: true, columns: 80, hasColors: () => true };
  it("are for terminals with colours alone", () => {
    assert.equal(styledHelp("Options:\n  -h", terminal), "\x1b[1mOptions:\x1b[0m\n  -h");
    assert.equal(styledError("cobre run: no", terminal), "\x1b[31mcobre run:\x1b[0m no");
    for (const plain of [{}, { ...terminal, hasColors: () => false }]) {
      assert.equal(styledHelp("Options:\n  -h", plain), "Options:\n  -h");
      assert.equal(styledError("cobre run: no", plain), "cobre run: no");
    }
  });
});

describe("the help", () => {
  it("has examples for every command, in lines that fit", () => {
    for (const command of createProgram().commands) {
      let text = "";
      command.configureOutput({
        writeOut: (part) => {
          text += part;
        },
        getOutHelpWidth: () => 100,
      });
      command.outputHelp();
      const examples = text.split("\nExamples:\n")[1] ?? assert.fail(command.name());
      assert.match(examples, /^ {2}\S*cobre |^ {2}mpirun .*cobre /, command.name());
      for (const line of text.split("\n"))
        assert.ok(line.length <= 100, `${command.name()}: ${line}`);
    }
  });
});

describe("settings on the command line", () => {
  it("are JSON or text, and are given to ranks as they are", () => {
    assert.deepEqual(parseSetting("training.forward_passes=8"), ["training.forward_passes", 8]);
    assert.deepEqual(parseSetting("policy.mode=fresh"), ["policy.mode", "fresh"]);
    assert.deepEqual(parseSetting('a.b=[1,{"c":"="}]'), ["a.b", [1, { c: "=" }]]);
    assert.deepEqual(parseSetting("a="), ["a", ""]);
    for (const wrong of ["a", "=1", "a..b=1", ".a=1", "a b=1", ""]) {
      assert.equal(parseSetting(wrong), undefined, wrong);
    }
    const set = [
      ["policy.path", "a = b"],
      ["training.enabled", false],
    ] as const;
    const args = caseArguments({ config: "x.json", set, iterations: 3, seed: -1 });
    const expected = ["--config", "x.json", "--set", 'policy.path="a = b"'];
    expected.push("--set", "training.enabled=false", "--iterations", "3", "--seed", "-1");
    assert.deepEqual(args, expected);
    assert.deepEqual(
      [args[3], args[5]].map((text) => parseSetting(text ?? "")),
      set,
    );
  });
});

describe("exit codes", { timeout: 60_000 }, () => {
  it("are documented once, and in the help", () => {
    const rows = [...readFileSync(DOCUMENT, "utf8").matchAll(/^\| (\d) \| (.*) \|$/gm)];
    const documented = rows.map(([, code, meaning]) => [Number(code), meaning]);
    const table = Object.entries(EXIT).map(([name, code]) => {
      return [code, EXIT_MEANINGS[name as keyof typeof EXIT]];
    });
    assert.deepEqual(documented, table);
    for (const [code, meaning] of table)
      assert.ok(EXIT_CODES_HELP.includes(`  ${code}  ${meaning}`));
  });

  it("tell errors apart", () => {
    const issue = {
      severity: "error",
      layer: "schema",
      file: "x",
      problem: "is",
      remedy: "do",
    } as const;
    const table: readonly (readonly [error: unknown, code: number])[] = [
      [new Error("unexpected"), EXIT.failed],
      [new ValidationError([issue]), EXIT.invalidCase],
      [new OutputError("CannotWrite", "x", "x"), EXIT.unusableFiles],
      [new RunError("NotARun", "x", "x"), EXIT.unusableFiles],
      [new SddpError("InvalidPolicy", "x"), EXIT.unusableFiles],
      [new FailedElsewhere(EXIT.invalidCase), EXIT.invalidCase],
    ];
    for (const [error, code] of table) assert.equal(exitCodeOf(error), code, String(error));
  });

  it("are those of commands", async () => {
    const [broken, empty] = [join(folder, "broken"), join(folder, "empty")];
    cpSync(source, broken, { recursive: true });
    writeFileSync(join(broken, "config.json"), "{");
    mkdirSync(empty);
    const table: readonly (readonly [args: string[], code: number])[] = [
      [["validate", source], EXIT.done],
      [["frobnicate"], EXIT.typedWrong],
      [["validate", broken], EXIT.invalidCase],
      [["report", empty], EXIT.unusableFiles],
      [["compare", empty, empty], EXIT.unusableFiles],
    ];
    for (const [args, code] of table) {
      assert.equal((await cobre(...args)).code, code, args.join(" "));
    }
  });
});
