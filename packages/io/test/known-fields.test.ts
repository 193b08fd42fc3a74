/** Every field of a case is known by its name: what nobody reads is told, wherever it stands. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import type { Case } from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import type { FileContent } from "./case-folder.js";
import { withCase } from "./case-folder.js";
import { fullCase } from "./full-case.js";

async function judge(
  changes: Readonly<Record<string, FileContent>>,
): Promise<{ found: Case | undefined; issues: string[] }> {
  let found: Case | undefined;
  let issues: string[] = [];
  await withCase({ ...fullCase(), ...changes }, async (directory) => {
    const validation = await validateCase(directory);
    found = validation.case;
    issues = validation.issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
  });
  return { found, issues };
}

/** The places of all objects in a JSON value, as lists of keys. Names of profiles and free objects are no fields. */
function objectsIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => objectsIn(one, [...at, key]));
  return Array.isArray(value) || FREE.test(at.join(".")) ? inner : [at, ...inner];
}
const FREE = /\b(profiles|state_variables|estimation|lipschitz)$/;

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
          seedWindow: 5,
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

describe("a field that nobody reads is told, in every object of", () => {
  for (const [file, content] of Object.entries(fullCase())) {
    if (!file.endsWith(".json")) continue;
    it(file, async () => {
      for (const at of objectsIn(content)) {
        const changed = structuredClone(content) as Record<string, unknown>;
        const object = at.reduce((node, key) => node[key] as Record<string, unknown>, changed);
        object.nobody_reads_this = 1;
        const { issues } = await judge({ [file]: changed });
        assert.equal(issues.length, 1, `${at.join(".")}: ${issues.join("\n")}`);
        assert.match(issues[0] ?? "", /^warning .*nobody_reads_this: is not a known field/);
        assert.ok(issues[0]?.includes(`${file}: `));
      }
    });
  }
});
