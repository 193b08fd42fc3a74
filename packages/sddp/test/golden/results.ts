import { createHash } from "node:crypto";
import { LocalCommunicator } from "@cobre/comm";
import { type Policy, type ScenarioTables, simulate, train } from "@cobre/sddp";
import { caseNamed, changed } from "../cases.js";

/** So few iterations and scenarios that a case takes about a second, and enough that old cuts are left out of the programs. */
const SIZE = { forwardPasses: 3, iterations: 7, scenarios: 6 } as const;

/** Results by their names. A leaf is a number, or a hash of many. */
export interface Results {
  readonly [name: string]: string | Results;
}

/** Trains and simulates an example. */
export async function resultsOf(name: string): Promise<Results> {
  using comm = new LocalCommunicator();
  const source = changed(await caseNamed(name), SIZE);
  const { policy } = await train(comm, source);
  const scenarios: ScenarioTables[] = [];
  const { costs } = await simulate(comm, source, policy, {
    scenarios: SIZE.scenarios,
    onScenario: (scenario, tables) => {
      scenarios[scenario] = tables;
    },
  });
  return {
    origin: originOf(policy),
    bound: boundsOf(policy),
    cuts: cutsOf(policy),
    policy: { points: fold(policy.points.values), bases: fold(policy.points.bases) },
    simulation: { path_costs: numbered(costs, 0), ...tablesOf(scenarios) },
  };
}

/** What decides whether a policy of an earlier version can be resumed or reused. */
function originOf({ origin }: Policy): Results {
  const { caseFingerprint, futureFingerprints = [], solverFingerprint, floors = [] } = origin;
  return {
    solver: short(solverFingerprint),
    case: short(caseFingerprint),
    futures: short(futureFingerprints.join()),
    floors: fold(floors),
  };
}

function boundsOf({ history, initialBound }: Policy): Results {
  const of = (key: "lowerBound" | "upperBoundMean" | "upperBoundStd" | "lpSolves") =>
    numbered(
      history.map((record) => record[key]),
      1,
    );
  return {
    initial: String(initialBound),
    lower: of("lowerBound"),
    forward_mean: of("upperBoundMean"),
    forward_std: of("upperBoundStd"),
    solves: of("lpSolves"),
  };
}

/** The cuts of all stages, by what their numbers stand for. */
function cutsOf({ pools, origin }: Policy): Results {
  const { hydroIds, lags } = origin;
  const slots = pools.flatMap((pool) =>
    Array.from({ length: pool.count }, (_, slot) => ({ pool, slot })),
  );
  const coefficients = (first: number) =>
    fold(
      slots.flatMap(({ pool, slot }) =>
        hydroIds.map((_, h) => pool.coefficient(slot, first * hydroIds.length + h)),
      ),
    );
  return {
    per_stage: pools.map(({ count }) => count).join(" "),
    intercepts: fold(slots.map(({ pool, slot }) => pool.intercept(slot))),
    by_storage: coefficients(0),
    ...Object.fromEntries(
      Array.from({ length: lags }, (_, lag) => [`by_lag_${lag + 1}`, coefficients(1 + lag)]),
    ),
  };
}

/** Every column of every table, over all scenarios. */
function tablesOf(scenarios: readonly ScenarioTables[]): Results {
  return Object.fromEntries(
    Object.entries(scenarios[0] ?? {}).map(([table, columns]) => [
      table,
      Object.fromEntries(
        columns.map(({ name }, at) => [
          name,
          fold(scenarios.flatMap((tables) => cellsOf(tables[table]?.[at]))),
        ]),
      ),
    ]),
  );
}

/** The cells of a column, with null where one is missing. */
function cellsOf(column: ScenarioTables[string][number] | undefined): (number | null)[] {
  return Array.from(column?.data ?? [], (cell) =>
    column?.isNullable && Number.isNaN(cell) ? null : cell,
  );
}

function numbered(values: Iterable<number>, first: number): Results {
  return Object.fromEntries([...values].map((value, i) => [String(first + i), String(value)]));
}

/** A hash of the bits of all values; if all are the same, that value. */
function fold(values: Iterable<number | null>): string {
  const list = [...values];
  const [first] = list;
  if (first !== undefined && list.every((value) => Object.is(value, first))) {
    return `${list.length} × ${Object.is(first, -0) ? "-0" : first}`;
  }
  const bits = Float64Array.from(list, (value) => value ?? Number.NaN);
  return short(new Uint8Array(bits.buffer));
}

function short(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
