import type { Config } from "@cobre/io";
import { type InflowModel, NON_NEGATIVITY, type OpeningTree } from "@cobre/stochastic";

/**
 * The smallest and largest inflows that any path through the opening tree can bring. They hold for every state that training or
 * simulation can reach, so bounds that are built from them do not depend on the state.
 */
export interface ReachableInflows {
  /** [stage · hydros + hydro] */
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
  /** The smallest inflow before truncation. [stage · hydros + hydro] */
  readonly lowestUntruncated: Float64Array;
  /** The smallest and the largest Σ ψ_l a_l. [stage · hydros + hydro] */
  readonly lowestLagTerm: Float64Array;
  readonly highestLagTerm: Float64Array;
}

/** Computes them stage by stage: the range of an inflow follows from those of the inflows before it. */
export function reachableInflows(
  inflow: InflowModel,
  tree: OpeningTree,
  initialState: Float64Array,
  { inflowNonNegativity }: Config,
): ReachableInflows {
  const { stages, hydros, lags } = inflow;
  const lowest = new Float64Array(stages * hydros);
  const highest = new Float64Array(stages * hydros);
  const lowestUntruncated = new Float64Array(stages * hydros);
  const lowestLagTerm = new Float64Array(stages * hydros);
  const highestLagTerm = new Float64Array(stages * hydros);
  const { truncates } = NON_NEGATIVITY[inflowNonNegativity.method];
  for (let stage = 0; stage < stages; stage++) {
    for (let h = 0; h < hydros; h++) {
      const at = stage * hydros + h;
      let [low, high] = [0, 0];
      for (let lag = 1; lag <= lags; lag++) {
        const psi = inflow.psi[at * lags + lag - 1];
        const known = initialState[hydros * (lag - stage) + h];
        const before = (stage - lag) * hydros + h;
        const [from, to] = lag > stage ? [known, known] : [lowest[before], highest[before]];
        low += psi * (psi < 0 ? to : from);
        high += psi * (psi < 0 ? from : to);
      }
      lowestLagTerm[at] = low;
      highestLagTerm[at] = high;
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let opening = 0; opening < tree.openings(stage); opening++) {
        const term = inflow.noiseTerm(stage, h, tree.values[tree.offset(stage, opening) + h]);
        least = Math.min(least, term);
        most = Math.max(most, term);
      }
      const floor = truncates && inflow.sigma[at] !== 0 ? 0 : Number.NEGATIVE_INFINITY;
      lowestUntruncated[at] = low + least;
      lowest[at] = Math.max(floor, low + least);
      highest[at] = Math.max(floor, high + most);
    }
  }
  return { lowest, highest, lowestUntruncated, lowestLagTerm, highestLagTerm };
}
