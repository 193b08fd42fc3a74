/** Every field of a case is known by its name: what nobody reads is told, wherever it stands. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Dialect, formatIssue, IssueCollector } from "@cobre/core";
import { ObjectReader } from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { jsonFiles } from "#internal";
import { formatsWith } from "../../sddp/dist/internal.js";
import { goodCase, withCase } from "./case-folder.js";
import { MORE_FILES } from "./every-object.js";
import { fullCase } from "./full-case.js";
import { type Changes, judgeCase } from "./judge-case.js";
import { laterCase } from "./later-case.js";

const judge = (changes: Changes) => judgeCase({ ...fullCase(), ...changes });

describe("a case with every field", () => {
  it("has no faults, and its configuration is what it says", async () => {
    const { found, issues } = await judge({});
    assert.deepEqual(issues, []);
    assert.deepEqual(found?.config, {
      compat: undefined,
      training: {
        isEnabled: true,
        forwardPasses: 3,
        stoppingRules: [
          { type: "iteration_limit", limit: 20 },
          { type: "time_limit", seconds: 0 },
          { type: "bound_stalling", iterations: 5, tolerance: 0 },
          {
            type: "simulation",
            replications: 4,
            period: 6,
            boundWindow: 7,
            distanceTolerance: 0.1,
            boundTolerance: 0.2,
          },
        ],
        stoppingMode: "all",
        treeSeed: -42,
        scenarioSource: { seed: 42, inflow: "in_sample", load: "in_sample", ncs: "in_sample" },
        cutSelection: undefined,
        retryMaxAttempts: 7,
      },
      inflowNonNegativity: { method: "truncation", penaltyCost: 3 },
      simulation: {
        isEnabled: true,
        scenarios: 9,
        scenarioSource: { seed: -42, inflow: "in_sample", load: "in_sample", ncs: "in_sample" },
      },
      policy: {
        path: "elsewhere",
        mode: "warm_start",
        boundary: { path: "behind", sourceStage: 0 },
        checkpointInterval: 4,
      },
      exports: { states: true, stochastic: true, hive: true },
    });
  });

  it("is discounted by the rate of the way to the next stage, else by that of all", async () => {
    const { found } = await judge({});
    const factor = (days: number, rate: number) => Math.exp((-days / 365.25) * Math.log1p(rate));
    assert.deepEqual([...(found?.study.time.discount ?? [])].slice(0, 2), [
      factor(31, 0.2),
      factor(28, 0.1),
    ]);
  });

  it("has other defaults where a field is left out", async () => {
    const training = { forward_passes: 1, stopping_rules: [{ type: "iteration_limit", limit: 1 }] };
    const source = { inflow: "in_sample", load: "in_sample", ncs: "in_sample" };
    const defaults = {
      compat: undefined,
      training: {
        isEnabled: true,
        forwardPasses: 1,
        stoppingRules: [{ type: "iteration_limit", limit: 1 }],
        stoppingMode: "any",
        treeSeed: 42,
        scenarioSource: source,
        cutSelection: {
          method: "dynamic",
          checkFrequency: 5,
          startIteration: 2,
          seedWindow: undefined,
          candidateRecency: undefined,
          maxAddedPerRound: 10,
          violationTolerance: 1e-10,
          maxActivePerStage: undefined,
        },
        retryMaxAttempts: 5,
      },
      inflowNonNegativity: { method: "penalty", penaltyCost: undefined },
      simulation: { isEnabled: false, scenarios: 2000, scenarioSource: source },
      policy: {
        path: "./policy",
        mode: "fresh",
        boundary: undefined,
        checkpointInterval: undefined,
      },
      exports: { states: false, stochastic: false, hive: false },
    };
    assert.deepEqual((await judge({ "config.json": { training } })).found?.config, defaults);
    const selectionOf = async (config: object) =>
      (await judge({ "config.json": config })).found?.config.training.cutSelection;
    const withSection = (section: object) => ({
      training: { ...training, cut_selection: section },
    });
    assert.deepEqual(await selectionOf(withSection({})), defaults.training.cutSelection);
    assert.equal(await selectionOf(withSection({ enabled: false })), undefined);
    assert.equal(await selectionOf({ compat: "cobre-0.5", training }), undefined, "as 0.5 does");
    const sections = { simulation: {}, policy: {}, exports: {}, modeling: {} };
    const { found, issues } = await judge({ "config.json": { training, ...sections } });
    assert.deepEqual([found?.config, issues], [defaults, []]);
    const checkpointing = (fields: object) =>
      judge({ "config.json": { training, policy: { checkpointing: fields } } });
    for (const [fields, interval] of [
      [{ interval_iterations: 3 }, 3],
      [{ enabled: false, interval_iterations: 3 }, undefined],
    ] as const)
      assert.equal((await checkpointing(fields)).found?.config.policy.checkpointInterval, interval);
  });
});

/** All objects in a JSON value but those whose fields are names of the user's, or that nobody reads. */
function objectsIn(value: unknown, unread: RegExp, at = ""): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null || unread.test(at)) return [];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    objectsIn(one, unread, `${at}.${key}`),
  );
  const isFree = Array.isArray(value) || at.endsWith(".profiles");
  return isFree ? inner : [value as Record<string, unknown>, ...inner];
}

const UNREAD: Readonly<Record<Dialect, RegExp>> = {
  "0.5": /\.(estimation|lipschitz|state_variables)$/,
  "0.18": /\.(estimation|parallelism)$/,
};

/** Gives every object of a file a field of its own that nobody reads, and returns their names. */
function plant(document: unknown, name: string, dialect: Dialect): string[] {
  return objectsIn(document, UNREAD[dialect]).map((object, i) => {
    object[`${name}_${i}`] = 1;
    return `${name}_${i}`;
  });
}

/** The names that are told as unknown, with how they are told. */
function unknownIn(issues: readonly string[], severity: string): string[] {
  return issues.map((issue) => {
    const [, name] = /\b(nobody_\w+): is not a known field; /.exec(issue) ?? assert.fail(issue);
    assert.ok(issue.startsWith(severity), issue);
    return name as string;
  });
}

describe("a field that nobody reads is told by its name in every object", () => {
  for (const [dialect, severity, files] of [
    ["0.5", "warning", fullCase()],
    ["0.18", "error", laterCase()],
  ] as const) {
    it(`of a case for Cobre ${dialect}`, async () => {
      const documents = Object.entries(files)
        .filter(([file]) => file.endsWith(".json"))
        .map(([file, document]) => [file, structuredClone(document)] as const);
      const planted = documents.flatMap(([file, document], i) =>
        plant(document, `nobody_${i}`, dialect).map((name) => [file, name] as const),
      );
      await withCase({ ...files, ...Object.fromEntries(documents) }, async (directory) => {
        const { issues } = await validateCase(directory);
        const lines = issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
        assert.deepEqual(
          unknownIn(lines, severity).sort(),
          planted.map(([, name]) => name).sort(),
          lines.join("\n"),
        );
        for (const [file, name] of planted) {
          const line = lines.find((one) => one.includes(`${name}: is not a known field`));
          assert.ok(line?.startsWith(`${severity} ${file}: `), line);
        }
      });
    });

    it(`of what else files for Cobre ${dialect} may have, and everything else is read`, () => {
      for (const [file, document, expected] of MORE_FILES[dialect]) {
        const { found, told } = readFile(file, document, dialect);
        assert.deepEqual(told, [], file);
        assert.deepEqual(found, expected, file);
        const copy = structuredClone(document);
        const names = plant(copy, "nobody", dialect);
        const { told: lines } = readFile(file, copy, dialect);
        assert.deepEqual(unknownIn(lines, severity).sort(), names.sort(), file);
      }
    });
  }
});

describe("a fault of an entity", () => {
  const KINDS: readonly [file: string, list: string, kind: string][] = [
    ["system/buses.json", "buses", "bus"],
    ["system/lines.json", "lines", "line"],
    ["system/thermals.json", "thermals", "thermal"],
    ["system/hydros.json", "hydros", "hydro"],
    ["system/non_controllable_sources.json", "non_controllable_sources", "non-controllable source"],
    ["system/pumping_stations.json", "pumping_stations", "pumping station"],
    ["system/energy_contracts.json", "contracts", "contract"],
    ["constraints/generic_constraints.json", "constraints", "constraint"],
  ];

  it("is told with its id, or with its place in the list if it has none", () => {
    for (const [file, list, kind] of KINDS) {
      const document = structuredClone(fullCase()[file] ?? goodCase()[file]) as Record<
        string,
        [Record<string, unknown>]
      >;
      const [entity] = document[list] ?? assert.fail(file);
      const { id } = entity;
      entity.name = 7;
      assert.deepEqual(readFile(file, document, "0.5").told, [
        `error ${file}: ${kind} ${id}: name: is 7; must be a text`,
      ]);
      delete entity.id;
      const { told } = readFile(file, document, "0.5");
      assert.deepEqual([...told].sort(), [
        `error ${file}: ${list}[0].id: is missing; must be given`,
        `error ${file}: ${list}[0].name: is 7; must be a text`,
      ]);
    }
  });
});

/** What the reader of a file makes of a document, as JSON, and what it says. */
function readFile(file: string, document: object, dialect: Dialect) {
  const issues = new IssueCollector();
  const [, , read] =
    jsonFiles(formatsWith({}), dialect).find(([name]) => name === file) ?? assert.fail(file);
  const found = read(new ObjectReader(document, { file }, "", issues, dialect), issues);
  return {
    found: found === undefined ? undefined : JSON.parse(JSON.stringify(found)),
    told: issues.issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`),
  };
}
