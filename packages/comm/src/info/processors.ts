import { reasonOf } from "../errors/reason-of.js";
import { planBinding, wishedBind } from "../launch/binding.js";
import { allowedOf } from "../processors/processes.js";
import { formatProcessors } from "../processors/processor-set.js";
import { readSystemFile, readTopology } from "../processors/topology.js";
import type { Environment } from "../select/backend.js";
import type { ProcessorsInfo } from "./info.js";

/** The processors of this process, as the launcher sees them. */
export function describeProcessors(env: Environment): ProcessorsInfo | null {
  const allowed = allowedOf("self");
  if (allowed === undefined) return null;
  const { nodes } = readTopology(allowed, readSystemFile);
  const bind = wishedBind(undefined, env);
  return {
    allowed: formatProcessors(allowed),
    cores: nodes.flatMap((node) => node.cores).length,
    nodes: nodes.length,
    ...planned(bind, allowed),
  };
}

function planned(
  bind: string,
  allowed: readonly number[],
): Pick<ProcessorsInfo, "bind" | "ofTwoRanks"> {
  try {
    return { bind, ofTwoRanks: planBinding(bind, 2, allowed)?.map(formatProcessors) ?? null };
  } catch (error) {
    return { bind: `${bind} (${reasonOf(error)})`, ofTwoRanks: null };
  }
}
