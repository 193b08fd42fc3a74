/** The words that a case in memory, one file, and settings may use, and where in them faults are told. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import { type Case, type CaseInput, rawConfig } from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { Columns, type FileContent, goodCase, hydro, stage, withCase } from "./case-folder.js";
import { laterCase } from "./later-case.js";

type Json = Record<string, unknown>;

const folder = mkdtempSync(join(tmpdir(), "cobre-words-"));
after(() => rmSync(folder, { recursive: true }));

/** The files of a case as an object: tables by column, lists as they are in their files. */
function objectOf(files: Readonly<Record<string, FileContent>>): Json {
  return Object.fromEntries(
    Object.entries(files).map(([file, content]) => {
      const name = file.replace(/^.*\//, "").replace(/\..*$/, "");
      if (!(content instanceof Columns)) return [name, content];
      return [name, Object.fromEntries(content.columns.map((one) => [one.name, one.data]))];
    }),
  );
}
const good = (changes: Json = {}): Json => ({ ...objectOf(goodCase()), ...changes });

async function judge(input: Json | string, settings?: object) {
  const { case: found, issues } = await validateCase(input as unknown as CaseInput, settings);
  return { found, told: issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`) };
}
async function read(input: Json | string, settings?: object): Promise<Case> {
  const { found, told } = await judge(input, settings);
  assert.deepEqual(told, []);
  return found ?? assert.fail();
}

const RULES = { stopping_rules: [{ type: "iteration_limit", limit: 20 }] };
const sampled = (fields: object) => ({ method: "sampled", ...fields });
const training = (fields: object) => ({ config: { training: { ...RULES, ...fields } } });

describe("the counts of a case in memory", () => {
  const openings = (id: number) => {
    const { num_scenarios, ...rest } = stage(id) as Json;
    return { ...rest, num_openings: num_scenarios };
  };

  it("are given in the words of both versions", async () => {
    for (const count of [{ forward_passes: 3 }, { selection: sampled({ forward_passes: 3 }) }]) {
      const { config } = await read(good(training(count)));
      assert.deepEqual([config.training.forwardPasses, config.dialect], [3, undefined]);
    }
    for (const count of [{ num_scenarios: 4 }, { selection: sampled({ num_scenarios: 4 }) }]) {
      const { config } = training({ forward_passes: 3 });
      const { config: found } = await read(good({ config: { ...config, simulation: count } }));
      assert.equal(found.simulation.scenarios, 4);
    }
    const { config } = await read(good({ stages: [0, 1, 2].map((id) => openings(id)) }));
    assert.equal(config.training.forwardPasses, 2);
  });

  it("are left to the readers where they say more than a count, or say it twice", async () => {
    const SELECTION =
      "error config.training.selection: is a field of Cobre 0.18; the case is written for Cobre 0.5, see training.forward_passes in config.json: give forward_passes";
    for (const fields of [
      { forward_passes: 3, selection: sampled({ forward_passes: 3 }) },
      { selection: sampled({ forward_passes: 3, seed: 1 }), forward_passes: 2 },
    ]) {
      const { told } = await judge(good(training(fields)));
      assert.deepEqual(told, [SELECTION]);
    }
    const { told: more } = await judge(
      good(training({ selection: sampled({ forward_passes: 3, seed: 1 }) })),
    );
    assert.ok(more.includes(SELECTION), more.join("\n"));
    const twice = [{ ...openings(0), num_scenarios: 3 }, openings(1), openings(2)];
    const { told } = await judge(good({ stages: twice }));
    assert.match(
      told.join("\n"),
      /^error stages\[0\]\.num_openings: stage 0: is a field of Cobre 0\.18/,
    );
  });

  it("are changed by settings in the words of both versions, in cases of both", async () => {
    const counts = async (input: Json, settings: object) => {
      const { config } = await read(input, settings);
      return [config.training.forwardPasses, config.simulation.scenarios];
    };
    for (const settings of [
      { training: { forward_passes: 7 }, simulation: { num_scenarios: 8 } },
      {
        training: { selection: sampled({ forward_passes: 7 }) },
        simulation: { selection: sampled({ num_scenarios: 8 }) },
      },
    ]) {
      assert.deepEqual(await counts(good(), settings), [7, 8]);
      const later = objectOf({ ...laterCase(), "scenarios/inflow_history.csv": undefined });
      const { inflow_history: _, inflow_ar_coefficients: __, ...rest } = later;
      const { recent_observations: ___, ...initial } = rest.initial_conditions as Json;
      assert.deepEqual(await counts({ ...rest, initial_conditions: initial }, settings), [7, 8]);
    }
    const { config } = await read(good(), { training: { tree_seed: 5 } });
    assert.deepEqual([config.training.treeSeed, config.training.forwardPasses], [5, 2]);
  });
});

describe("the plants of a case in memory", () => {
  const limits = {
    min_turbined_m3s: 0,
    max_turbined_m3s: 1000,
    min_generation_mw: 0,
    max_generation_mw: 1000,
  };
  const grouped = (group: object, generation: object = {}) => {
    const { bus_id: _, ...plant } = hydro(4) as Json;
    const own = { model: "constant_productivity", productivity_mw_per_m3s: 1, ...generation };
    return [{ ...plant, generation: own, unit_groups: [group] }, hydro(2, { downstream_id: 4 })];
  };
  const limitsOf = async (group: object, generation: object = {}) => {
    const { study } = await read(good({ hydros: grouped(group, generation) }));
    const { minTurbinedM3s, maxTurbinedM3s, minGenerationMw, maxGenerationMw } = study.hydros;
    return [minTurbinedM3s, maxTurbinedM3s, minGenerationMw, maxGenerationMw].map((one) =>
      one.at(0, 1),
    );
  };

  it("have the limits of their only group, or the narrower ones of both", async () => {
    const group = { id: 0, name: "all", bus_id: 1 };
    assert.deepEqual(await limitsOf({ ...group, ...limits }), [0, 1000, 0, 1000]);
    assert.deepEqual(await limitsOf(group, limits), [0, 1000, 0, 1000]);
    const narrow = {
      min_turbined_m3s: 5,
      max_turbined_m3s: 900,
      min_generation_mw: 6,
      max_generation_mw: 800,
    };
    assert.deepEqual(await limitsOf({ ...group, ...narrow }, limits), [5, 900, 6, 800]);
    assert.deepEqual(await limitsOf({ ...group, ...limits }, narrow), [5, 900, 6, 800]);
  });

  it("are left to the readers with a group of more fields, or a bus beside it", async () => {
    const { told } = await judge(
      good({ hydros: grouped({ id: 0, name: "all", bus_id: 1, other: 1, ...limits }, limits) }),
    );
    assert.deepEqual(told, [
      "warning hydros[0].unit_groups[0].other: hydro 4: is not a known field; remove it, it has no effect",
    ]);
    const [plant, other] = grouped({ id: 0, name: "all", bus_id: 1, ...limits }, limits) as [
      Json,
      Json,
    ];
    const { told: both } = await judge(good({ hydros: [{ ...plant, bus_id: 1 }, other] }));
    assert.match(both.join("\n"), /stands beside unit_groups; give one of them/);
    const texts = { ...limits, max_turbined_m3s: "much" };
    const { told: wrong } = await judge(
      good({ hydros: grouped({ id: 0, name: "all", bus_id: 1, ...limits }, texts) }),
    );
    assert.deepEqual(wrong, [
      'error hydros[0].generation.max_turbined_m3s: hydro 4: is the text "much"; must be a number',
    ]);
    const { told: none } = await judge(good({ hydros: [{ ...plant, unit_groups: [7] }, other] }));
    assert.match(none[0] ?? "", /unit_groups\[0\].*is 7; must be an object/);
  });
});

describe("the parts of a case in memory", () => {
  it("are named, and a name that is none is told with what may have been meant", async () => {
    const { told } = await judge(good({ hydro: [], something: 1 }));
    assert.deepEqual(told, [
      'error hydro: is not a part of a case; did you mean "hydros"?',
      "error something: is not a part of a case; remove it",
    ]);
    for (const [name, expected] of [
      ["mine", "mine"],
      ["", "case"],
      [7, "case"],
    ] as const)
      assert.equal((await read(good({ name, $schema: "s" }))).name, expected);
  });

  it("may be lists or what files hold, and the time line stands beside its stages", async () => {
    const { stages, hydros, ...rest } = good() as Record<string, Json>;
    const inner = (stages?.stages ?? []) as object[];
    const discounted = { type: "finite_horizon", annual_discount_rate: 0.5 };
    const rate = async (input: Json) => {
      const { study } = await read({ ...rest, ...input });
      return [study.time.discount[0] === 1, study.system.hydros.length];
    };
    assert.deepEqual(await rate({ stages: inner, hydros: hydros?.hydros }), [true, 2]);
    assert.deepEqual(await rate({ stages: inner, policy_graph: discounted, hydros }), [false, 2]);
    assert.deepEqual(await rate({ stages: { stages: inner, policy_graph: discounted }, hydros }), [
      false,
      2,
    ]);
    const wrong = { type: "finite_horizon", annual_discount_rate: "low" };
    const { told } = await judge({ ...rest, stages: inner, policy_graph: wrong, hydros });
    assert.match(told[0] ?? "", /^error policy_graph\.annual_discount_rate: is the text "low"/);
    const { told: within } = await judge({
      ...rest,
      stages: { stages: inner, policy_graph: wrong },
      hydros,
    });
    assert.match(
      within[0] ?? "",
      /^error stages\.policy_graph\.annual_discount_rate: is the text "low"/,
    );
  });

  it("are told by their paths in the words that they use", async () => {
    const {
      stages: time,
      inflow_history: _,
      ...rest
    } = objectOf(laterCase()) as Record<string, Json>;
    const { stages: list, ...beside } = time as { stages: Json[] };
    const stages = list.map((one, i) => (i === 2 ? { ...one, state_variables: {} } : one));
    const history = {
      hydro_id: [2, 4],
      start_date: ["2024-12-01", "2024-12-01"],
      end_date: ["2025-01-01", "2025-01-01"],
      value_m3s: [10, 7],
    };
    const { told } = await judge({ ...rest, ...beside, stages, inflow_history: history });
    assert.equal(told.length, 1, told.join("\n"));
    assert.match(
      told[0] ?? "",
      /^warning stages\.state_variables\.inflow_lags: is not true in 2, /,
    );
  });

  it("that every case needs are told if they are missing, and others are empty", async () => {
    const { penalties: _, buses: __, lines: ___, thermals: ____, ...rest } = good();
    const { told } = await judge(rest);
    assert.deepEqual(told, [
      "error penalties: is missing; every case needs it",
      "error buses: is missing; every case needs it",
    ]);
    const { lines: _____, ...others } = good();
    assert.deepEqual((await read(others)).study.system.lines, []);
  });

  it("may be tables of rows or of columns, and are told if they are neither", async () => {
    const REMEDY = "must be a list of rows, or an object of columns of the same length";
    for (const [table, problem] of [
      [7, "is 7"],
      ["x", 'is "x"'],
      [[7], "row 0 is not an object"],
      [[{ bus_id: 1 }, []], "row 1 is not an object"],
      [[null], "row 0 is not an object"],
      [{ bus_id: 7 }, "column bus_id is not a list"],
      [{ bus_id: [1], stage_id: [] }, "has columns of different lengths"],
      [{ bus_id: [1], stage_id: [0], mean_mw: [] }, "has columns of different lengths"],
    ] as const) {
      const { told } = await judge(good({ load_seasonal_stats: table }));
      assert.deepEqual(told[0], `error load_seasonal_stats: ${problem}; ${REMEDY}`);
    }
    for (const table of [[], {}, { bus_id: [], stage_id: [], mean_mw: [], std_mw: [] }, null]) {
      const { found } = await judge(good({ load_seasonal_stats: table }));
      assert.equal(
        found === undefined,
        Array.isArray(table) || Object.keys(table ?? { a: 1 }).length === 0,
      );
    }
    const rows = [0, 1, 2].map((stage_id) => ({ bus_id: 1, stage_id, mean_mw: 5, std_mw: 0 }));
    const { told } = await judge(
      good({ load_seasonal_stats: [...rows.slice(0, 2), { ...rows[2], mean_mw: "x" }] }),
    );
    assert.deepEqual(told, [
      'error load_seasonal_stats[2].mean_mw: is the text "x"; must be a number',
    ]);
  });
});

describe("a case in one file", () => {
  const write = (text: string) => {
    const path = join(folder, "valley.json");
    writeFileSync(path, text);
    return path;
  };

  it("has the name of the file unless it has one of its own", async () => {
    assert.equal((await read(write(JSON.stringify(good())))).name, "valley");
    assert.equal((await read(write(JSON.stringify(good({ name: "mine" }))))).name, "mine");
  });

  it("is told if it holds no object", async () => {
    for (const [text, problem] of [
      ["7", "is not an object; it must hold the parts of a case"],
      ["null", "is not an object; it must hold the parts of a case"],
      ["[]", "is not an object; it must hold the parts of a case"],
      [" ", "is empty; it must hold a JSON object"],
    ] as const)
      assert.deepEqual((await judge(write(text))).told, [`error valley.json: ${problem}`]);
    assert.match(
      (await judge(write("{"))).told[0] ?? "",
      /^error valley\.json: is not JSON: .*; look for/,
    );
  });

  it("has a configuration that can be seen before it is judged, like that of a directory", async () => {
    const { config } = good();
    assert.deepEqual(await rawConfig(write(JSON.stringify(good()))), config);
    for (const text of ["null", "{", "{}"]) assert.deepEqual(await rawConfig(write(text)), {});
    assert.deepEqual(await rawConfig(join(folder, "nowhere")), {});
    await withCase({}, async (directory) => {
      assert.deepEqual(await rawConfig(directory), config);
    });
  });
});
