/** The rule that compares the bound with the confidence interval of simulated costs, with numbers that were worked out by hand. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { CASE_FILES, formatIssue, IssueCollector } from "@cobre/core";
import { loadCase, simulate, train } from "@cobre/sddp";
import { formatsWith } from "#internal";
import { caseNamed, changed, directoryOf } from "./cases.js";
import { rulesAtWork } from "./rules-at-work.js";

const RULE = { type: "statistical", replications: 4, period: 2, zScore: 1.96 };

/** Bounds that end in one; the others do not count. */
const progressOf = (iterations: number, lowerBound: number) => ({
  history: Array.from({ length: iterations }, (_, i) => ({
    lowerBound: i + 1 === iterations ? lowerBound : 0,
    upperBoundMean: 0,
  })),
  initialBound: 0,
  isWarm: false,
  isRiskNeutral: true,
});

describe("a statistical rule holds", () => {
  // Mean 10, deviation √(8/3), of the mean √(2/3).
  const scenarioCosts = () => Float64Array.of(8, 10, 12, 10);
  const isHolding = (bound: number, rule: typeof RULE = RULE, iterations = 2) =>
    rulesAtWork([rule], { scenarioCosts }).holding(progressOf(iterations, bound), []).length === 1;

  it("from the lower end of the interval on", () => {
    const end = 10 - 1.96 * Math.sqrt(2 / 3);
    assert.equal(isHolding(end - 1e-6), false);
    assert.equal(isHolding(end + 1e-6), true);
    assert.equal(isHolding(11), true);
    assert.equal(isHolding(100), true);
  });

  it("for an interval of no width where bound and mean are the same but for rounding", () => {
    const narrow = { ...RULE, zScore: 0 };
    assert.equal(isHolding(10 - 0.9e-8, narrow), true);
    assert.equal(isHolding(10 - 1.1e-8, narrow), false);
    const small = (bound: number) =>
      rulesAtWork([narrow], { scenarioCosts: () => Float64Array.of(0, 0) }).holding(
        progressOf(2, bound),
        [],
      ).length === 1;
    assert.equal(small(-0.9e-9), true, "a small mean counts as 1");
    assert.equal(small(-1e-9), true);
    assert.equal(small(-1.1e-9), false);
  });

  it("every period only, and simulates only then", () => {
    const asked: number[] = [];
    const working = rulesAtWork([RULE], {
      scenarioCosts: (scenarios) => {
        asked.push(scenarios);
        return scenarioCosts();
      },
    });
    const holding = [0, 1, 2, 3, 4].map((n) => working.holding(progressOf(n, 10), []).length);
    assert.deepEqual(holding, [0, 0, 1, 0, 1]);
    assert.deepEqual(asked, [4, 4]);
  });

  it("after a resume only if it held before", () => {
    const working = rulesAtWork([RULE]);
    assert.deepEqual(working.holdingStill(progressOf(2, 10), [{ ...RULE }]), [RULE]);
    assert.deepEqual(working.holdingStill(progressOf(2, 10), []), []);
    assert.deepEqual(working.holdingStill(progressOf(3, 10), [RULE]), []);
    assert.deepEqual(working.holdingStill(progressOf(0, 10), [RULE]), [], "of no iteration");
    const always = { ...RULE, period: 1 };
    assert.deepEqual(rulesAtWork([always]).holdingStill(progressOf(1, 10), [always]), [always]);
  });
});

describe("a training with a statistical rule", () => {
  const settings = (rule: object) => ({
    training: { stopping_rules: [{ type: "iteration_limit", limit: 30 }, rule] },
  });
  const written = { type: "statistical", replications: 100, period: 3 };

  it("ends at the first test that its own simulation passes", async () => {
    using comm = new LocalCommunicator();
    const source = await loadCase(directoryOf("sddp-tutorial"), settings(written));
    const { termination, hasConverged, policy, lowerBound } = await train(comm, source);
    assert.deepEqual([termination, hasConverged], ["statistical", true]);
    const { iteration } = policy;
    assert.equal(iteration % 3, 0);
    assert.ok(iteration < 30);
    // The simulation of the policy has the same scenarios, and so the same interval.
    const interval = async (from: typeof policy) => {
      const { statistics } = await simulate(comm, source, from, { scenarios: 100 });
      return statistics.mean - (statistics.ci95 ?? Number.NaN);
    };
    assert.ok(lowerBound >= (await interval(policy)));
    if (iteration > 3) {
      const before = changed(source, { iterations: iteration - 3 });
      const earlier = await train(comm, before);
      assert.ok(earlier.lowerBound < (await interval(earlier.policy)));
    }
  });

  it("is refused with a risk measure, by name", async () => {
    const averse = changed(await caseNamed("sddp-tutorial"), { risk: { kind: "worst_case" } });
    const issues = new IssueCollector();
    const { training, simulation } = averse.config;
    const ruled = { training: { ...training, stoppingRules: [RULE] }, simulation };
    formatsWith({}).check?.(ruled, averse.study, issues);
    assert.match(
      issues.errors.map(formatIssue).join(),
      new RegExp(`^${CASE_FILES.config}: training.stopping_rules\\[0\\]: compares the lower bound`),
    );
  });

  it("has 1.96 deviations and at least two replications, if nothing else is said", async () => {
    const directory = directoryOf("sddp-tutorial");
    const { config } = await loadCase(directory, settings(written));
    assert.deepEqual(config.training.stoppingRules[1], {
      type: "statistical",
      replications: 100,
      period: 3,
      zScore: 1.96,
    });
    await assert.rejects(
      loadCase(directory, settings({ ...written, replications: 1, z_score: -1 })),
      /replications: is 1; must be between 2 .*\n.*z_score: is -1; must be at least 0/,
    );
  });
});
