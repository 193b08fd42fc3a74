/** What a cut says of an inflow that is not allowed below 0. */
export interface TruncatedSlope {
  /** The share of ψ · π that is the slope of the cut by a past inflow. */
  readonly share: number;
  /** What the cut lies below the cost at the trial point; 0 or negative. */
  readonly loss: number;
}

const WHOLE: TruncatedSlope = { share: 1, loss: 0 };
const NONE: TruncatedSlope = { share: 0, loss: 0 };

/**
 * The truncated inflow is z = max(0, L), where L is linear in the past inflows and lies between `low` and `high`. The cost C is convex
 * in z with the slope π, so C(z) ≥ C(z₀) + π (z - z₀). For a cut, z is replaced by a linear function of L on the safe side:
 *
 * - If L cannot change its sign, z is linear.
 * - If π > 0, π z is convex in L, and its tangent at L₀ lies below it.
 * - If π < 0, π z is concave in L, and its chord from `low` to `high` lies below it. The chord does not touch π z at L₀, so the cut does
 *   not touch the cost there: the bound stays valid, but it may not reach the optimum.
 *
 * @param slope π, the derivative of the cost by the inflow
 * @param inflow L₀, the inflow before truncation
 */
export function truncatedSlope(
  slope: number,
  inflow: number,
  low: number,
  high: number,
): TruncatedSlope {
  if (low >= 0) return WHOLE;
  if (high <= 0) return NONE;
  if (slope >= 0) return inflow > 0 ? WHOLE : NONE;
  const share = high / (high - low);
  const chord = share * (inflow - low);
  return { share, loss: slope * (chord - Math.max(0, inflow)) };
}
