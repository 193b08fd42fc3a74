/**
 * How large the counts of a case may be. They are far beyond any study, and small enough that a slip of the finger is told by the
 * validation and not by a lack of memory after hours.
 */
export const LIMITS = {
  forwardPasses: 100_000,
  iterations: 100_000_000,
  scenarios: 1_000_000,
  /** The solvers know about a dozen ways to try again. */
  retryAttempts: 100,
  /** Points for each quantity of a production function: more would take long and change little. */
  fittedPoints: 50,
  /** Openings of a stage. */
  openings: 100_000,
  /** Numbers in the opening tree: 2 GiB. */
  treeValues: 2 ** 28,
  /** A year of days. */
  lag: 366,
  /** Bounds, costs, flows: solvers take 10^20 for infinite, and round long before. */
  magnitude: 1e15,
} as const;
