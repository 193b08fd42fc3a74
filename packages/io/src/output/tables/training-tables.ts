/** The tables of `training/`. */
import { code, integer, long, optional, real, text } from "../column.js";

/** One row for each iteration. */
export const CONVERGENCE = {
  iteration: integer("from 1"),
  lower_bound: real("risk-adjusted cost of the first stage's openings", "$"),
  upper_bound_mean: real(
    "forward mean: the mean cost of the forward passes; a sample, not a bound",
    "$",
  ),
  upper_bound_std: real(
    "standard deviation of the costs of the forward passes; 0 for a single one",
    "$",
  ),
  gap_percent: optional(
    real(
      "how far the mean is above the bound; none if the bound is not positive or risk-adjusted",
      "%",
    ),
  ),
  cuts_added: integer("cuts of this iteration, in all stages"),
  cuts_removed: integer("cuts that selection took out of the programs"),
  cuts_active: long("cuts in the programs after the iteration, in all stages"),
  time_forward_ms: long("forward passes", "ms"),
  time_backward_ms: long("backward sweep", "ms"),
  time_total_ms: long("the iteration", "ms"),
  forward_passes: integer("how many"),
  lp_solves: long("programs solved, on all ranks"),
};

/** One row for each iteration and rank. */
export const ITERATION_TIMING = {
  iteration: integer("from 1"),
  rank: optional(integer("the rank that measured")),
  worker_id: optional(integer("none: a rank is one thread")),
  forward_wall_ms: real("forward passes", "ms"),
  backward_wall_ms: real("backward sweep", "ms"),
  lower_bound_ms: real("lower bound", "ms"),
  solve_ms: real("in the solver", "ms"),
  communication_ms: real("in collectives, waiting for others included", "ms"),
  overhead_ms: real("neither in the solver nor in collectives", "ms"),
};

/** One row for each iteration and rank. */
export const RANK_TIMING = {
  iteration: integer("from 1"),
  rank: integer("the rank that measured"),
  forward_time_ms: real("forward passes", "ms"),
  backward_time_ms: real("backward sweep", "ms"),
  communication_time_ms: real("in collectives", "ms"),
  idle_time_ms: optional(
    real("of communication_time_ms, waiting for others; only with --report", "ms"),
  ),
  lp_solves: long("programs this rank solved"),
  scenarios_processed: integer("forward passes of this rank"),
};

/** One row for each rank and collective, if the run measured them. */
export const COLLECTIVES = {
  rank: integer("the rank that called"),
  collective: text("allgatherv, allreduce, broadcast, barrier, or fence of shared memory"),
  calls: long("how often"),
  bytes: long("what this rank contributed; of a broadcast, the length of the array", "B"),
  time_ms: real("in these calls, waiting for others included", "ms"),
  waiting_ms: optional(
    real("of time_ms, waiting for others; none over MPI, which does not tell", "ms"),
  ),
};

/** One row for each iteration, phase and stage; in a simulation, one for each stage. */
export const SOLVER_ITERATIONS = {
  iteration: integer("from 1; of a simulation: that of the policy"),
  phase: text("forward, backward, lower_bound or simulation"),
  stage: integer("index of the stage, from 0"),
  opening: optional(integer("none: all openings together")),
  rank: optional(integer("none: all ranks together")),
  worker_id: optional(integer("none: a rank is one thread")),
  lp_solves: long("programs solved"),
  lp_successes: long("those solved at the first attempt"),
  lp_retries: long("those that took more than one attempt"),
  lp_failures: long("those without a solution; the run ends at the first one"),
  retry_attempts: long("attempts after the first"),
  basis_offered: optional(
    long("solves that started from a stored basis; the others went on from the one before"),
  ),
  basis_consistency_failures: optional(long("none: a stored basis fits the program it is for")),
  simplex_iterations: long("of all attempts"),
  solve_time_ms: real("in the solver, on all ranks", "ms"),
  load_model_time_ms: optional(real("none: programs stay in the solver", "ms")),
  set_bounds_time_ms: optional(real("setting states and noise, on all ranks", "ms")),
  basis_set_time_ms: optional(real("setting bases, on all ranks", "ms")),
  basis_reconstructions: optional(long("none: new rows are simply basic")),
};

/** One row for each iteration, phase, stage and level at which programs were solved. */
export const RETRY_HISTOGRAM = {
  iteration: integer("from 1; of a simulation: that of the policy"),
  phase: text("forward, backward, lower_bound or simulation"),
  stage: integer("index of the stage, from 0"),
  retry_level: integer("attempts after the first that were needed; from 1"),
  count: long("programs solved at this level"),
};

/** One row for each iteration in which cuts were selected, and each stage that may lose some. */
export const CUT_SELECTION = {
  iteration: integer("from 1"),
  stage: integer("index of the stage, from 0"),
  cuts_populated: integer("cuts of the stage, in its program or not"),
  cuts_active_before: integer("in the program before"),
  cuts_deactivated: integer("taken out"),
  cuts_reactivated: integer("put back that had been taken out earlier"),
  cuts_active_after: integer("in the program after"),
  selection_time_ms: real("of all stages together", "ms"),
};

/** One row for each iteration, forward pass and state component; a file for each stage. */
export const STATES = {
  iteration: integer("from 1"),
  forward_pass: integer("from 0"),
  state_index: integer("index into state_dictionary.json, from 0"),
  value: real("at the start of the stage; its unit is in state_dictionary.json"),
};

/** One row for each bound that is not infinite, of each entity and stage. */
export const BOUNDS = {
  entity_type_code: code("codes.json: entity_type"),
  entity_id: integer("id of the entity"),
  stage_id: integer("id of the stage"),
  block_id: optional(integer("none: the bound holds in all blocks")),
  bound_type_code: code("codes.json: bound_type"),
  bound_value: real("hm3, m3/s or MW, depending on the type"),
};
