import { describe } from "node:test";
import { columns, goodCase, stage } from "./case-folder.js";
import { type Changes, type Fault, testFaults } from "./test-faults.js";

const good = goodCase();
const json = (file: string) => good[file] as Record<string, unknown>;
const base = json("config.json").training as object;

/** A file of the case as text, with numbers that `JSON.stringify` would not write. */
function text(file: string, from: RegExp, to: string): Changes {
  const before = JSON.stringify(good[file]);
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${from} is not in ${file}`);
  return { [file]: after };
}

function training(fields: object): Changes {
  return { "config.json": { training: { ...base, ...fields } } };
}

function rule(fields: object): Changes {
  return training({ stopping_rules: [{ type: "iteration_limit", limit: 1 }, fields] });
}

const inflows = (mean: string): Changes => ({
  "scenarios/inflow_seasonal_stats.parquet": undefined,
  "scenarios/inflow_seasonal_stats.csv": [
    "hydro_id,stage_id,mean_m3s,std_m3s",
    ...[2, 4].flatMap((hydro) => [0, 1, 2].map((id) => `${hydro},${id},${mean},1`)),
  ].join("\n"),
});

const autoregression = (lag: number): Changes => ({
  "scenarios/inflow_ar_coefficients.parquet": columns({
    hydro_id: [2],
    stage_id: [1],
    lag: [lag],
    coefficient: [0.5],
    residual_std_ratio: [0.9],
  }),
});

const MOST = 2 ** 53 - 1;
const beyond = "must be between -1000000000000000 and 1000000000000000";

// Each number that no study can mean, and everything that must be said about it.
const faults: readonly Fault[] = [
  [
    "a cost of 1e999",
    text("system/thermals.json", /"cost_per_mwh":[0-9.]+/, '"cost_per_mwh":1e999'),
    new RegExp(`^error system/thermals\\.json: .*cost_per_mwh: is Infinity; ${beyond}$`),
  ],
  [
    "a cost of -1e308",
    text("system/thermals.json", /"cost_per_mwh":[0-9.]+/, '"cost_per_mwh":-1e308'),
    new RegExp(`cost_per_mwh: is -1e\\+308; ${beyond}$`),
  ],
  [
    "a penalty of 1e999",
    text("penalties.json", /"exchange_cost":[0-9.]+/, '"exchange_cost":1e999'),
    /penalties\.json: line\.exchange_cost: is Infinity/,
  ],
  [
    "inflows of 1e308 in CSV",
    inflows("1e308"),
    ...new Array(5).fill(new RegExp(`row \\d: mean_m3s: is 1e\\+308; ${beyond}$`)),
    /mean_m3s: 1 more rows are wrong/,
  ],
  [
    "inflows of 1e999 in CSV",
    inflows("1e999"),
    ...new Array(5).fill(/row \d: mean_m3s: is Infinity; must be a finite number$/),
    /mean_m3s: 1 more rows are wrong/,
  ],
  [
    "a correlation of 1e999",
    {
      "scenarios/correlation.json": `{"method": "spectral", "profiles": {"default": {"correlation_groups": [{"name": "g",
        "entities": [{"type": "inflow", "id": 2}, {"type": "inflow", "id": 4}], "matrix": [[1, 1e999], [1e999, 1]]}]}}}`,
    },
    /matrix: is not a matrix; must be a list of lists of finite numbers/,
  ],
  [
    "more attempts than solvers know",
    training({ solver: { retry_max_attempts: MOST } }),
    /retry_max_attempts: is 9007199254740991; must be between 1 and 100$/,
  ],
  [
    "too many forward passes",
    training({ forward_passes: MOST }),
    /forward_passes: .* must be between 1 and 100000$/,
  ],
  [
    "too many iterations",
    training({ stopping_rules: [{ type: "iteration_limit", limit: MOST }] }),
    /limit: .* must be between 1 and 100000000$/,
  ],
  [
    "too many replications",
    rule({
      type: "simulation",
      replications: MOST,
      period: 1,
      bound_window: 1,
      distance_tol: 0,
      bound_tol: 0,
    }),
    /replications: .* must be between 1 and 1000000$/,
  ],
  [
    "too many scenarios",
    { "config.json": { training: base, simulation: { enabled: true, num_scenarios: MOST } } },
    /num_scenarios: .* must be between 1 and 1000000$/,
  ],
  [
    "too many openings",
    {
      "stages.json": {
        ...json("stages.json"),
        stages: [stage(0, { num_scenarios: 2 ** 40 }), stage(1), stage(2)],
      },
    },
    /stage 0: num_scenarios: is 1099511627776; must be at most 100000$/,
  ],
  [
    "a lag beyond a year of days",
    autoregression(20_000_000),
    /row 1: lag: is 20000000; must be at most 366$/,
  ],
];

describe("a number beyond its limit", () => testFaults(faults));
