/** How files of a run are read: every field is checked, and whoever damaged one is told which. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ifWritten, openRun, RunError, summaryOfRun } from "@cobre/study";
import { JsonFields, parseCsv, RunFiles, ScenarioTables } from "#internal";
import {
  put,
  putScenario,
  putScenarios,
  putTraining,
  SIMULATION_METADATA,
  TRAINING_METADATA,
} from "./written-run.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-results-"));
after(() => rmSync(folder, { recursive: true }));
let runs = 0;
/** A directory of its own for each test. */
const newRun = () => join(folder, String(runs++));

/** Also without a cause, where nothing else had gone wrong. */
function isRunError(kind: string, path: string, message: string, hasCause = false) {
  return (error: unknown) => {
    assert.ok(error instanceof RunError);
    assert.deepEqual([error.kind, error.path, error.message], [kind, path, message]);
    assert.equal("cause" in error, hasCause);
    return true;
  };
}

describe("the fields of a JSON file", () => {
  const content = {
    number: 1.5,
    zero: 0,
    nothing: null,
    text: "words",
    date: "2026-01-02T00:00:00.000Z",
    texts: ["a", "b"],
    mixed: ["a", 2],
    numbers: [3, 4],
    object: { inner: { number: 7 }, "": 0 },
    list: [{ number: 1 }, { number: "two" }],
  };
  const fields = new JsonFields(content, "file");
  const refused = (field: string, problem: string, path = "file") =>
    isRunError("Damaged", path, `${path} is incomplete: ${field} ${problem}; run the case again`);

  it("are read by their types and paths", () => {
    assert.equal(fields.number("number"), 1.5);
    assert.equal(fields.number("zero"), 0);
    assert.equal(fields.number("object.inner.number"), 7);
    assert.deepEqual([fields.numberOrNull("zero"), fields.numberOrNull("nothing")], [0, null]);
    assert.equal(fields.text("text"), "words");
    assert.deepEqual(
      [fields.optionalText("text"), fields.optionalText("none")],
      ["words", undefined],
    );
    assert.deepEqual(
      [fields.textIfAny("text"), fields.textIfAny("nothing"), fields.textIfAny("none")],
      ["words", undefined, undefined],
    );
    assert.deepEqual(fields.numbers("numbers"), [3, 4]);
    assert.equal(fields.optionalList("list")[0]?.number("number"), 1);
    assert.deepEqual(fields.optionalList("none"), []);
    assert.deepEqual(fields.date("date"), new Date(content.date));
    assert.deepEqual([fields.texts("texts"), fields.texts("none")], [["a", "b"], []]);
    assert.equal(fields.object("object").number("inner.number"), 7);
    assert.equal(fields.objectOrNull("nothing"), null);
    assert.equal(fields.objectOrNull("object")?.number("inner.number"), 7);
    assert.deepEqual(fields.keys("object"), ["inner", ""]);
    assert.equal(fields.list("list")[0]?.number("number"), 1);
  });

  it("are named if they are missing or of another type", () => {
    for (const [read, field, problem] of [
      [() => fields.number("text"), "text", "is not a number"],
      [() => fields.number("none"), "none", "is missing"],
      [() => fields.number("text.length"), "text.length", "is missing"],
      [() => fields.number("texts.length"), "texts.length", "is missing"],
      [() => fields.number("nothing.inner"), "nothing.inner", "is missing"],
      [() => fields.text("object.toString"), "object.toString", "is missing"],
      [() => fields.number("nothing"), "nothing", "is not a number"],
      [() => fields.numberOrNull("text"), "text", "is not a number or null"],
      [() => fields.numberOrNull("none"), "none", "is missing"],
      [() => fields.text("number"), "number", "is not a text"],
      [() => fields.optionalText("nothing"), "nothing", "is not a text"],
      [() => fields.textIfAny("number"), "number", "is not a text"],
      [() => fields.numbers("mixed"), "mixed", "is not a list of numbers"],
      [() => fields.numbers("none"), "none", "is missing"],
      [() => fields.optionalList("object"), "object", "is not a list"],
      [() => fields.date("text"), "text", "is not a date"],
      [() => fields.texts("mixed"), "mixed", "is not a list of texts"],
      [() => fields.texts("text"), "text", "is not a list of texts"],
      [() => fields.list("object"), "object", "is not a list"],
      [() => fields.list("none"), "none", "is missing"],
      [() => fields.object("list"), "list", "is not an object"],
      [() => fields.object("nothing"), "nothing", "is not an object"],
      [() => fields.objectOrNull("number"), "number", "is not an object"],
      [() => fields.objectOrNull("none"), "none", "is missing"],
      [() => fields.keys("list"), "list", "is not an object"],
      [() => fields.keys("text"), "text", "is not an object"],
    ] as const)
      assert.throws(read, refused(field, problem), field);
  });

  it("of an entry or an object are named with its place", () => {
    const [, second] = fields.list("list");
    const place = "file, list 1";
    assert.throws(() => second?.number("number"), refused("number", "is not a number", place));
    const inner = "file, object";
    assert.throws(() => fields.object("object").text("no"), refused("no", "is missing", inner));
  });
});

describe("the cells of a CSV file", () => {
  it("end with the line, whichever way it ends, and with the text", () => {
    for (const [text, rows] of [
      ["a,b", [["a", "b"]]],
      [
        "a,b\r\nc,d",
        [
          ["a", "b"],
          ["c", "d"],
        ],
      ],
      ["a\n\nb\n", [["a"], [""], ["b"]]],
      ["a,", [["a", ""]]],
      [",\n", [["", ""]]],
      ["\n", [[""]]],
      ['""', [[""]]],
      ['"x"\n', [["x"]]],
      ['a,"x"', [["a", "x"]]],
      ['"a""b",c', [['a"b', "c"]]],
    ] as const)
      assert.deepEqual(parseCsv(text), rows, JSON.stringify(text));
  });
});

describe("the files of a run", () => {
  it("that are missing, folders or no JSON are told apart", async () => {
    const directory = newRun();
    const files = new RunFiles(directory);
    const path = files.path("a.json");
    const missing = `${path} does not exist; the run did not write it`;
    await assert.rejects(files.bytes("a.json"), isRunError("Missing", path, missing, true));
    await assert.rejects(files.columns("a.json", {}), isRunError("Missing", path, missing));
    mkdirSync(path, { recursive: true });
    // Versions of Node.js have different words for it.
    const words = await readFile(path).catch((error: Error) => error.message);
    const unreadable = `${path} cannot be read: ${words}`;
    await assert.rejects(files.bytes("a.json"), isRunError("Damaged", path, unreadable, true));
    rmSync(path, { recursive: true });
    put(directory, "a.json", "{");
    const damaged = `${path} is not JSON; run the case again`;
    await assert.rejects(files.json("a.json"), isRunError("Damaged", path, damaged, true));
    put(directory, "a.json", "[7]");
    assert.equal(await files.text("a.json"), "[7]");
  });

  it("that the run did not write are nothing where one may do without them", async () => {
    const missing = new RunError("Missing", "p", "m");
    assert.equal(await ifWritten(Promise.resolve(7)), 7);
    assert.equal(await ifWritten(Promise.reject(missing)), undefined);
    const others = [
      new RunError("Damaged", "p", "m"),
      Object.assign(new Error(), { kind: "Missing" }),
    ];
    for (const other of others)
      await assert.rejects(ifWritten(Promise.reject(other)), (error) => error === other);
  });

  it("with scenarios are found in the order of their numbers", () => {
    const directory = newRun();
    const scenarios = () => new ScenarioTables(new RunFiles(directory)).scenarios("buses");
    assert.deepEqual(scenarios(), []);
    for (const id of [10000, 9999, 2, 10, 0]) putScenario(directory, id);
    put(directory, "simulation/buses/scenario_id=x/data.parquet", "");
    put(directory, "simulation/buses/_SUCCESS", "");
    assert.deepEqual(scenarios(), [0, 2, 10, 9999, 10000]);
    putScenarios(directory, 20, [{}, {}, {}]);
    assert.deepEqual(scenarios(), [0, 2, 10, 20, 21, 22, 9999, 10000]);
    putScenarios(directory, 22, [{}]);
    assert.throws(scenarios, /has the scenarios of scenarios_0022-0022.parquet twice/);
  });
});

describe("the dictionaries of a run", () => {
  const written = async (name: string, content: string | object) => {
    const directory = newRun();
    putTraining(directory);
    put(directory, `training/dictionaries/${name}`, content);
    return { run: await openRun(directory), path: join(directory, "training/dictionaries", name) };
  };
  const header = "entity_type_code,entity_id,name,bus_id,system_id";

  it("have the entities of each kind, in the order of the case", async () => {
    const rows = [
      "0,4,Upper,0,0",
      "2,0,North,0,0",
      "0,1,Lower,1,0",
      "1,0,Gas,1,0",
      "2,1,South,1,0",
      '3,0,"N, S",-1,0',
      "4,2,Pump,1,0",
      "5,3,Deal,0,0",
      "7,8,Wind,1,0",
    ];
    const { run } = await written("entities.csv", `${[header, ...rows].join("\n")}\n`);
    assert.deepEqual(await run.entities(), {
      hydros: [
        { id: 4, name: "Upper", busId: 0 },
        { id: 1, name: "Lower", busId: 1 },
      ],
      thermals: [{ id: 0, name: "Gas", busId: 1 }],
      buses: [
        { id: 0, name: "North", busId: 0 },
        { id: 1, name: "South", busId: 1 },
      ],
      lines: [{ id: 0, name: "N, S", busId: undefined }],
      nonControllables: [{ id: 8, name: "Wind", busId: 1 }],
      pumpingStations: [{ id: 2, name: "Pump", busId: 1 }],
      contracts: [{ id: 3, name: "Deal", busId: 0 }],
    });
  });

  it("are refused with other columns, in the header or in any row", async () => {
    for (const text of ["", "a,b\n", `${header}\n0,4,Upper,0,0\n0,1,Lower\n`, `${header},more\n`]) {
      const { run, path } = await written("entities.csv", text);
      const message = `${path} has not the columns ${header.replaceAll(",", ", ")}; run the case again`;
      await assert.rejects(run.entities(), isRunError("Damaged", path, message));
    }
  });

  it("have the components of the state, lags with their number", async () => {
    const { run } = await written("state_dictionary.json", {
      state_variables: [
        { type: "storage", entity_id: 4, lag_index: 9, unit: "hm3" },
        { type: "inflow_lag", entity_id: 5, lag_index: 1, unit: "m3/s" },
      ],
    });
    assert.deepEqual(await run.training?.stateEntries(), [
      { type: "storage", hydroId: 4, lag: undefined, unit: "hm3" },
      { type: "inflow_lag", hydroId: 5, lag: 1, unit: "m3/s" },
    ]);
  });

  it("have no range for coefficients that are all 0", async () => {
    const directory = newRun();
    putTraining(directory);
    const ranges = { matrix: { min: 1, max: 2 }, objective: null, bounds: null, rhs: null };
    put(directory, "training/scaling_report.json", {
      usual_range: { min: 1e-3, max: 1e3 },
      unusual: ["rhs", "something newer", "matrix"],
      summary: ranges,
      stages: [{ stage_id: 30, num_cols: 3, num_rows: 2, num_nz: 4, ...ranges }],
    });
    assert.deepEqual(await (await openRun(directory)).training?.scaling(), {
      usual: { min: 1e-3, max: 1e3 },
      unusual: ["matrix", "rhs"],
      overall: ranges,
      stages: [{ stageId: 30, columns: 3, rows: 2, nonzeros: 4, ...ranges }],
    });
  });
});

describe("the summary of a run", () => {
  const simulate = (directory: string) => {
    put(directory, "simulation/metadata.json", SIMULATION_METADATA);
    put(directory, "simulation/_SUCCESS", "");
    for (const id of ["0000", "0001"])
      put(directory, `simulation/costs/scenario_id=${id}/data.parquet`, "");
  };
  const trained = {
    status: "completed",
    lower_bound: 10.5,
    lower_bound_caveats: ["foreign_cuts"],
    iterations: 2,
    forward: { mean: 11, std: 0.5, ci95: null, passes: 1 },
    simulation: null,
    hashes: { cuts: "abc", bounds: "def", simulation: null },
    ranks: 3,
    backend: "shm",
    solver: "highs",
    seed: 7,
    forward_passes: 1,
    termination: "iteration_limit",
  };
  const simulation = { mean: 12.5, std: 1.5, ci95: 0.25, scenarios: 2 };

  it("of training has its numbers, and of both those of training where both have some", async () => {
    const directory = newRun();
    putTraining(directory);
    assert.deepEqual(summaryOfRun(await openRun(directory)), trained);
    simulate(directory);
    const hashes = { ...trained.hashes, simulation: "123" };
    assert.deepEqual(summaryOfRun(await openRun(directory)), { ...trained, simulation, hashes });
  });

  it("of a simulation alone has no numbers of training", async () => {
    const directory = newRun();
    simulate(directory);
    const none = Object.fromEntries(Object.keys(trained).map((name) => [name, null]));
    assert.deepEqual(summaryOfRun(await openRun(directory)), {
      ...none,
      status: "completed",
      lower_bound_caveats: [],
      simulation,
      hashes: { simulation: "123" },
      ranks: 2,
      backend: "tcp",
      solver: "clp",
    });
  });

  it("of neither is empty", () => {
    const { status, hashes, lower_bound_caveats, ...rest } = summaryOfRun({
      training: undefined,
      simulation: undefined,
    });
    assert.deepEqual(
      [status, hashes, lower_bound_caveats],
      ["completed", { simulation: null }, []],
    );
    for (const [name, value] of Object.entries(rest)) assert.equal(value, null, name);
  });

  it("says that training was interrupted, and does without a forward mean", async () => {
    const directory = newRun();
    putTraining(directory);
    const convergence = { ...TRAINING_METADATA.convergence, upper_bound: null };
    put(directory, "training/metadata.json", {
      ...TRAINING_METADATA,
      status: "interrupted",
      convergence,
    });
    rmSync(join(directory, "training/_SUCCESS"));
    const run = await openRun(directory);
    assert.equal(run.training?.isComplete, false);
    const { status, forward } = summaryOfRun(run);
    assert.deepEqual([status, forward], ["interrupted", null]);
  });

  it("has a policy only if the run wrote one", async () => {
    const directory = newRun();
    putTraining(directory);
    const whole = await openRun(directory);
    assert.deepEqual([whole.hasPolicy, whole.directory], [true, directory]);
    put(directory, "policy/policy.bin", "COBREPOL");
    const damaged = (error: unknown) => {
      assert.ok(error instanceof RunError && error.kind === "Damaged");
      assert.ok(error.cause instanceof Error);
      assert.equal(error.message, error.cause.message);
      return true;
    };
    await assert.rejects(whole.policy(), damaged);
    rmSync(join(directory, "policy"), { recursive: true });
    const run = await openRun(directory);
    assert.equal(run.hasPolicy, false);
    const path = join(directory, "policy/policy.bin");
    const message = `${path} does not exist; the run did not write it`;
    await assert.rejects(run.policy(), isRunError("Missing", path, message, true));
  });
});
