/** Stopping rules and risk measures of a caller: read from a case with everything else, run by training, kept by policies. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { CASE_FILES, formatIssue } from "@cobre/core";
import {
  type CutSelectionPlugin,
  caseSchemas,
  decodePolicy,
  describeRiskMeasure,
  encodePolicy,
  isRiskNeutral,
  loadCase,
  type Plugins,
  type RiskMeasurePlugin,
  riskWeights,
  SddpError,
  type StoppingRulePlugin,
  train,
  validateCase,
} from "@cobre/sddp";
import { caseNamed, changed, directoryOf } from "./cases.js";
import { rulesAtWork } from "./rules-at-work.js";

/** Holds when the bound has reached a value. */
type BoundReached = { readonly type: "bound_reached"; readonly bound: number };

const boundReached: StoppingRulePlugin<BoundReached> = {
  type: "bound_reached",
  example: '{"type": "bound_reached", "bound": …}',
  meansConverged: true,
  read: (settings) => ({ type: "bound_reached", bound: settings.number("bound") }),
  faultIn: ({ bound }, { isRiskNeutral }) =>
    !isRiskNeutral && bound > 1e9
      ? { problem: `waits for a bound of ${bound}`, remedy: "give one below 1e9" }
      : undefined,
  create: ({ bound }) => ({
    holds: ({ history }) => (history.at(-1)?.lowerBound ?? Number.NEGATIVE_INFINITY) >= bound,
  }),
};

/** Holds when it has been asked a number of times, by all runs together: it keeps the number in the policy. */
type Patience = { readonly type: "patience"; readonly times: number };

const patience: StoppingRulePlugin<Patience> = {
  type: "patience",
  example: '{"type": "patience", "times": …}',
  read: (settings) => ({ type: "patience", times: settings.integer("times", { min: 1 }) }),
  create: ({ times }, { state = Float64Array.of(0) }) => ({
    state,
    holds: () => ++state[0] >= times,
    holdsStill: () => state[0] >= times,
  }),
};

/** A part of the worst outcome, and the mean for the rest. */
type PartlyWorst = { readonly kind: "partly_worst"; readonly part: number };

const partlyWorst: RiskMeasurePlugin<PartlyWorst> = {
  kind: "partly_worst",
  example: '{"partly_worst": {"part": …}}',
  read: (settings) => ({
    kind: "partly_worst",
    part: settings.number("part", { above: 0, max: 1 }),
  }),
  create:
    ({ part }) =>
    (costs, weights) => {
      weights.fill((1 - part) / costs.length);
      weights[costs.indexOf(Math.max(...costs))] += part;
    },
  isNeutral: () => false,
  describe: ({ part }) => `${100 * part} % of the worst case`,
};

/** Keeps the newest cuts. */
const newest: CutSelectionPlugin<{ readonly cuts: number }> = {
  method: "newest",
  read: (selection) => ({ cuts: selection.optionalInteger("newest_cuts", { min: 1 }) ?? 100 }),
  keep: ({ cuts }, pool, _, flags) => flags.fill(1, Math.max(0, pool.count - cuts)),
};

const plugins: Plugins = {
  stoppingRules: [boundReached, patience],
  riskMeasures: [partlyWorst],
  cutSelections: [newest],
};

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-plugins-"));
  cpSync(directoryOf("sddp-tutorial"), folder, { recursive: true });
  withRisk({ partly_worst: { part: 0.5 } });
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Gives every stage of the case a risk measure. */
function withRisk(measure: unknown): void {
  const file = join(folder, CASE_FILES.stages);
  const { stages, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  const weighing = stages.map((stage: object) => ({ ...stage, risk_measure: measure }));
  writeFileSync(file, JSON.stringify({ ...rest, stages: weighing }));
}

const ruled = (...rules: readonly object[]) => ({
  training: { stopping_rules: [{ type: "iteration_limit", limit: 20 }, ...rules] },
});

async function problemsOf(settings: object, given?: Plugins): Promise<readonly string[]> {
  const { issues } = await validateCase(folder, settings, given);
  return issues.map(formatIssue);
}

describe("a stopping rule of the caller", () => {
  it("is read, asked after each iteration, and named as the end", async () => {
    using comm = new LocalCommunicator();
    const directory = directoryOf("sddp-tutorial");
    const free = await train(comm, await loadCase(directory));
    assert.equal(free.hasConverged, false);
    // The first iteration that comes near the last bound is where this one has to end.
    const bound = 0.9 * free.lowerBound;
    const { history } = free.policy;
    const expected = 1 + history.findIndex(({ lowerBound }) => lowerBound >= bound);
    assert.ok(expected > 1 && expected < history.length);
    const source = await loadCase(directory, ruled({ type: "bound_reached", bound }), plugins);
    const { termination, hasConverged, policy } = await train(comm, source, { plugins });
    assert.deepEqual(
      [termination, hasConverged, policy.iteration],
      ["bound_reached", true, expected],
    );
    assert.deepEqual(policy.rulesHolding, [{ type: "bound_reached", bound }]);
  });

  it("finds its numbers again when the policy is resumed from a file", async () => {
    using comm = new LocalCommunicator();
    const rule = { type: "patience", times: 5 };
    const source = await caseNamed("sddp-tutorial");
    const limit = (iterations: number) => ({ type: "iteration_limit", limit: iterations });
    const part = changed(source, { rules: [limit(3), rule] });
    const { policy } = await train(comm, part, { plugins });
    const read = decodePolicy(encodePolicy(policy), "policy");
    assert.deepEqual(read.ruleStates, [{ rule, values: Float64Array.of(3) }]);
    const whole = changed(source, { rules: [limit(20), rule] });
    const { termination, policy: end } = await train(comm, whole, { plugins, resume: read });
    assert.deepEqual([termination, end.iteration], ["patience", 5]);
    assert.deepEqual(read.ruleStates[0].values, Float64Array.of(3), "a rule has copies");
    // With other settings it is another rule.
    const other = changed(source, { rules: [limit(20), { ...rule, times: 4 }] });
    const again = await train(comm, other, { plugins, resume: read });
    assert.equal(again.policy.iteration, 3 + 4);
  });

  it("and a state of another rule is not taken for its own", () => {
    const states = [{ rule: undefined, values: Float64Array.of(9) }];
    const working = rulesAtWork([{ type: "patience", times: 2 }], { plugins, before: states });
    assert.deepEqual(working.states[0]?.values, Float64Array.of(0));
  });
});

describe("a risk measure of the caller", () => {
  it("weighs the outcomes of all stages", async () => {
    using comm = new LocalCommunicator();
    const source = await loadCase(folder, undefined, plugins);
    const { policy, lowerBound } = await train(comm, source, { plugins });
    assert.equal(policy.origin.isRiskNeutral, false);
    // CVaR of the worst of three outcomes, and the mean, half and half.
    const risk = { kind: "cvar", alpha: 1 / 3, lambda: 0.5 };
    const same = await train(comm, changed(await caseNamed("sddp-tutorial"), { risk }));
    const neutral = await train(comm, await caseNamed("sddp-tutorial"));
    assert.ok(Math.abs(lowerBound - same.lowerBound) <= 1e-9 * lowerBound);
    assert.ok(lowerBound > 1.05 * neutral.lowerBound);
  });

  it("is described, and tells whether it is the mean", async () => {
    const { study } = await loadCase(folder, undefined, plugins);
    assert.equal(isRiskNeutral(study, plugins), false);
    const [first] = study.time.stages;
    assert.deepEqual(first.riskMeasure, { kind: "partly_worst", part: 0.5 });
    assert.equal(describeRiskMeasure(first.riskMeasure, plugins), "50 % of the worst case");
  });
});

describe("a cut selection of the caller", () => {
  const directory = directoryOf("sddp-tutorial");
  const selecting = (selection: object) => ({
    training: {
      ...ruled({ type: "patience", times: 6 }).training,
      cut_selection: { selection: { method: "newest", check_frequency: 2, ...selection } },
    },
  });

  it("decides which cuts are in the programs, and the policy remembers it", async () => {
    using comm = new LocalCommunicator();
    const source = await loadCase(directory, selecting({ newest_cuts: 3 }), plugins);
    const { policy } = await train(comm, source, { plugins });
    const read = decodePolicy(encodePolicy(policy), "policy");
    // Of three stages the second one selects: two cuts an iteration, and the last three of twelve.
    const active = (pool: (typeof read.pools)[number]) =>
      Array.from({ length: pool.count }, (_, slot) => Number(pool.isActive(slot)));
    assert.deepEqual(read.pools.map(active), [
      Array.from({ length: 12 }, () => 1),
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1],
      [],
    ]);
    const { lowerBound } = await train(comm, await loadCase(directory));
    assert.ok((policy.history.at(-1)?.lowerBound ?? 0) <= lowerBound * (1 + 1e-9));
  });

  it("has settings of its own among those of the section", async () => {
    const { config } = await loadCase(directory, selecting({}), plugins);
    assert.deepEqual(config.training.cutSelection, {
      method: "newest",
      checkFrequency: 2,
      cuts: 100,
      maxActivePerStage: undefined,
    });
    await assert.rejects(
      loadCase(directory, selecting({ newest_cuts: 0, newest_cut: 1 }), plugins),
      /cut_selection\.selection\.newest_cuts: is 0; must be at least 1/,
    );
    await assert.rejects(
      loadCase(directory, selecting({ method: "newst" }), plugins),
      /method: is "newst"; must be one of: dynamic, lml1, level1, domination, newest; did you mean "newest"/,
    );
    await assert.rejects(
      loadCase(directory, selecting({})),
      /cut_selection\.selection\.method: is "newest"; must be one of: dynamic, lml1, level1, domination/,
    );
  });

  it("is unknown to a training without it", async () => {
    using comm = new LocalCommunicator();
    const source = await loadCase(directory, selecting({}), plugins);
    const { stoppingRules } = plugins;
    await assert.rejects(train(comm, source, { plugins: { stoppingRules } }), {
      kind: "InvalidSettings",
      message: /the cut selection "newest" is none of dynamic, lml1, level1, domination; /,
    });
  });
});

describe("the settings of plug-ins", () => {
  it("are checked with everything else, and all faults told at once", async () => {
    withRisk({ partly_worst: { part: 0, share: 1 } });
    try {
      const settings = {
        ...ruled({ type: "bound_reached" }, { type: "patience", times: 0.5, time: 3 }),
        simulation: { num_scenarios: -1 },
      };
      const stage = (id: number) => [
        `stages.json: stage ${id}: risk_measure.partly_worst.part: is 0; must be above 0 and at most 1`,
        `stages.json: stage ${id}: risk_measure.partly_worst.share: is not a known field; remove it, it has no effect`,
      ];
      assert.deepEqual(
        [...(await problemsOf(settings, plugins))].sort(),
        [
          "config.json: training.stopping_rules[1].bound: is missing; must be given",
          "config.json: training.stopping_rules[2].times: is 0.5; must be a whole number of at most 53 bits",
          "config.json: training.stopping_rules[2].time: is not a known field; remove it, it has no effect",
          "config.json: simulation.selection.num_scenarios: is -1; must be between 1 and 1000000",
          ...[0, 1, 2].flatMap(stage),
        ].sort(),
      );
    } finally {
      withRisk({ partly_worst: { part: 0.5 } });
    }
  });

  it("that make no sense in a study are told by the validation, and refused by training", async () => {
    using comm = new LocalCommunicator();
    const high = ruled({ type: "bound_reached", bound: 2e9 });
    assert.deepEqual(await problemsOf(high, plugins), [
      "config.json: training.stopping_rules[1]: waits for a bound of 2000000000; give one below 1e9",
    ]);
    const { case: neutral } = await validateCase(directoryOf("sddp-tutorial"), high, plugins);
    assert.ok(neutral !== undefined);
    const source = await loadCase(folder, undefined, plugins);
    const rules = [{ type: "bound_reached", bound: 2e9 }];
    await assert.rejects(train(comm, changed(source, { rules }), { plugins }), {
      name: "SddpError",
      kind: "InvalidSettings",
      message:
        /^the stopping rule bound_reached waits for a bound of 2000000000; give one below 1e9$/,
    });
  });

  it("are unknown without the plug-ins, which the message says", async () => {
    const problems = await problemsOf(ruled({ type: "bound_reached", bound: 1 }));
    assert.match(
      problems[0],
      /stopping_rules\[1\]\.type: is "bound_reached"; must be one of: iteration_limit, /,
    );
    assert.match(problems.join("\n"), /stage 0: risk_measure\.cvar: is missing; must be given/);
    const typo = await problemsOf(ruled({ type: "bound_reach", bound: "x" }), plugins);
    assert.equal(typo.length, 1, "its settings cannot be judged");
    assert.match(typo[0], /; did you mean "bound_reached"\?$/);
  });

  it("are in the schemas", () => {
    const schemaOf = (file: string, given?: Plugins) =>
      JSON.stringify(caseSchemas(given).find((schema) => schema.file === file)?.schema);
    const rule =
      '{"type":"object","properties":{"type":{"const":"bound_reached","description":"which rule"},"bound":{"type":"number"}},"required":["type","bound"],"additionalProperties":false}';
    assert.ok(schemaOf(CASE_FILES.config, plugins).includes(rule));
    assert.ok(!schemaOf(CASE_FILES.config).includes("bound_reached"));
    const measure =
      '{"type":"object","properties":{"part":{"type":"number","exclusiveMinimum":0,"maximum":1}},"required":["part"],"additionalProperties":false}';
    assert.ok(schemaOf(CASE_FILES.stages, plugins).includes(`{"partly_worst":${measure}}`));
    assert.ok(!schemaOf(CASE_FILES.stages).includes("partly_worst"));
  });
});

describe("training refuses", () => {
  const refusal = (kind: string, message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof SddpError);
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  };

  it("a rule or a measure that it does not know", async () => {
    using comm = new LocalCommunicator();
    const source = await caseNamed("sddp-tutorial");
    const rules = [{ type: "patient", times: 3 }];
    await assert.rejects(
      train(comm, changed(source, { rules }), { plugins }),
      refusal(
        "InvalidSettings",
        /the stopping rule "patient" is none of .*did you mean "patience"\?/,
      ),
    );
    await assert.rejects(
      train(comm, changed(source, { risk: { kind: "partly_worst", part: 1 } })),
      refusal(
        "InvalidSettings",
        /the risk measure "partly_worst" is none of expectation, .*plugins/,
      ),
    );
  });

  it("settings of a measure that no file can have", () => {
    const weigh = (alpha: number, lambda: number) => () =>
      riskWeights({ kind: "cvar", alpha, lambda }, Float64Array.of(1, 2), new Float64Array(2));
    for (const [alpha, lambda, fault] of [
      [0, 1, /alpha of cvar is 0, but it must be above 0 and at most 1/],
      [1.5, 0, /alpha of cvar is 1\.5, but it must be above 0 and at most 1/],
      [1, 2, /lambda of cvar is 2, but it must be between 0 and 1/],
      [1, -1e-9, /lambda of cvar is -1e-9/],
      [Number.NaN, 1, /alpha of cvar is NaN/],
    ] as const)
      assert.throws(weigh(alpha, lambda), refusal("InvalidSettings", fault));
    for (const [alpha, lambda] of [
      [1, 1],
      [1e-9, 0],
      [0.5, 0.5],
    ])
      weigh(alpha, lambda)();
  });

  it("two plug-ins of one name", async () => {
    const again = { stoppingRules: [{ ...patience, type: "time_limit" } as StoppingRulePlugin] };
    const message = /two plug-ins for the stopping rule "time_limit"; give yours another name/;
    assert.throws(() => caseSchemas(again), refusal("InvalidSettings", message));
    assert.throws(
      () => rulesAtWork([{ type: "time_limit", seconds: 1 }], { plugins: again }),
      refusal("InvalidSettings", message),
    );
  });
});
