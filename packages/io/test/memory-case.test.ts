/** A case that is an object is the same case as one that is a directory, and is judged by the same rules. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type CaseInput, rawConfig } from "@cobre/io";
import { loadCase, validateCase } from "@cobre/sddp";

const EXAMPLES = fileURLToPath(new URL("../../../examples/cases", import.meta.url));

/** An example for Cobre 0.5. Objects of this kind may have some names of Cobre 0.18. */
const EARLIER = join(EXAMPLES, "one-reservoir-0.5");

type Json = Record<string, unknown>;

/** A case directory as an object, with the names that its files have. */
function objectOf(directory: string): Json {
  const found: Json = {};
  for (const folder of ["", "system", "scenarios", "constraints"]) {
    for (const entry of filesIn(join(directory, folder))) {
      const [name = "", kind] = entry.split(".");
      const text = readFileSync(join(directory, folder, entry), "utf8");
      if (kind === "csv") found[name] = rowsOf(text);
      if (kind !== "json") continue;
      const { $schema: _, ...document } = JSON.parse(text) as Json;
      Object.assign(found, name === "stages" ? document : { [name]: document[name] ?? document });
    }
  }
  return found;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.includes("."));
  } catch {
    return [];
  }
}

function rowsOf(text: string): Json[] {
  const [names = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  return rows.map((row) =>
    Object.fromEntries(names.map((name, i) => [name, row[i] === "" ? null : Number(row[i])])),
  );
}

/** The same case in the words of Cobre 0.18. */
function inLaterWords(input: Json): Json {
  const { training, simulation, ...config } = input.config as Record<string, Json>;
  const { forward_passes, ...ofTraining } = training ?? {};
  const { num_scenarios, ...ofSimulation } = simulation ?? {};
  return {
    ...input,
    config: {
      ...config,
      training: { ...ofTraining, selection: { method: "sampled", forward_passes } },
      ...(simulation && {
        simulation: {
          ...ofSimulation,
          ...(num_scenarios === undefined
            ? {}
            : { selection: { method: "sampled", num_scenarios } }),
        },
      }),
    },
    stages: (input.stages as Json[]).map(({ num_scenarios: openings, ...stage }) => ({
      ...stage,
      num_openings: openings,
    })),
    hydros: (input.hydros as Json[]).map(({ bus_id, ...hydro }) => {
      const { min_generation_mw, max_generation_mw, ...generation } = hydro.generation as Json;
      const group = { id: 0, name: "all", bus_id, min_generation_mw, max_generation_mw };
      return { ...hydro, generation, unit_groups: [group] };
    }),
  };
}

const numbersOf = async (source: string | CaseInput, settings?: object) => {
  const { config, study, uncertainty, warnings } = await loadCase(source, settings);
  return { config, study, uncertainty, warnings };
};

describe("the same case", () => {
  for (const example of readdirSync(EXAMPLES)) {
    const directory = join(EXAMPLES, example);
    it(`${example}, in the words of its files`, async () => {
      const input = objectOf(directory) as unknown as CaseInput;
      assert.deepEqual(await numbersOf(input), await numbersOf(directory));
    });
  }

  it("in the words of Cobre 0.18, with settings", async () => {
    const settings = { training: { tree_seed: 7 } };
    const input = inLaterWords(objectOf(EARLIER)) as unknown as CaseInput;
    assert.deepEqual(await numbersOf(input, settings), await numbersOf(EARLIER, settings));
  });

  it("with tables by columns", async () => {
    const directory = join(EXAMPLES, "one-reservoir");
    const { inflow_seasonal_stats: rows, ...input } = objectOf(directory);
    const columns: Record<string, Float64Array> = {};
    for (const name of Object.keys((rows as Json[])[0] ?? {})) {
      columns[name] = Float64Array.from(rows as Record<string, number>[], (row) => row[name] ?? 0);
    }
    const found = await numbersOf({ ...input, inflow_seasonal_stats: columns } as never);
    assert.deepEqual(found, await numbersOf(directory));
  });

  it("in one JSON file, which gives it its name and the start of its paths", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cobre-one-file-"));
    try {
      const path = join(folder, "valley.json");
      const input = objectOf(join(EXAMPLES, "one-reservoir"));
      await writeFile(path, `\uFEFF${JSON.stringify(input)}`);
      assert.deepEqual(await numbersOf(path), await numbersOf(input as never));
      const { name, directory, path: read } = await loadCase(path);
      assert.deepEqual([name, directory, read], ["valley", folder, path]);
      assert.deepEqual(await rawConfig(path), input.config);
      await writeFile(path, "[1]");
      const { issues } = await validateCase(path);
      assert.deepEqual(
        issues.map(({ file, problem }) => [file, problem]),
        [["valley.json", "is not an object"]],
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("with the narrower limits of a plant and of its only group", async () => {
    const input = structuredClone(inLaterWords(objectOf(EARLIER)));
    const [hydro] = input.hydros as [{ generation: Json; unit_groups: [Json] }];
    const most = hydro.generation.max_turbined_m3s as number;
    const limitOf = async (ofGroup: number) => {
      hydro.unit_groups[0].max_turbined_m3s = ofGroup;
      const { study } = await loadCase(input as never);
      return study.hydros.maxTurbinedM3s.at(0, 0);
    };
    assert.equal(await limitOf(most / 2), most / 2);
    assert.equal(await limitOf(most * 2), most);
  });

  it("without lists that it does not need", async () => {
    const { lines: _, ...input } = objectOf(join(EXAMPLES, "one-reservoir"));
    const { study, name, path } = await loadCase(input as never);
    assert.deepEqual([study.system.lines, name, path], [[], "case", undefined]);
  });

  it("with lists that their files call otherwise", async () => {
    const input = objectOf(EARLIER);
    const { study } = await loadCase({
      ...input,
      hydro_production_models: [],
      generic_constraints: [
        { id: 9, name: "c", expression: "bus_deficit(0)", sense: "<=", slack: { enabled: false } },
      ],
    } as never);
    assert.deepEqual(
      study.generic.constraints.map(({ id }) => id),
      [9],
    );
  });
});

describe("faults of an object", () => {
  const faultsOf = async (
    change: (input: Json) => void,
    input = objectOf(join(EXAMPLES, "four-regions")),
  ) => {
    const words = structuredClone(input);
    change(words);
    const { issues, case: found } = await validateCase(words as unknown as CaseInput);
    assert.equal(
      found === undefined,
      issues.some(({ severity }) => severity === "error"),
    );
    return issues.map(({ file, problem }) => `${file}: ${problem}`);
  };
  const at = (input: Json, path: string): Json =>
    path.split(".").reduce((value, key) => value[key] as Json, input);

  it("all at once, with their paths", async () => {
    const faults = await faultsOf((input) => {
      at(input, "config.training.selection").forward_passes = 0;
      at(input, "hydros.2.reservoir").max_storage_hm3 = "much";
      at(input, "hydros.1.unit_groups.0").bus_id = "north";
      delete at(input, "hydros.0").id;
      at(input, "stages.3").num_openings = 1.5;
      input.policy_graph = { type: "finite_horizon", annual_discount_rate: "low" };
      at(input, "load_seasonal_stats.4").mean_mw = "high";
      input.thermal_limits = [];
      delete input.initial_conditions;
    });
    assert.deepEqual([...faults].sort(), [
      "config.training.selection.forward_passes: is 0",
      "hydros[0].id: is missing",
      'hydros[1].unit_groups[0].bus_id: is the text "north"',
      'hydros[2].reservoir.max_storage_hm3: is the text "much"',
      "initial_conditions: is missing",
      'load_seasonal_stats[4].mean_mw: is the text "high"',
      'policy_graph.annual_discount_rate: is the text "low"',
      "stages[3].num_openings: is 1.5",
      "thermal_limits: is not a part of a case",
    ]);
  });

  it("in the words that were used", async () => {
    const faults = await faultsOf((input) => {
      at(input, "stages.3").num_scenarios = 1.5;
      at(input, "hydros.0").bus_id = "north";
    }, objectOf(EARLIER));
    assert.deepEqual(faults, [
      "stages[3].num_scenarios: is 1.5",
      'hydros[0].bus_id: is the text "north"',
    ]);
  });

  it("of later layers", async () => {
    const faults = await faultsOf((input) => {
      at(input, "hydros.2.reservoir").max_storage_hm3 = -5;
    });
    assert.ok(
      faults.some((fault) => fault.startsWith("hydros[2].reservoir.max_storage_hm3: ")),
      faults.join("\n"),
    );
  });

  it("units of which a part is not told", async () => {
    const faults = await faultsOf(
      (input) => {
        const [group] = at(input, "hydros.0").unit_groups as Json[];
        at(input, "hydros.0").unit_groups = [group, { ...group, id: 1 }];
      },
      inLaterWords(objectOf(EARLIER)),
    );
    assert.ok(
      faults.includes("hydros[0].unit_groups[1].max_turbined_m3s: is missing"),
      faults.join("\n"),
    );
  });

  it("tables that are none", async () => {
    const faults = await faultsOf((input) => {
      input.inflow_seasonal_stats = { hydro_id: [1, 2], stage_id: [1] };
      input.load_seasonal_stats = [3];
    });
    assert.deepEqual(faults.slice(0, 2), [
      "inflow_seasonal_stats: has columns of different lengths",
      "load_seasonal_stats: row 0 is not an object",
    ]);
  });
});
