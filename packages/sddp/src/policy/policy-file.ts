import { type ContainerArrays, ContainerError, decodeContainer, encodeContainer } from "@cobre/io";
import { CutPool } from "../cuts/cut-pool.js";
import { SddpError } from "../errors.js";
import { COST_SCALE } from "../model.js";
import { type IterationRecord, RECORD_FIELDS } from "../training/records.js";
import { TrialPoints } from "../training/trial-points.js";
import type { Policy, PolicyOrigin } from "./policy.js";

/** The header of a policy file: what is not a long list of numbers. */
interface PolicyHeader {
  readonly kind: "sddp-policy";
  readonly origin: PolicyOrigin;
  readonly iteration: number;
  readonly dimension: number;
  readonly cost_scale: number;
  readonly record_fields: readonly string[];
}

/**
 * The bytes of a policy file; docs/policy-format.md describes them.
 *
 * @example
 * ```ts
 * writeAtomically("policy.bin", encodePolicy(policy));
 * ```
 */
export function encodePolicy(policy: Policy): Uint8Array {
  const { origin, iteration, pools, points, history, initialBound, lastSimulation } = policy;
  const header: PolicyHeader = {
    kind: "sddp-policy",
    origin,
    iteration,
    dimension: points.dimension,
    cost_scale: COST_SCALE,
    record_fields: RECORD_FIELDS,
  };
  const arrays: Record<string, Float64Array | Int32Array | Uint8Array> = {};
  pools.forEach((pool, stage) => {
    arrays[`cuts/${stage}/origins`] = pool.packedOrigins();
    arrays[`cuts/${stage}/values`] = pool.packedValues();
  });
  arrays["bases/columns"] = points.sizes.columns;
  arrays["bases/rows"] = points.sizes.rows;
  arrays["bases/states"] = points.bases;
  arrays.trial_points = points.values;
  arrays.initial_bound = Float64Array.of(initialBound);
  arrays.last_simulation = lastSimulation ?? new Float64Array(0);
  arrays.history = Float64Array.from(
    history.flatMap((record) => RECORD_FIELDS.map((field) => record[field])),
  );
  return encodeContainer({ header, arrays });
}

/**
 * Reads the bytes of a policy file.
 *
 * @param name of the file, for the error
 * @throws {@link SddpError} of the kind `InvalidPolicy`
 * @example
 * ```ts
 * const policy = decodePolicy(readFileSync("policy.bin"), "policy.bin");
 * ```
 */
export function decodePolicy(bytes: Uint8Array, name: string): Policy {
  try {
    const { header, arrays } = decodeContainer(bytes);
    return policyFrom(header as PolicyHeader, arrays);
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error;
    throw new SddpError("InvalidPolicy", `${name} cannot be used: ${error.message}`, error);
  }
}

function policyFrom(header: PolicyHeader, arrays: ContainerArrays): Policy {
  if (header.kind !== "sddp-policy") throw new ContainerError("it does not hold a policy");
  const { origin, iteration, dimension } = header;
  const sizes = {
    columns: arrays["bases/columns"] as Int32Array,
    rows: arrays["bases/rows"] as Int32Array,
  };
  const points = new TrialPoints(
    origin.forwardPasses,
    dimension,
    sizes,
    arrays["bases/states"] as Uint8Array,
  );
  points.values.set(arrays.trial_points as Float64Array);
  const history: IterationRecord[] = [];
  const numbers = arrays.history as Float64Array;
  for (let at = 0; at < numbers.length; at += RECORD_FIELDS.length) {
    const entries = RECORD_FIELDS.map((field, i) => [field, numbers[at + i]] as const);
    history.push(Object.fromEntries(entries) as unknown as IterationRecord);
  }
  const last = arrays.last_simulation as Float64Array;
  return {
    origin,
    iteration,
    pools: origin.stageIds.map((_, stage) =>
      CutPool.from(
        dimension,
        arrays[`cuts/${stage}/values`] as Float64Array,
        arrays[`cuts/${stage}/origins`] as Int32Array,
      ),
    ),
    points,
    history,
    initialBound: (arrays.initial_bound as Float64Array)[0],
    lastSimulation: last.length === 0 ? undefined : last,
  };
}
