/** Which policies a training, a simulation or the end of a horizon can use, and what is said of those that it cannot. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NodeGraph } from "@cobre/core";
import { CutPool, type Policy, type PolicyOrigin, type PolicyStates, SddpError } from "@cobre/sddp";
import {
  boundaryPool,
  checkBases,
  checkResumable,
  checkStates,
  continuedOrigin,
  describeComponent,
  nodesWithOtherBases,
  type StageProblem,
  startedWarm,
} from "#internal";
import { ofChain, ofCycle, ofModel, ofTree } from "./hand-made.js";

function refused(use: () => unknown, message: RegExp): void {
  assert.throws(use, (error) => {
    assert.ok(error instanceof SddpError && error.kind === "IncompatiblePolicy", String(error));
    assert.match(error.message, /^the policy cannot be used: /);
    assert.match(error.message, message);
    return true;
  });
}

/** The policy with another origin. */
const from = (policy: Policy, change: Partial<PolicyOrigin>): Policy => ({
  ...policy,
  origin: { ...policy.origin, ...change },
});

describe("a policy that is resumed", () => {
  const policy = ofChain();
  const { origin } = policy;

  it("has the passes, the data and the solver of the case", () => {
    checkResumable(policy, origin);
    refused(
      () => checkResumable(policy, { ...origin, forwardPasses: 3 }),
      /with 2 forward passes, but the case asks for 3; set training.forward_passes to 2,/,
    );
    refused(
      () => checkResumable(from(policy, { forwardPasses: 1 }), origin),
      /with 1 forward pass, but the case asks for 2;/,
    );
    refused(
      () => checkResumable(policy, { ...origin, caseFingerprint: "another" }),
      /it was trained on other data/,
    );
    const other = { ...origin, solverFingerprint: "another solver" };
    const message = /trained with a solver, but this run uses another solver, so the bits/;
    refused(() => checkResumable(policy, other), message);
    refused(() => checkResumable(policy, other, false), message);
    checkResumable(policy, other, true);
  });

  it("names all solvers that made it", () => {
    const { earlierSolvers: _, ...here } = origin;
    const next = { ...here, solverFingerprint: "the next" };
    assert.deepEqual(continuedOrigin(here, here), here);
    assert.deepEqual(continuedOrigin(here, origin), origin);
    assert.deepEqual(continuedOrigin(next, here).earlierSolvers, ["a solver"]);
    assert.deepEqual(continuedOrigin(next, origin), {
      ...next,
      earlierSolvers: ["an older solver", "a solver"],
    });
  });
});

describe("a policy of another case", () => {
  const policy = ofChain();
  const CHANGES: readonly [policy: Policy, change: Partial<PolicyStates>, message: RegExp][] = [
    [policy, { hydroIds: [4] }, /another case: hydros 4, 7 instead of 4; use/],
    [policy, { lags: 2 }, /another case: lags of inflow 1 instead of 2; use/],
    [policy, { stateNames: ["a", "b"] }, /another case: states none instead of a, b; use/],
    [
      policy,
      { components: policy.origin.components?.slice(0, 5) ?? [] },
      /another case: other states in_transit of hydro 7, 1 ahead; commitment of thermal 2, 2 ahead instead of in_transit of hydro 7, 1 ahead; use/,
    ],
    [policy, { components: undefined }, /; commitment of thermal 2, 2 ahead instead of none; use/],
    [policy, { stageIds: [1, 2] }, /another case: stages 3 instead of 2; use/],
    [
      policy,
      { nodes: ofTree().origin.nodes ?? [] },
      /another case: nodes one for each stage instead of 10 \(stage 0\), 20 \(stage 1\), 21 \(stage 1\), 30 \(stage 2\); use/,
    ],
    [policy, { isCyclic: true }, /another case: horizon finite instead of cyclic; use/],
    [ofCycle(), { isCyclic: false }, /another case: horizon cyclic instead of finite; use/],
    [ofModel(), { stateNames: undefined }, /another case: states {2}instead of none; use/],
    [policy, { hydroIds: [], lags: 0 }, /hydros 4, 7 instead of ; lags of inflow 1 instead of 0;/],
  ];
  it("is refused with all that differs", () => {
    for (const [used, change, message] of CHANGES) {
      checkStates(used, used.origin);
      refused(() => checkStates(used, { ...used.origin, ...change }), message);
    }
  });

  it("may have other dates and other numbers of stages", () => {
    checkStates(policy, { ...policy.origin, stageIds: [1, 2, 3], pricedAt: undefined });
  });

  it("is described by its components", () => {
    const told = (policy.origin.components ?? []).map(describeComponent);
    assert.deepEqual(told, [
      "storage of hydro 4",
      "storage of hydro 7",
      "inflow_lag of hydro 4, lag 1",
      "inflow_lag of hydro 7, lag 1",
      "in_transit of hydro 7, 1 ahead",
      "commitment of thermal 2, 2 ahead",
    ]);
  });
});

describe("the bases of a policy", () => {
  /** Programs with these numbers of columns and rows, without cuts. */
  const programs = (columns: readonly number[], rows: readonly number[]) =>
    columns.map((count, stage) => ({
      stage,
      lp: {
        data: {
          cost: new Float64Array(count),
          rows: { lower: new Float64Array(rows[stage] ?? 0) },
        },
      },
    })) as unknown as StageProblem[];
  const policy = ofChain();

  it("fit programs of their size, with the cuts of the iterations before the last one", () => {
    // Columns 3, 2, 4 and rows 2, 1, 0, of which 2, 1 and 0 are cuts from before iteration 2.
    const fitting = programs([3, 2, 4], [0, 0, 0]);
    assert.deepEqual(nodesWithOtherBases(policy, fitting), []);
    checkBases(policy, fitting);
    const others = programs([3, 3, 4], [1, 0, 0]);
    assert.deepEqual(nodesWithOtherBases(policy, others), [0, 1]);
    refused(
      () => checkBases(policy, others),
      /its bases do not fit the programs of stages 3, 5; train again/,
    );
  });

  it("of a policy before its first iteration have the cuts of a warm start", () => {
    assert.deepEqual(nodesWithOtherBases(ofModel(), programs([3], [0])), []);
    assert.deepEqual(nodesWithOtherBases(ofModel(), programs([3], [1])), [0]);
  });
});

describe("a policy that started warm", () => {
  const chain = NodeGraph.chain([3, 5, 8]);
  const poolOf = (...origins: readonly number[]) =>
    CutPool.from(1, new Float64Array(origins.length), Int32Array.from(origins));
  const WARM: readonly [what: string, pools: readonly CutPool[], isWarm: boolean][] = [
    ["no cuts", [poolOf(), poolOf(), poolOf()], false],
    ["cuts of its own", [poolOf(1, 0), poolOf(1, 0), poolOf()], false],
    ["cuts behind the last stage", [poolOf(1, 0), poolOf(1, 0), poolOf(0, 0)], false],
    ["older cuts of one stage", [poolOf(1, 0), poolOf(0, 0, 1, 0), poolOf()], true],
    ["older cuts of all stages", [poolOf(0, 0), poolOf(0, 0), poolOf(0, 0)], true],
  ];
  for (const [what, pools, isWarm] of WARM) {
    it(`${isWarm ? "has" : "did not if it has"} ${what}`, () => {
      assert.equal(startedWarm({ pools }, chain), isWarm);
    });
  }
});

describe("what lies behind the last stage", () => {
  const whole = ofChain();
  /** A case that ends when stage 5 of the policy does. */
  const here: PolicyStates = {
    ...whole.origin,
    pricedAt: ["2025-01-15", "2025-02-01", "2025-03-01"],
  };
  const valuesOf = (policy: Policy, pool: number) => [
    ...(policy.pools[pool] as CutPool).packedValues(),
  ];

  it("are the cuts of the stage that ends on the same day, as old ones, and its floor", () => {
    const pool = boundaryPool({ policy: whole }, here);
    assert.deepEqual([...pool.packedValues()], [...valuesOf(whole, 1), -3.5, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual([...pool.packedOrigins()], [0, 0, 0, 0, 0, 0]);
    assert.equal(pool.active, 3);
  });

  it("are those of the first stage, too, with all cuts and without a floor that is none", () => {
    const first = { ...here, pricedAt: ["2024-12-01", "2025-01-01", "2025-02-01"] };
    for (const boundary of [{ policy: whole }, { policy: whole, sourceStage: 0 }]) {
      const pool = boundaryPool(boundary, first);
      assert.deepEqual([...pool.packedValues()], valuesOf(whole, 0));
      assert.equal(pool.active, 3);
    }
    const older = from(whole, { floors: undefined });
    const { count } = boundaryPool({ policy: older, sourceStage: 1 }, here);
    assert.equal(count, 2);
  });

  it("are those of the only node of a stage", () => {
    const tree = ofTree();
    const [value = 0, slope = 0] = valuesOf(tree, 0);
    const boundary = boundaryPool({ policy: tree, sourceStage: 0 }, tree.origin);
    assert.deepEqual([...boundary.packedValues()], [value, slope, 0, 0]);
    const use = (sourceStage: number) => () =>
      boundaryPool({ policy: tree, sourceStage }, tree.origin);
    refused(use(1), /its stage 1 has 2 nodes, each with cuts of its own; choose a stage with one/);
    const none =
      /no cuts for stage \d, which policy.boundary.source_stage names; choose a stage that others follow/;
    refused(use(2), none);
    refused(use(3), none);
  });

  /** The policy with these iterations and passes of cuts. */
  const cutsOf = (...pools: readonly (readonly number[])[]): Policy => ({
    ...whole,
    pools: pools.map((origins) =>
      CutPool.from(6, new Float64Array((origins.length / 2) * 7), Int32Array.from(origins)),
    ),
  });
  const seven = Array.from({ length: 7 }, (_, i) => `2031-0${i + 1}-01`);
  const REFUSED: readonly [
    policy: Policy,
    states: PolicyStates,
    sourceStage: number | undefined,
    message: RegExp,
  ][] = [
    [
      whole,
      { ...here, stateNames: ["a", "b"] },
      1,
      /its states are those of a case, but here they are a, b; use the policy of a model/,
    ],
    [
      ofModel(),
      { ...ofModel().origin, stateNames: undefined },
      0,
      /its states are , but here they are those of a case; use/,
    ],
    [
      whole,
      { ...here, hydroIds: [4, 8] },
      1,
      /its states are hydros 4, 7 with 1 lags of inflow, but this case has hydros 4, 8 with 1; set/,
    ],
    [whole, { ...here, lags: 0 }, 1, /hydros 4, 7 with 1 lags of inflow, but .* 4, 7 with 0; set/],
    [
      whole,
      { ...here, components: [] },
      1,
      /its other states are in_transit of hydro 7, 1 ahead; commitment of thermal 2, 2 ahead, but those of this case none; set/,
    ],
    [
      whole,
      here,
      2,
      /no cuts for stage 2, which policy.boundary.source_stage names; choose a stage from 0 to 1$/,
    ],
    [
      whole,
      here,
      7,
      /no cuts for stage 7, which policy.boundary.source_stage names; choose a stage from 0 to 1$/,
    ],
    [cutsOf([], [], []), here, 0, /no cuts for stage 0, .*; choose another policy, for this one/],
    [cutsOf([1, 0], [], []), here, 1, /no cuts for stage 1, .*; choose a stage from 0 to 0$/],
    [cutsOf([], [1, 0], []), here, 0, /no cuts for stage 0, .*; choose a stage from 0 to 1$/],
    [
      whole,
      { ...here, pricedAt: ["2025-04-01"] },
      undefined,
      /no cuts for stage 2, which ends on that date; choose a stage from 0 to 1$/,
    ],
    [
      whole,
      { ...here, pricedAt: undefined },
      undefined,
      /this model has no dates .*; give sourceStage/,
    ],
    [
      from(whole, { pricedAt: undefined }),
      here,
      undefined,
      /it is of an earlier version, or of Cobre 0\.5, and does not say when its stages end; give policy.boundary.source_stage/,
    ],
    [
      from(whole, { pricedAt: seven.slice(1) }),
      here,
      undefined,
      /none of its stages ends on 2025-03-01, .*: its stages end on 2031-02-01, 2031-03-01, 2031-04-01, 2031-05-01, 2031-06-01, 2031-07-01;/,
    ],
    [
      from(whole, { pricedAt: seven }),
      here,
      undefined,
      /its stages end on 2031-01-01, 2031-02-01, 2031-03-01, … 2031-07-01; use/,
    ],
  ];
  it("is refused if it is not there, or speaks of other states", () => {
    for (const [policy, states, sourceStage, message] of REFUSED) {
      refused(() => boundaryPool({ policy, sourceStage }, states), message);
    }
  });
});
