/** What the tables of scenarios must tell: every plant and stage once, known ids, ratios, and a past that is long enough. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import { validateCase } from "@cobre/sddp";
import { columns, type FileContent, goodCase, hydro, stage, withCase } from "./case-folder.js";

async function issuesOf(files: Readonly<Record<string, FileContent>>): Promise<string[]> {
  let found: string[] = [];
  await withCase(files, async (directory) => {
    const { issues } = await validateCase(directory);
    found = issues.map((issue) => `${issue.severity} ${formatIssue(issue)}`);
  });
  return found;
}

describe("what the scenarios of a case need", () => {
  const statistics = (ids: readonly number[]) =>
    columns({
      hydro_id: [2, 2, 2, 4, 4, 4, ...ids.map(() => 2)],
      stage_id: [0, 1, 2, 0, 1, 2, ...ids],
      mean_m3s: [10, 20, 30, 40, 50, 60, ...ids.map(() => 1)],
      std_m3s: [1, 2, 3, 4, 5, 6, ...ids.map(() => 1)],
    });
  const file = "scenarios/inflow_seasonal_stats.parquet";

  it("is told for at most five stages by name", async () => {
    const told = (list: string) => [
      `warning ${file}: stage_id: stage ${list} does not exist; these rows have no effect`,
    ];
    assert.deepEqual(await issuesOf({ [file]: statistics([7]) }), told("7"));
    assert.deepEqual(
      await issuesOf({ [file]: statistics([9, 3, 5, 6, 7]) }),
      told("3, 5, 6, 7, 9"),
    );
    assert.deepEqual(
      await issuesOf({ [file]: statistics([9, 3, 5, 6, 7, 8, 10]) }),
      told("3, 5, 6, 7, 8 and 2 more"),
    );
    assert.deepEqual(await issuesOf({ [file]: statistics([-1, -7]) }), [], "before the study");
  });

  it("is a past as long as the lags look back from each stage", async () => {
    const lag = (stageId: number, number: number, values: readonly number[]) => ({
      "scenarios/inflow_ar_coefficients.parquet": columns({
        hydro_id: [2],
        stage_id: [stageId],
        lag: [number],
        coefficient: [0.5],
        residual_std_ratio: [1],
      }),
      [file]: statistics([-1, -2, -3]),
      "initial_conditions.json": {
        ...(goodCase()["initial_conditions.json"] as object),
        past_inflows: [{ hydro_id: 2, values_m3s: values }],
      },
    });
    const told = (known: number, needed: number) => [
      `warning initial_conditions.json: hydro 2: past_inflows: has ${known} of the ${needed} past inflows that the model needs; add the missing ones, which are taken as 0`,
    ];
    assert.deepEqual(await issuesOf(lag(0, 1, [5])), []);
    assert.deepEqual(await issuesOf(lag(0, 1, [])), told(0, 1));
    assert.deepEqual(await issuesOf(lag(0, 3, [5, 6])), told(2, 3));
    assert.deepEqual(await issuesOf(lag(1, 3, [5])), told(1, 2));
    assert.deepEqual(await issuesOf(lag(1, 3, [5, 6])), []);
    assert.deepEqual(await issuesOf(lag(2, 2, [])), []);
    assert.deepEqual(await issuesOf(lag(2, 3, [])), told(0, 1));
  });

  it("is a row for every stage, of every plant and of buses with a load", async () => {
    const load = (ids: number[], stages: number[]) => ({
      "system/buses.json": {
        buses: [
          { id: 1, name: "B" },
          { id: 3, name: "C" },
        ],
      },
      "scenarios/load_seasonal_stats.parquet": columns({
        bus_id: ids,
        stage_id: stages,
        mean_mw: ids.map(() => 1),
        std_mw: ids.map(() => 0),
      }),
    });
    assert.deepEqual(await issuesOf(load([1, 1, 1], [0, 1, 2])), []);
    assert.deepEqual(await issuesOf(load([1, 1, 1, 3], [0, 1, 2, 1])), [
      "error scenarios/load_seasonal_stats.parquet: bus 3: stage_id: there is no row for stage 0, 2; give mean and standard deviation for every stage",
    ]);
  });

  it("is about plants, buses, sources and stages that there are", async () => {
    const group = (name: string, type: string, id: number) => ({
      name,
      entities: [
        { type, id },
        { type, id },
      ],
      matrix: [[1]],
    });
    const found = await issuesOf({
      "scenarios/inflow_ar_coefficients.csv":
        "hydro_id,stage_id,lag,coefficient,residual_std_ratio\n9,1,1,0.5,0.8\n9,2,1,0.5,0.8\n2,8,1,0,1\n",
      "scenarios/inflow_annual_component.csv":
        "hydro_id,stage_id,annual_coefficient,annual_mean_m3s,annual_std_m3s\n7,9,0,1,1\n",
      "scenarios/correlation.json": {
        method: "spectral",
        profiles: {
          default: {
            correlation_groups: [
              group("a", "inflow", 6),
              group("b", "load", 5),
              group("c", "ncs", 4),
            ],
          },
        },
      },
    });
    const add = (file: string) => `does not exist; correct the id, or add it to ${file}`;
    const [lags, annual, correlation] = [
      "scenarios/inflow_ar_coefficients.parquet",
      "scenarios/inflow_annual_component.parquet",
      "scenarios/correlation.json",
    ];
    const HYDROS = "system/hydros.json";
    const SOURCES = "system/non_controllable_sources.json";
    assert.deepEqual(found.slice(0, 7), [
      `error ${lags}: hydro 9: hydro_id: hydro 9 ${add(HYDROS)}`,
      `error ${annual}: hydro 7: hydro_id: hydro 7 ${add(HYDROS)}`,
      `error ${correlation}: hydro 6: id: hydro 6 ${add(HYDROS)}`,
      `error ${correlation}: bus 5: id: bus 5 ${add("system/buses.json")}`,
      `error ${correlation}: non-controllable source 4: id: non-controllable source 4 ${add(SOURCES)}`,
      `warning ${lags}: stage_id: stage 8 does not exist; these rows have no effect`,
      `warning ${annual}: stage_id: stage 9 does not exist; these rows have no effect`,
    ]);
  });

  it("is statistics of inflows as soon as there is a plant", async () => {
    const system = (hydros: readonly object[], storage: readonly object[]) => ({
      "system/hydros.json": { hydros },
      "initial_conditions.json": { storage, filling_storage: [] },
      [file]: undefined,
    });
    assert.deepEqual(await issuesOf(system([], [])), []);
    assert.deepEqual(await issuesOf(system([hydro(4)], [{ hydro_id: 4, value_hm3: 1 }])), [
      `error ${file}: is missing; hydro plants need the mean and standard deviation of their inflows`,
    ]);
  });

  it("is a ratio above 0 and at most 1", async () => {
    const ratio = (value: number) => ({
      "scenarios/inflow_ar_coefficients.parquet": columns({
        hydro_id: [2],
        stage_id: [1],
        lag: [1],
        coefficient: [0.5],
        residual_std_ratio: [value],
      }),
    });
    assert.deepEqual(await issuesOf(ratio(1)), []);
    assert.match(
      (await issuesOf(ratio(0))).join(),
      /residual_std_ratio: is 0; must be above 0 and at most 1/,
    );
    assert.match(
      (await issuesOf(ratio(1.25))).join(),
      /residual_std_ratio: is 1\.25; must be at most 1/,
    );
  });

  it("is a tree that fits into memory", async () => {
    const many = (count: number) => ({
      "stages.json": {
        ...(goodCase()["stages.json"] as object),
        stages: [0, 1, 2].map((id) => stage(id, { num_scenarios: count })),
      },
    });
    assert.deepEqual(await issuesOf(many(100_000)), []);
    const nodes = Array.from({ length: 1000 }, (_, i) => i + 1);
    const graph = {
      type: "finite_horizon",
      annual_discount_rate: 0,
      nodes: [
        { id: 0, stage_id: 0 },
        ...nodes.map((id) => ({ id, stage_id: 1 })),
        { id: 1001, stage_id: 2 },
      ],
      transitions: [
        ...nodes.map((id) => ({ source_id: 0, target_id: id, probability: 0.001 })),
        ...nodes.map((id) => ({ source_id: id, target_id: 1001, probability: 1 })),
      ],
    };
    const stages = { ...(many(100_000)["stages.json"] as object), policy_graph: graph };
    assert.deepEqual(await issuesOf({ "stages.json": stages }), [
      "error stages.json: num_scenarios: the opening tree has 300600000 numbers; must have at most 268435456; take fewer openings",
    ]);
  });
});
