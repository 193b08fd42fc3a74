/** A case for Cobre 0.18 is read into the same model as one for Cobre 0.5, by its own rules, and mixtures of both are told. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import type { Case, CaseInput } from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { Columns, columns } from "./case-folder.js";
import { type Changes, judgeLater as judge, withValue } from "./judge-case.js";
import { laterCase, laterHydro } from "./later-case.js";

async function read(changes: Changes = {}): Promise<Case> {
  const { found, issues } = await judge(changes);
  assert.deepEqual(issues, []);
  return found ?? assert.fail("there is no case");
}

describe("a case for Cobre 0.18", () => {
  it("is read without faults", async () => {
    const { config, study } = await read();
    assert.equal(config.dialect, "0.18");
    assert.equal(config.training.forwardPasses, 2);
    assert.equal(config.simulation.scenarios, 9);
    assert.equal(config.training.stoppingMode, "all_within_limit");
    assert.deepEqual(config.training.cutSelection, {
      method: "level1",
      checkFrequency: 3,
      tolerance: 1e-9,
      maxActivePerStage: 50,
    });
    assert.deepEqual(
      study.time.stages.map(({ openings, seasonId }) => [openings, seasonId]),
      [
        [3, 0],
        [3, 1],
        [3, 2],
      ],
    );
    const day = (date: string) => Date.parse(date) / 86_400_000;
    const rate = (year: number, stage: number) =>
      Math.exp(
        (-(day(`2025-0${stage + 2}-01`) - day(`2025-0${stage + 1}-01`)) / 365.25) *
          Math.log1p(year),
      );
    assert.equal(study.time.discount[0], rate(0.2, 0));
    assert.equal(study.time.discount[1], rate(0.1, 1));
  });

  it("has its entities in the order of their dates, then of their ids", async () => {
    const { study, uncertainty } = await read();
    assert.deepEqual(
      study.system.hydros.map(({ id }) => id),
      [4, 2],
    );
    assert.deepEqual(
      study.system.buses.map(({ id }) => id),
      [1, 0],
    );
    assert.deepEqual(uncertainty.layout.inflow, [4, 2]);
    assert.deepEqual([...study.initialConditions.storageHm3], [700, 100]);
    const same = await read(
      withValue("system/hydros.json", "hydros.0.operational_start_date", "2020-01-01"),
    );
    assert.deepEqual(
      same.study.system.hydros.map(({ id }) => id),
      [2, 4],
    );
  });

  it("has productivities by stage, which may be 0", async () => {
    const { study } = await read(
      withValue(
        "system/hydro_production_models.json",
        "production_models.0.stage_ranges.0.productivity_mw_per_m3s",
        0,
      ),
    );
    assert.deepEqual(
      [study.production.productivity.at(0, 0), study.production.productivity.at(0, 1)],
      [0, 0.5],
    );
  });

  it("may have them in a table instead, but not in both", async () => {
    const table = {
      "system/hydro_energy_productivity.parquet": columns({
        hydro_id: [4, 4, 4],
        stage_id: [0, 1, 2],
        equivalent_productivity_mw_per_m3s: [2, 3, 4],
      }),
    };
    const path = "production_models.0.stage_ranges.0.productivity_mw_per_m3s";
    const file = "system/hydro_production_models.json";
    const { study } = await read({ ...withValue(file, path, undefined), ...table });
    assert.deepEqual(
      [0, 1, 2].map((t) => study.production.productivity.at(t, 0)),
      [2, 3, 4],
    );
    const both = await judge(table);
    assert.match(both.issues[0] ?? "", /hydro 4, stage 0: .*gives a productivity, too; keep one/);
    assert.equal(both.issues.length, 3);
    const none = await judge(withValue(file, path, undefined));
    assert.match(
      none.issues.join("\n"),
      /hydro 4: nothing says how the plant generates in stages 0, 1, 2; give productivity_mw_per_m3s/,
    );
  });

  it("has what energies are reckoned from", async () => {
    const { study } = await read({
      ...withValue("system/hydros.json", "hydros.0.specific_productivity_mw_per_m3s_per_m", 0.01),
      "system/hydro_energy_productivity.parquet": columns({
        hydro_id: [4],
        stage_id: [1],
        specific_productivity_mw_per_m3s_per_m: [0.02],
        reference_outflow_m3s: [33],
      }),
    });
    const { specific, referenceTurbine, referenceVolume } = study.energy;
    const [first, second] = study.system.hydros;
    assert.deepEqual([specific.at(0, 0), specific.at(1, 0)], [0.01, 0.02]);
    assert.ok(Number.isNaN(specific.at(0, 1)));
    const most = first?.maxTurbinedM3s;
    assert.deepEqual([referenceTurbine.at(0, 0), referenceTurbine.at(1, 0)], [most, 33]);
    const volumeAt = (share: number, plant: typeof first) =>
      plant && plant.minStorageHm3 + share * (plant.maxStorageHm3 - plant.minStorageHm3);
    assert.equal(referenceVolume.at(0, 0), volumeAt(0.65, first));
    assert.equal(referenceVolume.at(0, 1), volumeAt(0.5, second));
  });

  it("takes the units of one bus together, within the limits of the plant", async () => {
    const group = (id: number, bus_id: number, most: number) => ({
      id,
      name: `G${id}`,
      bus_id,
      min_turbined_m3s: 1,
      max_turbined_m3s: most,
      min_generation_mw: 2,
      max_generation_mw: most,
    });
    const hydros = (...groups: object[]) => ({
      "system/hydros.json": {
        hydros: [laterHydro(2, { downstream_id: 4 }), laterHydro(4, { unit_groups: groups })],
      },
    });
    const { study } = await read(hydros(group(0, 1, 300), group(1, 1, 400)));
    assert.equal(study.system.hydros[1]?.busId, 1);
    const { minTurbinedM3s, maxTurbinedM3s, minGenerationMw, maxGenerationMw } = study.hydros;
    assert.deepEqual(
      [minTurbinedM3s, maxTurbinedM3s, minGenerationMw, maxGenerationMw].map((one) =>
        one.at(0, 1, 0),
      ),
      [2, 700, 4, 700],
    );
    const wrong: readonly [RegExp, ...object[]][] = [
      [
        /unit_groups: max_turbined_m3s of all groups is 1400, above the 1000 of the plant/,
        group(0, 1, 700),
        group(1, 1, 700),
      ],
      [/unit_groups: has two groups with the same id/, group(0, 1, 3), group(0, 1, 3)],
      [/unit_groups: is empty; give at least one group/],
      [/unit_groups\[0\]\.bus_id: bus 9 does not exist/, group(0, 9, 3)],
    ];
    for (const [fault, ...groups] of wrong) {
      const { found, issues } = await judge(hydros(...groups));
      assert.equal(found, undefined);
      assert.match(issues.join("\n"), fault);
    }
  });

  it("has past inflows from dated windows, of which observations go before the history", async () => {
    const { study } = await read();
    // 21 days of the history and 10 of observations.
    const expected = 10 * (21 / 31) + 41 * (10 / 31);
    assert.ok(Math.abs((study.initialConditions.pastInflowsM3s[1]?.[0] ?? 0) - expected) < 1e-12);
    assert.deepEqual(study.initialConditions.pastInflowsM3s[0], [7]);
    const part = await judge({
      "scenarios/inflow_history.csv":
        "hydro_id,start_date,end_date,value_m3s\n2,2024-12-05,2025-01-01,10\n",
    });
    assert.match(
      part.issues.join("\n"),
      /hydro 2: tells 27 of the 31 days from 2024-12-01 to 2024-12-31/,
    );
    const twice = await judge({
      "scenarios/inflow_history.csv":
        "hydro_id,start_date,end_date,value_m3s\n2,2024-12-01,2025-01-01,10\n2,2024-12-31,2025-01-01,10\n",
    });
    assert.match(twice.issues.join("\n"), /the windows of 2024-12-01 and 2024-12-31 overlap/);
    const noDay = await judge({
      "scenarios/inflow_history.csv": "hydro_id,start_date,end_date,value_m3s\n2,2024-02-31,x,10\n",
    });
    assert.match(
      noDay.issues.join("\n"),
      /row 1: start_date: is the text "2024-02-31"; must be a day, as in 2024-01-31/,
    );
  });

  it("has the deviation of its noise from the coefficients, and refuses those that have none", async () => {
    const { uncertainty } = await read();
    assert.ok(
      Math.abs((uncertainty.inflow.sigma[1] ?? 0) - 0.8) < 1e-12,
      `${uncertainty.inflow.sigma}`,
    );
    const wild = await judge({
      "scenarios/inflow_ar_coefficients.parquet": columns({
        hydro_id: [2, 2, 2],
        stage_id: [0, 1, 2],
        lag: [1, 1, 1],
        coefficient: [1.2, 1.2, 1.2],
      }),
    });
    assert.match(
      wild.issues.join("\n"),
      /hydro 2, stage 0: with these coefficients inflows do not keep their deviation/,
    );
  });

  it("warns if cuts are to have no lags, which they have here", async () => {
    const { found, issues } = await judge(
      withValue("stages.json", "stages.2.state_variables", { inflow_lags: false }),
    );
    assert.ok(found);
    assert.match(
      issues.join("\n"),
      /^warning stages\.json: state_variables\.inflow_lags: is not true in 2,/,
    );
  });

  it("uses given openings only if it says so", async () => {
    const openings = {
      "scenarios/noise_openings.csv": "stage_id,opening_index,entity_index,value\n",
    };
    const { found, issues } = await judge(openings);
    assert.equal(found?.uncertainty.openings, undefined);
    assert.match(
      issues.join("\n"),
      /^warning scenarios\/noise_openings\.csv: has no effect; training\.scenario_source\.openings is not/,
    );
    const declared = await judge({
      ...openings,
      ...withValue("config.json", "training.scenario_source.openings.source", "file"),
    });
    assert.match(declared.issues.join("\n"), /^error scenarios\/noise_openings\.parquet: /);
  });

  it("has constraints with relations, parameters and named expressions", async () => {
    const { study } = await read();
    const { constraints, rows } = study.generic;
    assert.deepEqual(
      constraints[0]?.terms.map(({ coefficient, variable, entity, block, parameter }) => [
        coefficient,
        variable,
        entity,
        block,
        parameter,
      ]),
      [
        [2, "hydro_generation", 1, undefined, undefined],
        [2, "hydro_generation", 0, 0, undefined],
        [-1, "thermal_generation", 0, undefined, "half"],
      ],
    );
    assert.deepEqual(
      constraints[0]?.terms[2]?.scale?.map((values) => [...values]),
      [[0.5], [0.5], [0.5]],
    );
    assert.deepEqual(
      constraints[1]?.terms.map(({ coefficient, variable }) => [coefficient, variable]),
      [[-1, "line_exchange"]],
    );
    assert.deepEqual(
      rows.map((ofStage) =>
        ofStage.map(({ constraint, lower, upper }) => [constraint, lower, upper]),
      ),
      [[[1, -20, 30]], [[0, Number.NEGATIVE_INFINITY, 7]], []],
    );
  });

  it("may be an object, with the same names", async () => {
    const input: Record<string, unknown> = {};
    for (const [file, content] of Object.entries(laterCase())) {
      const name = file.replace(/^.*\//, "").replace(/\..*$/, "");
      if (content instanceof Columns) {
        input[name] = Object.fromEntries(
          content.columns.map(({ name: column, data }) => [column, data]),
        );
      } else if (typeof content === "string") {
        input[name] = {
          hydro_id: [2, 4],
          start_date: ["2024-12-01", "2024-12-01"],
          end_date: ["2025-01-01", "2025-01-01"],
          value_m3s: [10, 7],
        };
      } else input[name] = content;
    }
    const { case: found, issues } = await validateCase(input as unknown as CaseInput);
    assert.deepEqual(issues.map(formatIssue), []);
    const same = await read();
    assert.deepEqual({ ...found?.config }, { ...same.config });
    assert.deepEqual(found?.study.initialConditions, same.study.initialConditions);
    assert.deepEqual(
      [...(found?.uncertainty.inflow.values ?? [])],
      [...same.uncertainty.inflow.values],
    );
  });

  it("takes settings in the words of both versions", async () => {
    for (const training of [{ forward_passes: 7 }, { selection: { forward_passes: 7 } }]) {
      const { found, issues } = await judge({}, { training });
      assert.deepEqual(issues, []);
      assert.equal(found?.config.training.forwardPasses, 7);
    }
  });
});

it("a case for Cobre 0.18 may take every path, and have a boundary that is found by its date", async () => {
  const config = withValue("config.json", "training.selection", { method: "enumerated" });
  const boundary = { path: "behind", strict: true };
  const { issues } = await judge(
    withValue("config.json", "policy.boundary", boundary, config["config.json"]),
  );
  // What is wrong is only that its stages have several openings.
  assert.match(issues.join("\n"), /^error [^\n]*training\.selection: [^\n]*$/);
});
