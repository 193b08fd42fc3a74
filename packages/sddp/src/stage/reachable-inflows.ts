import type { Config } from "@cobre/io";
import { type InflowModel, NON_NEGATIVITY, type OpeningTree } from "@cobre/stochastic";
import { SddpError } from "../errors.js";

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

/** The ranges of the inflows before a cycle of stages. [lag · hydros + hydro] */
interface PastInflows {
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
}

/** Ranges that grow for longer than this have no end, or one that is of no use. */
const MOST_CYCLES = 1000;

/**
 * Computes them stage by stage: the range of an inflow follows from those of the inflows before it.
 *
 * @param isCyclic whether the first stage follows the last one. The ranges are then those of all cycles
 * @throws {@link SddpError} if they grow without end
 */
export function reachableInflows(
  inflow: InflowModel,
  tree: OpeningTree,
  initialState: Float64Array,
  config: Config,
  isCyclic = false,
): ReachableInflows {
  const { hydros, lags } = inflow;
  const known = initialState.slice(hydros);
  let past: PastInflows = { lowest: known, highest: known };
  if (!isCyclic || lags === 0) return inflowsAfter(past, inflow, tree, config);
  for (let cycle = 0; cycle < MOST_CYCLES; cycle++) {
    const reached = inflowsAfter(past, inflow, tree, config);
    const wider = pastOfNext(past, reached, inflow);
    const isSame = (key: "lowest" | "highest") =>
      wider[key].every((value, i) => value === past[key][i]);
    // What has grown beyond all numbers is the same from then on, but no end.
    if (!wider.lowest.every(Number.isFinite) || !wider.highest.every(Number.isFinite)) break;
    if (isSame("lowest") && isSame("highest")) return reached;
    past = wider;
  }
  throw new SddpError(
    "InvalidSettings",
    "the inflows of a cyclic horizon can grow without end, from cycle to cycle; give autoregressive coefficients of a stationary model, or leave them out",
  );
}

/** The ranges before the next cycle, which is like those before this one and after it. */
function pastOfNext(
  past: PastInflows,
  reached: ReachableInflows,
  { stages, hydros }: InflowModel,
): PastInflows {
  const widened = (key: "lowest" | "highest", wider: (a: number, b: number) => number) =>
    past[key].map((value, i) => {
      const lag = Math.floor(i / hydros) + 1;
      const after =
        lag <= stages
          ? reached[key][(stages - lag) * hydros + (i % hydros)]
          : past[key][i - stages * hydros];
      return wider(value, after);
    });
  return { lowest: widened("lowest", Math.min), highest: widened("highest", Math.max) };
}

function inflowsAfter(
  past: PastInflows,
  inflow: InflowModel,
  tree: OpeningTree,
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
        const earlier = (lag - stage - 1) * hydros + h;
        const before = (stage - lag) * hydros + h;
        const [from, to] =
          lag > stage
            ? [past.lowest[earlier], past.highest[earlier]]
            : [lowest[before], highest[before]];
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
