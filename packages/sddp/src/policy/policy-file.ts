import { type ContainerArrays, ContainerError, decodeContainer, encodeContainer } from "@cobre/io";
import { BasisState } from "@cobre/solver";
import { CutPool } from "../cuts/cut-pool.js";
import { SddpError } from "../errors.js";
import { type IterationRecord, RECORD_FIELDS } from "../training/records.js";
import { TrialPoints } from "../training/trial-points.js";
import type { Policy, PolicyOrigin, RuleState } from "./policy.js";
import { costScaleOf, type PolicyHeader, readHeader, wrong } from "./policy-header.js";

/**
 * The bytes of a policy file; docs/policy-format.md describes them.
 *
 * @example
 * ```ts
 * writeAtomically("policy.bin", encodePolicy(policy));
 * ```
 */
export function encodePolicy(policy: Policy): Uint8Array {
  const { origin, iteration, pools, points, history, initialBound, ruleStates } = policy;
  const header: PolicyHeader = {
    kind: "sddp-policy",
    origin,
    iteration,
    dimension: points.dimension,
    cost_scale: costScaleOf(origin),
    record_fields: RECORD_FIELDS,
    bound_caveats: policy.boundCaveats,
    rules_holding: policy.rulesHolding,
    rule_states: ruleStates.map(({ rule, values }) => ({ rule, length: values.length })),
  };
  const arrays: Record<string, Float64Array | Int32Array | Uint8Array> = {};
  pools.forEach((pool, stage) => {
    arrays[`cuts/${stage}/origins`] = pool.packedOrigins();
    arrays[`cuts/${stage}/values`] = pool.packedValues();
    const flags = pool.packedFlags();
    if (flags !== undefined) arrays[`cuts/${stage}/active`] = flags;
    const states = policy.archives?.[stage];
    if (states !== undefined) arrays[`cuts/${stage}/states`] = states;
  });
  arrays["bases/columns"] = points.sizes.columns;
  arrays["bases/rows"] = points.sizes.rows;
  arrays["bases/states"] = points.bases;
  arrays.trial_points = points.values;
  if (points.nodes !== undefined) arrays.trial_nodes = points.nodes;
  arrays.initial_bound = Float64Array.of(initialBound);
  arrays.rule_states = Float64Array.from(ruleStates.flatMap(({ values }) => [...values]));
  arrays.history = Float64Array.from(
    history.flatMap((record) => RECORD_FIELDS.map((field) => record[field])),
  );
  return encodeContainer({ header, arrays });
}

/**
 * Reads the bytes of a policy file.
 *
 * @param name the file's name, for error messages
 * @throws {@link SddpError} of the kind `InvalidPolicy`
 * @example
 * ```ts
 * const policy = decodePolicy(readFileSync("policy.bin"), "policy.bin");
 * ```
 */
export function decodePolicy(bytes: Uint8Array, name: string): Policy {
  try {
    const { header, arrays } = decodeContainer(bytes);
    return policyFrom(readHeader(header), new PolicyArrays(arrays));
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error;
    throw new SddpError("InvalidPolicy", `${name} cannot be used: ${error.message}`, error);
  }
}

function policyFrom(header: PolicyHeader, arrays: PolicyArrays): Policy {
  const { origin, iteration } = header;
  return {
    origin,
    iteration,
    pools: pooledOf(origin).map((_, pool) => poolFrom(header, arrays, pool)),
    points: pointsFrom(header, arrays),
    history: historyFrom(header, arrays),
    initialBound: arrays.reals("initial_bound", 1)[0],
    boundCaveats: header.bound_caveats,
    rulesHolding: header.rules_holding,
    ruleStates: ruleStatesFrom(header, arrays),
    archives: archivesFrom(header, arrays),
  };
}

/** What has cuts of its own: nodes, or stages where each has one node. */
function pooledOf({ nodes, stageIds }: PolicyOrigin): readonly unknown[] {
  return nodes ?? stageIds;
}

function poolFrom(
  { iteration, dimension }: PolicyHeader,
  arrays: PolicyArrays,
  stage: number,
): CutPool {
  const name = `cuts/${stage}/origins`;
  const origins = arrays.integers(name);
  if (origins.length % 2 !== 0) throw wrong(name, "has an odd length");
  origins.forEach((value, i) => {
    const isIteration = i % 2 === 0;
    if (value < 0 || (isIteration && value > iteration)) {
      throw wrong(name, "names an iteration or forward pass that cannot be");
    }
  });
  const count = origins.length / 2;
  const values = arrays.reals(`cuts/${stage}/values`, count * (1 + dimension));
  return CutPool.from(dimension, values, origins, undefined, flagsFrom(arrays, stage, count));
}

/** Whether each cut is in the programs. Without the array, all are. */
function flagsFrom(arrays: PolicyArrays, stage: number, count: number): Uint8Array | undefined {
  const name = `cuts/${stage}/active`;
  if (!arrays.has(name)) return undefined;
  const flags = arrays.bytes(name, count);
  if (flags.some((flag) => flag > 1)) throw wrong(name, "has a number that is neither 0 nor 1");
  return flags;
}

/** The states at which cut selection compares the cuts of each stage, if it was on. */
function archivesFrom(
  { origin, dimension }: PolicyHeader,
  arrays: PolicyArrays,
): readonly Float64Array[] | undefined {
  const names = pooledOf(origin).map((_, pool) => `cuts/${pool}/states`);
  if (!names.some((name) => arrays.has(name))) return undefined;
  return names.map((name) => {
    const states = arrays.reals(name);
    const isWhole = dimension === 0 ? states.length === 0 : states.length % dimension === 0;
    if (!isWhole) throw wrong(name, "does not hold whole states");
    return states;
  });
}

function pointsFrom({ origin, dimension }: PolicyHeader, arrays: PolicyArrays): TrialPoints {
  const stages = origin.stageIds.length;
  const { forwardPasses } = origin;
  const programs = pooledOf(origin).length;
  const sizes = {
    columns: arrays.integers("bases/columns", programs),
    rows: arrays.integers("bases/rows", programs),
  };
  for (const name of ["columns", "rows"] as const) {
    if (sizes[name].some((size) => size < 0)) throw wrong(`bases/${name}`, "has a negative size");
  }
  const nodes = nodesFrom(origin, arrays);
  const sizeOf = (node: number) => sizes.columns[node] + sizes.rows[node];
  // All passes through a chain have bases of the same size.
  const bytes =
    nodes?.reduce((sum, node) => sum + sizeOf(node), 0) ??
    forwardPasses * sizes.columns.reduce((sum, _, node) => sum + sizeOf(node), 0);
  const bases = arrays.bytes("bases/states", bytes);
  const largest = Math.max(...Object.values(BasisState));
  if (bases.some((state) => state > largest)) {
    throw wrong("bases/states", `has a state above ${largest}`);
  }
  // Before the points are made, so that a wrong number of passes allocates nothing.
  const hasEnd = origin.isCyclic;
  const places = nodes === undefined ? stages : nodes.length / forwardPasses;
  const states = places + (hasEnd ? 1 : 0);
  const values = arrays.reals("trial_points", forwardPasses * (1 + states * dimension));
  const walks = { nodes, stages, hasEnd };
  const points = new TrialPoints(forwardPasses, dimension, sizes, bases, walks);
  points.values.set(values);
  return points;
}

/** The nodes on the way of each pass, of a graph with several nodes in a stage, or whose first stage follows the last. */
function nodesFrom(
  { nodes, stageIds, forwardPasses, isCyclic = false }: PolicyOrigin,
  arrays: PolicyArrays,
): Int32Array | undefined {
  if (nodes === undefined && !isCyclic) return undefined;
  const name = "trial_nodes";
  const once = forwardPasses * stageIds.length;
  const visited = arrays.integers(name, isCyclic ? undefined : once);
  if (visited.length === 0 || visited.length % once !== 0) {
    throw wrong(name, "does not hold whole cycles of every pass");
  }
  visited.forEach((node, i) => {
    const stage = nodes === undefined ? node : nodes[node]?.stage;
    if (stage === i % stageIds.length) return;
    throw wrong(name, "names a node that is not of the stage");
  });
  return visited;
}

function historyFrom(
  { record_fields: fields, iteration, origin }: PolicyHeader,
  arrays: PolicyArrays,
): readonly IterationRecord[] {
  const width = fields.length;
  const numbers = arrays.reals("history", iteration * width);
  return Array.from({ length: iteration }, (_, row) => {
    const entries = RECORD_FIELDS.map((field) => {
      return [field, numbers[row * width + fields.indexOf(field)]] as const;
    });
    const record = Object.fromEntries(entries) as unknown as IterationRecord;
    if (record.iteration !== row + 1) throw wrong("history", "does not count its iterations");
    return origin.isEnumerated ? { ...record, isExact: true } : record;
  });
}

function ruleStatesFrom(header: PolicyHeader, arrays: PolicyArrays): readonly RuleState[] {
  const { rule_states: states } = header;
  if (states === undefined) return simulationsFrom(header, arrays);
  const total = states.reduce((sum, { length }) => sum + length, 0);
  const numbers = arrays.reals("rule_states", total);
  let end = 0;
  return states.map(({ rule, length }) => {
    end += length;
    return { rule, values: numbers.slice(end - length, end) };
  });
}

/** In files of earlier versions only simulations keep something: the mean cost of each stage. */
function simulationsFrom(
  { origin, simulation_rules: rules }: PolicyHeader,
  arrays: PolicyArrays,
): readonly RuleState[] {
  const stages = origin.stageIds.length;
  if (rules === undefined) {
    const values = arrays.reals("last_simulation");
    if (values.length === 0) return [];
    return [{ rule: undefined, values: arrays.reals("last_simulation", stages) }];
  }
  const values = arrays.reals("last_simulation", rules.length * stages);
  return rules.map((rule, i) => ({ rule, values: values.slice(i * stages, (i + 1) * stages) }));
}

/** The arrays of a policy file. Reading one that is missing, or has another type or length, throws a {@link ContainerError}. */
class PolicyArrays {
  private readonly arrays: ContainerArrays;

  constructor(arrays: ContainerArrays) {
    this.arrays = arrays;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.arrays, name);
  }

  reals(name: string, length?: number): Float64Array {
    const array = this.get(name, Float64Array, length);
    if (!array.every(Number.isFinite)) throw wrong(name, "has a number that is not finite");
    return array;
  }

  integers(name: string, length?: number): Int32Array {
    return this.get(name, Int32Array, length);
  }

  bytes(name: string, length: number): Uint8Array {
    return this.get(name, Uint8Array, length);
  }

  private get<T extends Float64Array | Int32Array | Uint8Array>(
    name: string,
    type: abstract new () => T,
    length: number | undefined,
  ): T {
    const array = Object.hasOwn(this.arrays, name) ? this.arrays[name] : undefined;
    if (array === undefined) throw wrong(name, "is missing");
    if (!(array instanceof type)) throw wrong(name, "has another type of numbers");
    if (length !== undefined && array.length !== length) {
      throw wrong(name, `has ${array.length} numbers instead of ${length}`);
    }
    return array;
  }
}
