/**
 * What `npm run mutate` changes, and the tests that should notice. A target is a line of the report. Names are those of the sources; a file
 * stands for itself, a folder for all in it.
 *
 * A target has the tests that are about its code. More would notice more, but every change that nobody notices has to go through all of
 * them. Tests that start groups of processes take seconds each, and groups differ only in who computes what.
 */
const sddp = (folder, tests) => ({
  name: `sddp/${folder}`,
  code: [`packages/sddp/src/${folder}`],
  tests: tests.map((name) => `packages/sddp/test/${name}.test.ts`),
});
/** Whole runs of examples and of random systems. */
const RUNS = ["golden/golden", "results/identities", "results/slopes", "results/equipment"];
/** The parts of a stage's program, each on a system of a few columns. */
const ELEMENTS = [
  "blocks",
  "commitment",
  "elements",
  "filling",
  "generic-constraint",
  "later-rules",
  "lives",
  "non-controllable",
  "production",
  "pumping-and-contracts",
  "recorded",
  "recorded-links",
  "travel-time",
  "unit-groups",
  "water-use",
].map((name) => `elements/${name}`);
/** How training starts, goes on and ends. */
const COURSE = [
  "resume-ended",
  "resume",
  "rules",
  "training/checkpoints",
  "training/held-and-ended",
  "training/rules-in-training",
  "warm-start",
];

const PARTS = [
  "exchanged-items",
  "training/training-events",
  "training/simulation-events",
  "training-parts",
];
const INFLOWS = ["inflow-slack", "truncated-inflows"];
const OPENINGS = ["opening-groups", "opening-order"];

export const TARGETS = [
  sddp("cuts", [
    "cut-pool",
    "cut-rows",
    "cut-selection",
    "heights",
    "rows-on-demand",
    "selection-settings",
  ]),
  sddp("models", ["models/definition", "models/fingerprints", "models/published"]),
  sddp("risk", ["risk-weights", "worst-case", "plugins"]),
  sddp("stopping", ["stopping-rules", "stopping-settings", "statistical", "plugins"]),
  sddp("stage", [
    "stage-bounds",
    "stage-counts",
    "stage/coefficients",
    "stage/floors",
    "stage/stage-openings",
    "stage/stage-program",
    "stage/stage-solve",
    "program-builder",
    ...ELEMENTS,
    ...RUNS,
  ]),
  sddp("results", [
    "elements/recorded",
    "result-table",
    "results/rounding",
    "results/table-rows",
    "training-parts",
    ...RUNS,
  ]),
  sddp("sampling", ["sampling", "golden/golden", "graphs/census"]),
  sddp("simulation", [
    "boundary",
    "changed-programs",
    "graphs/census",
    "simulate-options",
    "statistical",
    ...PARTS,
    ...RUNS,
  ]),
  sddp("training", [
    ...PARTS,
    ...INFLOWS,
    ...OPENINGS,
    "boundary",
    "cut-selection",
    "exact-values",
    "graphs/case-graphs",
    ...COURSE,
    ...RUNS,
  ]),
  // Here the ranks are what it is about.
  sddp("distribution", ["distribution/deal", "distribution/exchange"]),
  sddp("policy", [
    "boundary",
    "changed-programs",
    "fuzz-policy",
    "policy/damaged",
    "policy/fingerprints",
    "policy/foreign",
    "policy/round-trip",
    "policy/states",
    "policy-structure",
    "policy-versions",
    "reference/reference-policy",
    "resume",
    "resume-ended",
    "warm-start",
  ]),
  {
    name: "core",
    code: ["packages/core/src"],
    // What is wrong with equipment is told as a case says it, and what it does is seen in the programs of stages.
    tests: [
      "packages/core/test",
      ...[
        "commitments",
        "equipment",
        "filling",
        "limits",
        "production",
        "sources",
        "travel-time",
        "unit-groups",
        "water",
      ].map((name) => `packages/io/test/faults-${name}.test.ts`),
      ...ELEMENTS.map((name) => `packages/sddp/test/${name}.test.ts`),
    ],
  },
  {
    name: "stochastic",
    code: ["packages/stochastic/src"],
    tests: ["packages/stochastic/test"],
  },
  {
    name: "io",
    code: ["packages/io/src"],
    // The page about the files of a case has every field, type, limit and default, as the readers say them. Files of other programs are read as policies.
    tests: [
      "packages/io/test",
      "packages/cli/test/case-format.test.ts",
      "packages/sddp/test/reference/reference-policy.test.ts",
    ],
    // Hundreds of damaged files take long, and tell only that nothing crashes.
    without: ["packages/io/test/fuzz-files.test.ts"],
  },
  {
    name: "solver",
    code: ["packages/solver/src"],
    tests: ["packages/solver/test"],
    without: ["packages/solver/test/same-bits.test.ts"],
  },
  {
    name: "study/results",
    code: ["packages/study/src/results"],
    tests: [
      "packages/study/test/compare-policies.test.ts",
      "packages/study/test/compare-runs.test.ts",
      "packages/study/test/open-run.test.ts",
      "packages/study/test/results.test.ts",
      "packages/study/test/run-metadata.test.ts",
    ],
  },
  {
    name: "comm",
    // What computes and waits for nobody.
    code: [
      "packages/comm/src/arrays.ts",
      "packages/comm/src/blocks.ts",
      "packages/comm/src/checks",
      "packages/comm/src/fold",
      "packages/comm/src/group/fingerprint.ts",
      "packages/comm/src/launch/plan.ts",
      "packages/comm/src/launch/plans",
      "packages/comm/src/processors/moving.ts",
      "packages/comm/src/processors/placement.ts",
      "packages/comm/src/processors/processor-set.ts",
      "packages/comm/src/processors/topology.ts",
      "packages/comm/src/shm/layout.ts",
      "packages/comm/src/tcp/spans.ts",
      "packages/comm/src/tcp/wire.ts",
    ],
    tests: [
      "packages/comm/test/arrays.test.ts",
      "packages/comm/test/checks.test.ts",
      "packages/comm/test/fingerprint.test.ts",
      "packages/comm/test/fold-loop.test.ts",
      "packages/comm/test/fold.test.ts",
      "packages/comm/test/launch/mpi-plan.test.ts",
      "packages/comm/test/launch/plans.test.ts",
      "packages/comm/test/processors/moving.test.ts",
      "packages/comm/test/processors/placement.test.ts",
      "packages/comm/test/processors/processor-set.test.ts",
      "packages/comm/test/processors/topology.test.ts",
      "packages/comm/test/select.test.ts",
      "packages/comm/test/shm/config.test.ts",
      "packages/comm/test/shm/layout.test.ts",
      "packages/comm/test/shm/parts.test.ts",
      "packages/comm/test/tcp/config.test.ts",
      "packages/comm/test/tcp/spans.test.ts",
      "packages/comm/test/tcp/wire.test.ts",
      "packages/comm/test/types.test.ts",
    ],
  },
];

/** Least share of changes that are noticed, in percent, for every target. */
export const LEAST = 90;
