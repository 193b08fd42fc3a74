/** Settings, stages and initial conditions of a migrated case, word by word, and what is noted of them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { columns, type FileContent, goodCase, stage } from "./case-folder.js";
import { fullCase } from "./full-case.js";
import { withMigrated } from "./migrated-files.js";

type Changes = Readonly<Record<string, FileContent>>;

const RULE = { type: "iteration_limit", limit: 20 };
const CONFIG = "config.json";
const training = { forward_passes: 2, stopping_rules: [RULE] };
const selection = { method: "sampled", forward_passes: 2 };

describe("the settings of a migrated case", () => {
  it("are those of the old one, in other words", () =>
    withMigrated(fullCase(), ({ json, notes }) => {
      const old = fullCase()[CONFIG] as Record<string, Record<string, unknown>>;
      const {
        forward_passes: _,
        forward_pass: __,
        cut_formulation: ___,
        ...kept
      } = old.training ?? {};
      assert.deepEqual(json(CONFIG), {
        training: {
          ...kept,
          selection: { method: "sampled", forward_passes: 3 },
          stopping_rules: (kept.stopping_rules as object[]).slice(0, 3),
          cut_selection: {},
        },
        simulation: {
          enabled: true,
          io_channel_capacity: 64,
          scenario_source: old.simulation?.scenario_source,
          selection: { method: "sampled", num_scenarios: 9 },
        },
        modeling: { inflow_non_negativity: { method: "truncation" } },
        policy: {
          path: "elsewhere",
          mode: "warm_start",
          boundary: { path: "behind" },
          checkpointing: old.policy?.checkpointing,
        },
        exports: { states: true, stochastic: true },
        upper_bound_evaluation: old.upper_bound_evaluation,
        estimation: {},
      });
      assert.deepEqual(notes[CONFIG], [
        "training.stopping_rules: Cobre 0.18 has no rule simulation; it was left out",
        "training.stopping_mode: in Cobre 0.18 a limit of iterations ends training even if the other rules do not hold",
        "simulation: Cobre 0.18 counts scenarios otherwise, so it simulates others",
        "policy.boundary: Cobre 0.18 finds the stage of a boundary by its date, not by source_stage",
        "exports.hive: Cobre 0.18 does not know it; it was left out",
      ]);
    }));

  const sections: readonly [what: string, old: object, expected: object, ...notes: string[]][] = [
    ["nothing but training", { training }, { training: { stopping_rules: [RULE], selection } }],
    [
      "the rules of Cobre 0.5",
      { version: "1", compat: "cobre-0.5", training },
      { training: { stopping_rules: [RULE], selection } },
      "compat: the new case has the rules of Cobre 0.18",
    ],
    [
      "one rule of which all must hold",
      { training: { ...training, stopping_mode: "all" } },
      { training: { stopping_rules: [RULE], stopping_mode: "all", selection } },
    ],
    [
      "sections that say little",
      {
        training,
        simulation: { enabled: false },
        policy: { boundary: { path: "b" }, validate_compatibility: true },
        modeling: {},
        exports: { hive: false, states: true },
        estimation: { order_selection: "pacf", max_order: 2 },
      },
      {
        training: { stopping_rules: [RULE], selection },
        simulation: { enabled: false },
        policy: { boundary: { path: "b" } },
        modeling: {},
        exports: { states: true },
        estimation: { order_selection: "pacf", max_order: 2 },
      },
    ],
    [
      "a fixed order, which Cobre 0.5 takes for another",
      { training, estimation: { order_selection: "fixed", max_order: 2 } },
      {
        training: { stopping_rules: [RULE], selection },
        estimation: { order_selection: "pacf", max_order: 2 },
      },
    ],
    [
      "a setting that is told to do nothing, which stays",
      { training: { ...training, scenario_source: { seed: 7 } } },
      { training: { stopping_rules: [RULE], scenario_source: { seed: 7 }, selection } },
    ],
  ];
  for (const [what, old, expected, ...notes] of sections) {
    it(`have ${what}`, () =>
      withMigrated({ [CONFIG]: old }, (migrated) => {
        assert.deepEqual(migrated.json(CONFIG), expected);
        assert.deepEqual(migrated.notes[CONFIG] ?? [], notes);
      }));
  }

  it("have a method of cut selection with its own settings only", async () => {
    const others = { threshold: 0, memory_window: 0, cut_activity_tolerance: 0 };
    for (const [old, expected] of [
      [{ enabled: true }, { selection: { method: "dynamic" } }],
      [{ enabled: false, max_active_per_stage: 7 }, { max_active_per_stage: 7 }],
      [
        { ...others, enabled: true, method: "lml1", check_frequency: 4 },
        { selection: { method: "lml1", check_frequency: 4 } },
      ],
      [
        { enabled: true, method: "domination", domination_epsilon: 0.5, max_active_per_stage: 7 },
        {
          max_active_per_stage: 7,
          selection: { method: "domination", domination_tolerance: 0.5 },
        },
      ],
      [
        { enabled: true, method: "domination" },
        { selection: { method: "domination", domination_tolerance: 1e-10 } },
      ],
      [
        { ...others, enabled: true, method: "dynamic", start_iteration: 3, seed_window: 4 },
        { selection: { method: "dynamic", start_iteration: 3, seed_window: 4 } },
      ],
    ] as const) {
      const config = { training: { ...training, cut_selection: old } };
      await withMigrated({ [CONFIG]: config }, ({ json }) => {
        const { cut_selection } = (json(CONFIG)?.training ?? {}) as Record<string, unknown>;
        assert.deepEqual(cut_selection, expected);
      });
    }
  });

  it("have no fields that nobody reads, which are noted in their own file", () => {
    const changes: Changes = {
      [CONFIG]: { training, nobody: 1 },
      "penalties.json": { ...(goodCase()["penalties.json"] as object), nobody: 2, never: 3 },
    };
    return withMigrated(changes, ({ json, notes }) => {
      const told = (name: string) => `${name}: is not a known field; it was left out`;
      assert.deepEqual(notes, {
        [CONFIG]: [told("nobody")],
        "penalties.json": [told("nobody"), told("never")],
      });
      assert.deepEqual(Object.keys(json("penalties.json") ?? {}).sort(), [
        "bus",
        "hydro",
        "line",
        "non_controllable_source",
      ]);
    });
  });

  it("take every path if the old ones do", () => {
    const enumerated = { method: "enumerated" };
    const stages = [0, 1, 2].map((id) => stage(id, { num_scenarios: 1 }));
    const changes: Changes = {
      [CONFIG]: { training: { selection: enumerated, stopping_rules: [RULE] } },
      "stages.json": { ...(goodCase()["stages.json"] as object), stages },
    };
    return withMigrated(changes, ({ json }) => {
      assert.deepEqual(json(CONFIG), {
        training: { selection: enumerated, stopping_rules: [RULE] },
      });
    });
  });

  it("say that openings are those of the file, if there is one", () => {
    const cells = Array.from({ length: 27 }, (_, i) => i);
    const openings = columns({
      stage_id: cells.map((i) => Math.floor(i / 9)),
      opening_index: cells.map((i) => Math.floor(i / 3) % 3),
      entity_index: cells.map((i) => i % 3),
      value: cells,
    });
    const config = { training: { ...training, scenario_source: { seed: 42 } } };
    const file = "scenarios/noise_openings.parquet";
    return withMigrated({ [CONFIG]: config, [file]: openings }, ({ json, files }) => {
      const { scenario_source } = (json(CONFIG)?.training ?? {}) as Record<string, unknown>;
      assert.deepEqual(scenario_source, { seed: 42, openings: { source: "file" } });
      assert.ok(files.includes(file));
    });
  });
});

/** The inflow of plant 2 depends on the one before. */
const lag: Changes = {
  "scenarios/inflow_ar_coefficients.parquet": columns({
    hydro_id: [2],
    stage_id: [1],
    lag: [1],
    coefficient: [0.5],
    residual_std_ratio: [Math.sqrt(0.75)],
  }),
};
const stages = (list: readonly object[], more: object = {}): Changes => ({
  "stages.json": { ...(goodCase()["stages.json"] as object), stages: list, ...more },
});
const months = [0, 1, 2].map((id) => stage(id, { season_id: id }));

describe("the stages of a migrated case", () => {
  const migratedStages = async (changes: Changes) => {
    let found: Record<string, unknown> = {};
    await withMigrated(changes, ({ json }) => {
      found = json("stages.json") ?? {};
    });
    const { stages: list, season_definitions: seasons, ...rest } = found;
    return { list: list as Record<string, unknown>[], seasons, rest };
  };
  const opened = (one: object) => {
    const { num_scenarios, ...others } = one as Record<string, unknown>;
    return { ...others, num_openings: num_scenarios };
  };

  it("have openings, and no flags of state variables", async () => {
    const flagged = months.map((one) => ({ ...one, state_variables: { storage: true } }));
    const { list, seasons, rest } = await migratedStages(stages(flagged));
    assert.deepEqual(list, months.map(opened));
    assert.equal(seasons, undefined);
    assert.deepEqual(rest, { policy_graph: { type: "finite_horizon", annual_discount_rate: 0.1 } });
  });

  it("have lags in their cuts and seasons that are months, where inflows depend on past ones", async () => {
    const { list, seasons } = await migratedStages({ ...stages(months), ...lag });
    const state_variables = { storage: true, inflow_lags: true };
    assert.deepEqual(
      list,
      months.map((one) => ({ ...opened(one), state_variables })),
    );
    assert.deepEqual(seasons, {
      cycle_type: "monthly",
      seasons: Array.from({ length: 12 }, (_, id) => ({
        id,
        label: `month ${id + 1}`,
        month_start: id + 1,
      })),
    });
    const others = [1, 2, 3].map((season_id, id) => stage(id, { season_id }));
    assert.equal((await migratedStages({ ...stages(others), ...lag })).seasons, undefined);
    const given = {
      cycle_type: "monthly",
      seasons: [0, 1, 2].map((id) => ({ id, month_start: id + 1 })),
    };
    const kept = await migratedStages({ ...stages(months, { season_definitions: given }), ...lag });
    assert.deepEqual(kept.seasons, given);
  });
});

describe("the initial conditions of a migrated case", () => {
  const FILE = "initial_conditions.json";
  const past = (...values: number[]): Changes => ({
    [FILE]: {
      ...(goodCase()[FILE] as object),
      past_inflows: [
        { hydro_id: 2, values_m3s: values },
        { hydro_id: 4, values_m3s: [9] },
      ],
    },
  });
  const { storage } = goodCase()[FILE] as { readonly storage: unknown };
  const observed = (hydro_id: number, start_date: string, end_date: string, value_m3s: number) => ({
    hydro_id,
    start_date,
    end_date,
    value_m3s,
  });

  it("have the days of past seasons, the latest first", () =>
    withMigrated(past(7, 8), ({ json, notes }) => {
      assert.deepEqual(json(FILE), {
        storage,
        filling_storage: [],
        recent_observations: [
          observed(2, "2024-12-01", "2025-01-01", 7),
          observed(2, "2024-11-01", "2024-12-01", 8),
          observed(4, "2024-12-01", "2025-01-01", 9),
        ],
      });
      assert.equal(notes[FILE], undefined);
    }));

  it("have as many of them as there are stages before the study", () => {
    const pre_study_stages = [
      { id: -2, start_date: "2024-11-15", end_date: "2024-12-15", season_id: 1 },
      { id: -1, start_date: "2024-12-15", end_date: "2025-01-01", season_id: 2 },
    ];
    const changes = { ...stages(months, { pre_study_stages }), ...past(5, 6, 7) };
    return withMigrated(changes, ({ json, notes }) => {
      assert.deepEqual(json(FILE)?.recent_observations, [
        observed(2, "2024-12-15", "2025-01-01", 5),
        observed(2, "2024-11-15", "2024-12-15", 6),
        observed(4, "2024-12-15", "2025-01-01", 9),
      ]);
      assert.deepEqual(notes[FILE], [
        "past_inflows: only 2 of 3 lie in pre_study_stages; the others were left out",
      ]);
    });
  });

  it("have none where nothing says which days seasons have", () => {
    const weeks = [
      stage(0, { start_date: "2025-01-01", end_date: "2025-01-08" }),
      stage(1, { start_date: "2025-01-08", end_date: "2025-01-15" }),
      stage(2, { start_date: "2025-01-15", end_date: "2025-01-22" }),
    ];
    return withMigrated({ ...stages(weeks), ...past(5) }, ({ json, notes }) => {
      assert.deepEqual(json(FILE), { storage, filling_storage: [] });
      assert.deepEqual(notes[FILE], [
        "past_inflows: nothing says which days the seasons before the study have; they were left out",
      ]);
    });
  });

  it("have nothing about the past if there was none", () =>
    withMigrated({}, ({ json }) => {
      assert.deepEqual(json(FILE), { storage, filling_storage: [] });
    }));
});
