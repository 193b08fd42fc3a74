/**
 * Every number that affects training is in the fingerprint of a case, and those of the later stages are in the fingerprint of a stage's
 * future: else a policy would be resumed, or its cuts kept, on other data. The model is made up and has only what fingerprints read.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NodeGraph } from "@cobre/core";
import { CutPool, type PolicyOrigin } from "@cobre/sddp";
import { originOf, policyNodes, type StageProblem, stagesWithOtherFutures } from "#internal";
import {
  BUSES,
  type Data,
  dataOf,
  fingerprintsOf,
  HYDROS,
  LAGS,
  STAGES,
  upTo,
  WIDTH,
} from "./fingerprint-model.js";

/** Whether a change is another case, and which futures it changes. */
function effectOf(make: () => Data, change: (data: Data) => void) {
  const changed = make();
  change(changed);
  const [before, after] = [fingerprintsOf(make()), fingerprintsOf(changed)];
  const stages = upTo(STAGES).filter(
    (stage) => before.futureFingerprints[stage] !== after.futureFingerprints[stage],
  );
  return { isOther: before.caseFingerprint !== after.caseFingerprint, stages };
}

/** Every array whose numbers belong to stages, and how many each stage has. */
const OF_STAGES: readonly [name: keyof Data, perStage: number][] = [
  ["base", HYDROS],
  ["sigma", HYDROS],
  ["psi", HYDROS * LAGS],
  ["loadMean", BUSES],
  ["loadStd", BUSES],
  ["shareMean", 2],
  ["shareStd", 2],
  ["noise", 2 * WIDTH],
];

describe("the fingerprints of a case", () => {
  it("change with every number of a stage: that of the case, and the futures of the stages before", () => {
    for (const [name, perStage] of OF_STAGES) {
      for (const at of upTo(STAGES * perStage)) {
        const effect = effectOf(
          () => dataOf(2),
          (data) => {
            (data[name] as Float64Array)[at] += 0.5;
          },
        );
        const expected = { isOther: true, stages: upTo(Math.floor(at / perStage)) };
        assert.deepEqual(effect, expected, `${name}[${at}]`);
      }
    }
  });

  it("change with every number of a program, and with the factors and measures of risk of a stage", () => {
    const inProgram = (one: Data["programs"][number]) => [
      one.cost,
      one.columnLower,
      one.columnUpper,
      ...Object.values(one.rows),
    ];
    for (const stage of upTo(STAGES)) {
      const before = upTo(stage);
      for (const at of upTo(8)) {
        const effect = effectOf(
          () => dataOf(0),
          (data) => {
            const array = inProgram(data.programs[stage])[at];
            array[array.length - 1]++;
          },
        );
        assert.deepEqual(effect, { isOther: true, stages: before }, `program ${stage}, ${at}`);
      }
      for (const name of ["loadFactors", "sourceFactors"] as const) {
        const effect = effectOf(
          () => dataOf(2),
          (data) => {
            data[name][stage][1]++;
          },
        );
        assert.deepEqual(effect, { isOther: true, stages: before }, `${name} ${stage}`);
      }
      // The measure of a stage weighs what follows it.
      const risky = effectOf(
        () => dataOf(0),
        (data) => {
          data.risks[stage] = { kind: "cvar", alpha: 0.5, lambda: 0.5 };
        },
      );
      const weighed = stage === STAGES - 1 ? [] : upTo(stage + 1);
      assert.deepEqual(risky, { isOther: true, stages: weighed }, `risk ${stage}`);
    }
  });

  const ALL = [0, 1];
  const EVERYWHERE = [0, 1, 2];
  const put = (patch: Partial<Data>) => (data: Data) => {
    Object.assign(data, patch);
  };
  const setting = (patch: Partial<Data["training"]>) => (data: Data) => {
    Object.assign(data.training, patch);
  };
  const add =
    (name: keyof Data, at: number, much = 1) =>
    (data: Data) => {
      (data[name] as Float64Array)[at] += much;
    };
  const SETTINGS: readonly [what: string, change: (data: Data) => void, boolean, number[]][] = [
    ["nothing", () => {}, false, []],
    ["the sign of the seed", setting({ treeSeed: -42 }), false, []],
    ["the seed", setting({ treeSeed: 43 }), true, []],
    ["the forward passes", setting({ forwardPasses: 4 }), true, []],
    ["the attempts of the solver", setting({ retryMaxAttempts: 6 }), true, []],
    ["a selection of cuts", setting({ cutSelection: { method: "lml1" } }), true, []],
    ["every path", setting({ isEnumerated: true }), true, []],
    ["sampled paths", setting({ isEnumerated: false }), false, []],
    ["the state at the start", add("initialState", 3), true, []],
    ["the discount", add("discount", 2), true, []],
    ["the id of a stage", add("stageIds", 1), true, []],
    ["the id of a plant", add("hydroIds", 1), true, EVERYWHERE],
    ["the rules of Cobre 0.5", put({ compat: "cobre-0.5" }), true, ALL],
    ["what mends inflows", put({ method: "penalty" }), true, ALL],
    ["the noise of loads", add("noiseOfBus", 1), false, ALL],
    ["the noise of sources", add("noiseOfSource", 1), false, ALL],
    ["what lies behind the last stage", add("boundary", 1), false, EVERYWHERE],
    // Past inflows count only where an inflow may be mended.
    ["the least past inflow", add("lowestLagTerm", 5), false, [0, 1]],
    ["… of an earlier stage", add("lowestLagTerm", 3), false, [0]],
    ["… of the first stage", add("lowestLagTerm", 1), false, []],
    ["the greatest past inflow", add("highestLagTerm", 5), false, [0, 1]],
    ["… where no inflow is mended", add("highestLagTerm", 4), false, []],
    ["that an inflow may be mended", add("lowestUntruncated", 4, -1), false, [0, 1]],
  ];
  for (const [what, change, isOther, stages] of SETTINGS) {
    const effects = [isOther ? "another case" : "the same case", `futures [${stages}]`];
    it(`say of ${what}: ${effects.join(", ")}`, () => {
      assert.deepEqual(
        effectOf(() => dataOf(2), change),
        { isOther, stages },
      );
    });
  }

  it("have no past inflows if negative ones are not mended", () => {
    const unmended = () => ({ ...dataOf(0), method: "none" });
    const effect = effectOf(unmended, (data) => data.lowestLagTerm.fill(0));
    assert.deepEqual(effect, { isOther: false, stages: [] });
  });
});

describe("the fingerprints of a graph", () => {
  const next = (...nodes: readonly number[]) =>
    nodes.map((node) => ({ node, probability: 1 / nodes.length }));
  const tree = (probability = 0.5, label = "wet") =>
    new NodeGraph(
      [
        { id: 1, stage: 0, children: next(1, 2) },
        { id: 2, stage: 1, children: next(3, 4), label },
        {
          id: 3,
          stage: 1,
          children: [
            { node: 3, probability },
            { node: 4, probability: 1 - probability },
          ],
        },
        { id: 4, stage: 2, children: [] },
        { id: 5, stage: 2, children: [] },
      ],
      next(0),
    );
  const cycle = () => NodeGraph.chain([4, 5, 6], true);

  it("change with its probabilities, wherever they are, and not with its labels", () => {
    const withGraph = (graph: NodeGraph) => (data: Data) => {
      data.graph = graph;
    };
    const ofTree = () => dataOf(0, tree());
    const other = effectOf(ofTree, withGraph(tree(0.25)));
    assert.deepEqual(other, { isOther: true, stages: [0, 1, 2] });
    const dry = effectOf(ofTree, withGraph(tree(0.5, "dry")));
    assert.deepEqual(dry, { isOther: false, stages: [] });
    const around = effectOf(() => dataOf(0), withGraph(cycle()));
    assert.deepEqual(around, { isOther: true, stages: [0, 1, 2] });
  });

  it("change with the noise of every node of later stages", () => {
    // Two openings of each node: the second stage begins after 2, the third after 6 of 10.
    for (const [opening, stages] of [
      [0, []],
      [2, [0]],
      [5, [0]],
      [6, [0, 1]],
      [9, [0, 1]],
    ] as const) {
      const effect = effectOf(
        () => dataOf(0, tree()),
        (data) => data.noise[opening * WIDTH]++,
      );
      assert.deepEqual(effect, { isOther: true, stages }, `opening ${opening}`);
    }
  });

  it("change with every stage of a cycle, for each of them", () => {
    for (const stage of upTo(STAGES)) {
      const effect = effectOf(
        () => dataOf(0, cycle()),
        (data) => data.loadMean[stage * BUSES]++,
      );
      assert.deepEqual(effect, { isOther: true, stages: [0, 1, 2] });
    }
    // The measure of the last stage weighs the first.
    const risky = effectOf(
      () => dataOf(0, cycle()),
      (data) => {
        data.risks[2] = { kind: "cvar", alpha: 0.5, lambda: 0.5 };
      },
    );
    assert.deepEqual(risky, { isOther: true, stages: [0, 1, 2] });
  });

  it("say which nodes a policy has", () => {
    assert.deepEqual(policyNodes(NodeGraph.chain([4, 5])), {});
    assert.deepEqual(policyNodes(cycle()), { isCyclic: true });
    const nodes = [
      { id: 1, stage: 0 },
      { id: 2, label: "wet", stage: 1 },
      { id: 3, stage: 1 },
      { id: 4, stage: 2 },
      { id: 5, stage: 2 },
    ];
    assert.deepEqual(policyNodes(tree()), { nodes });
  });

  it("are those that earlier versions found: their policies can be resumed", () => {
    const withSelection = dataOf(0);
    withSelection.training.cutSelection = { method: "lml1" };
    const short = (data: Data) => {
      const { caseFingerprint, futureFingerprints } = fingerprintsOf(data);
      return [caseFingerprint, ...futureFingerprints].map((hash) => hash.slice(0, 8)).join(" ");
    };
    assert.deepEqual(
      {
        chain: short(dataOf(0)),
        selected: short(withSelection),
        source: short(dataOf(1)),
        sources: short(dataOf(2)),
        tree: short(dataOf(0, tree())),
        cycle: short(dataOf(0, cycle())),
      },
      {
        chain: "4197f3f1 73200474 c565d859 506c5367",
        selected: "2916faf8 73200474 c565d859 506c5367",
        source: "44ca0daa 8d7538a8 69a2632d 506c5367",
        sources: "d799e2d3 c16bca42 943ba0b6 506c5367",
        tree: "82e93f4e 34e5e046 7432cf3e 5c106529",
        cycle: "f9069bb7 cdbb808d adeaa3ab d95d231e",
      },
    );
  });
});

describe("the origin of a policy", () => {
  const pools = [0, 3].map((count) =>
    CutPool.from(1, new Float64Array(2 * count), new Int32Array(2 * count)),
  );
  const problems = [-4, 5].map((floor) => ({
    lp: { theta: 1, data: { columnLower: Float64Array.of(7, floor) } },
  })) as unknown as StageProblem[];
  /** The model that tells as its fingerprint how many cuts lie behind its last stage. */
  const modelOf = (isCyclic: boolean, isEnumerated?: boolean) =>
    ({
      dimension: 1,
      graph: { isCyclic },
      config: { training: { forwardPasses: 3, treeSeed: -6, isEnumerated } },
      states: { hydroIds: [8], lags: 0, stageIds: [4, 5] },
      fingerprints: (built: unknown, { count }: CutPool) => ({
        caseFingerprint: built === problems ? `${count} behind` : "of other programs",
        futureFingerprints: [],
      }),
    }) as unknown as Parameters<typeof originOf>[0];
  const solver = { fingerprint: "a solver" } as Parameters<typeof originOf>[1];

  it("has states, settings, floors, and what lies behind the last stage", () => {
    const origin = originOf(modelOf(false), solver, problems, pools, true);
    assert.deepEqual(origin, {
      caseFingerprint: "3 behind",
      futureFingerprints: [],
      isRiskNeutral: true,
      solverFingerprint: "a solver",
      hydroIds: [8],
      lags: 0,
      stageIds: [4, 5],
      forwardPasses: 3,
      seed: -6,
      floors: [-4, 5],
    });
  });

  it("says whether every path was walked, and of a cycle that nothing lies behind it", () => {
    const every = originOf(modelOf(true, true), solver, problems, pools, false);
    assert.deepEqual([every.isEnumerated, every.caseFingerprint], [true, "0 behind"]);
    assert.equal(every.isRiskNeutral, false);
  });
});

describe("cuts of other futures", () => {
  const origin = (futures: readonly string[] | undefined, more: Partial<PolicyOrigin> = {}) =>
    ({
      caseFingerprint: `${futures}`,
      futureFingerprints: futures,
      stageIds: [4, 5, 6],
      ...more,
    }) as PolicyOrigin;
  const here = origin(["a", "b", "c"]);

  it("are those of stages whose later stages have changed", () => {
    assert.deepEqual(stagesWithOtherFutures(here, here), []);
    assert.deepEqual(stagesWithOtherFutures(origin(["x", "b", "c"]), here), [0]);
    assert.deepEqual(stagesWithOtherFutures(origin(["x", "y", "z"]), here), [0, 1]);
    // What follows the last stage has cuts of its own only in a cycle.
    const cyclic = { ...here, isCyclic: true };
    assert.deepEqual(stagesWithOtherFutures(origin(["a", "b", "z"]), here), []);
    assert.deepEqual(stagesWithOtherFutures(origin(["a", "b", "z"]), cyclic), [2]);
    assert.deepEqual(stagesWithOtherFutures(origin(undefined), here), [0, 1]);
    assert.deepEqual(stagesWithOtherFutures(here, origin(undefined)), [0, 1]);
    const same = origin(undefined, { caseFingerprint: here.caseFingerprint });
    assert.deepEqual(stagesWithOtherFutures(same, here), []);
  });
});
