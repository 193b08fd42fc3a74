/** How algorithms of somebody's own are written in a case: their rules, measures and methods are read, and what is wrong with them is told. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatIssue, IssueCollector } from "@cobre/core";
import {
  type AlgorithmFormats,
  ObjectReader,
  parseConfig,
  type RiskMeasureFormat,
  type StoppingRuleFormat,
} from "@cobre/io";
import { jsonFiles } from "#internal";
import { goodCase, stage } from "./case-folder.js";

const limit: StoppingRuleFormat = {
  type: "limit",
  example: '{"type": "limit", "count": …}',
  isNeeded: true,
  read: (settings) => ({ type: "limit", count: settings.integer("count", { min: 1 }) }),
};
const gap: StoppingRuleFormat = {
  type: "gap",
  example: '{"type": "gap"}',
  read: () => ({ type: "gap" }),
};
const mean: RiskMeasureFormat = { kind: "mean", example: '"mean"' };
const worst: RiskMeasureFormat = { kind: "worst", example: '"worst"' };
const tail: RiskMeasureFormat = {
  kind: "tail",
  example: '{"tail": {"share": …}}',
  read: (settings) => ({ kind: "tail", share: settings.number("share") }),
};
const formats: AlgorithmFormats = {
  stoppingRules: [limit],
  riskMeasures: [mean],
  cutSelections: [{ method: "all", read: () => ({}) }],
};

describe("stopping rules of a case", () => {
  const rules = (list: unknown, ...known: StoppingRuleFormat[]) => {
    const issues = new IssueCollector();
    const config = { training: { forward_passes: 1, stopping_rules: list } };
    const stoppingRules = [limit, ...known] as const;
    const { training } = parseConfig(config, "f", issues, { ...formats, stoppingRules });
    return [training.stoppingRules, ...issues.issues.map(formatIssue)];
  };
  const one = { type: "limit", count: 3 };

  it("are read by their names, and one that is needed is told if it is missing", () => {
    assert.deepEqual(rules([one, { type: "gap" }], gap), [[one, { type: "gap" }]]);
    assert.deepEqual(rules([{ type: "gap" }], gap), [
      [{ type: "gap" }],
      'f: training.stopping_rules: has no limit; add {"type": "limit", "count": …}',
    ]);
    assert.deepEqual(rules([{ ...one, other: 1 }]), [
      [one],
      "f: training.stopping_rules[0].other: is not a known field; remove it, it has no effect",
    ]);
  });

  it("that nobody knows are told, and nothing about their fields or what else is missing", () => {
    assert.deepEqual(rules([{ type: "limits", other: 1 }]), [
      [{ type: "limits" }],
      'f: training.stopping_rules[0].type: is "limits"; must be one of: limit; did you mean "limit"?',
    ]);
    assert.deepEqual(rules([{ type: "limits" }, { type: "gap" }], gap).length, 2);
    assert.deepEqual(rules([{ type: "gap" }]), [
      [{ type: "gap" }],
      "f: training.stopping_rules[0].type: asks for a rule about the gap of both bounds, which enumerated paths have; this version cannot do that yet",
    ]);
    assert.deepEqual(rules([]), [[]]);
    assert.deepEqual(rules([{ count: 3 }]), [
      [one],
      "f: training.stopping_rules[0].type: is missing; must be given",
    ]);
  });
});

describe("risk measures of a case", () => {
  const measure = (given: unknown, ...known: [RiskMeasureFormat, ...RiskMeasureFormat[]]) => {
    const issues = new IssueCollector();
    const [, , read] =
      jsonFiles({ ...formats, riskMeasures: known }).find(([file]) => file === "stages.json") ??
      assert.fail();
    const document = {
      ...(goodCase()["stages.json"] as object),
      stages: [stage(0, { risk_measure: given })],
    };
    const time = read(new ObjectReader(document, { file: "f" }, "", issues), issues);
    const [first] = (time as { stages: { riskMeasure: object }[] }).stages;
    return [first?.riskMeasure, ...issues.issues.map(formatIssue)];
  };
  const told = (problem: string) => `f: stage 0: risk_measure: ${problem}`;

  it("are names, or have settings; the first one is that of stages which name none", () => {
    for (const given of [undefined, null, "mean"]) {
      assert.deepEqual(measure(given, mean, worst), [{ kind: "mean" }]);
      assert.deepEqual(measure(given, mean, tail), [{ kind: "mean" }]);
    }
    assert.deepEqual(measure("worst", mean, worst), [{ kind: "worst" }]);
    assert.deepEqual(measure("worst", mean, tail, worst), [{ kind: "worst" }]);
    assert.deepEqual(measure({ tail: { share: 0.5 } }, mean, tail), [{ kind: "tail", share: 0.5 }]);
    assert.deepEqual(measure(undefined, tail), [{ kind: "tail" }]);
  });

  it("that nobody knows are told with what there is", () => {
    assert.deepEqual(measure("best", mean, worst), [
      { kind: "mean" },
      told('is "best"; must be one of: mean, worst'),
    ]);
    assert.deepEqual(measure("best", tail)[1], told('is "best"; must be {"tail": {"share": …}}'));
    assert.deepEqual(
      measure(7, mean, tail)[1],
      told('is 7; must be "mean" or {"tail": {"share": …}}'),
    );
    assert.deepEqual(
      measure("men", mean, worst, tail)[1],
      told('is "men"; must be "mean", "worst" or {"tail": {"share": …}}; did you mean "mean"?'),
    );
  });

  it("have no other fields", () => {
    assert.deepEqual(measure({ tail: { share: 0.5, a: 1 }, b: 2 }, mean, tail).slice(1), [
      told("risk_measure.tail.a").replace("risk_measure: ", "") +
        ": is not a known field; remove it, it has no effect",
      told("risk_measure.b").replace("risk_measure: ", "") +
        ": is not a known field; remove it, it has no effect",
    ]);
  });
});

describe("methods of cut selection of a case", () => {
  it("read their settings even if another one is chosen", () => {
    const issues = new IssueCollector();
    const cutSelections = [
      { method: "all", read: () => ({}) },
      {
        method: "some",
        read: (selection: ObjectReader) => ({ share: selection.optionalNumber("share") ?? 0.5 }),
      },
    ] as const;
    const selection = (section: object) => {
      const training = { forward_passes: 1, stopping_rules: [{ type: "limit", count: 1 }] };
      const config = { training: { ...training, cut_selection: section } };
      return parseConfig(config, "f", issues, { ...formats, cutSelections }).training.cutSelection;
    };
    const common = { checkFrequency: 5, maxActivePerStage: undefined };
    assert.deepEqual(selection({}), { method: "all", ...common });
    assert.deepEqual(selection({ method: "some" }), { method: "some", share: 0.5, ...common });
    assert.deepEqual(selection({ method: "all", share: 0.25 }), { method: "all", ...common });
    assert.deepEqual(selection({ method: "some", share: 0.25, check_frequency: 1 }), {
      method: "some",
      share: 0.25,
      checkFrequency: 1,
      maxActivePerStage: undefined,
    });
    assert.deepEqual(selection({ enabled: false, max_active_per_stage: 3, check_frequency: 7 }), {
      method: undefined,
      checkFrequency: 1,
      maxActivePerStage: 3,
    });
    assert.equal(selection({ enabled: false }), undefined);
    assert.deepEqual(issues.issues, []);
  });
});
