import { COSTS, PATHS } from "@cobre/io";
import { COST_SCALE, type Model } from "../model.js";
import type { StageProblem } from "../stage/stage-problem.js";
import { blankTables, copyTables, openStage } from "./blank-tables.js";
import { type RecordedColumn, ResultTable } from "./result-table.js";
import type { CostKind, ResultTables, StageResults } from "./stage-results.js";

/** The tables of one scenario, by the name of their folder in the output. */
export type ScenarioTables = Readonly<Record<string, RecordedColumn[]>>;

/** The kinds of cost that are violations of limits of hydro plants. */
const HYDRO_VIOLATIONS: readonly CostKind[] = [
  "outflow_violation_below",
  "outflow_violation_above",
  "turbined_violation",
  "generation_violation",
  "evaporation_violation",
  "withdrawal_violation",
];

/** To make these names anew for each stage took a fifth of the time of recording. */
const COST_COLUMNS = Object.fromEntries(
  Object.keys(COSTS).map((name) => [name.replace(/_cost$/, ""), name]),
) as Readonly<Record<CostKind, keyof typeof COSTS>>;

/** The results of one scenario, stage by stage. The elements of the stages fill in the tables; only costs are summed here. */
export class ScenarioRecord {
  private readonly model: Model;
  private readonly results: ResultTables;
  /** The nodes of the stages, where these have several. */
  private readonly paths: ResultTable<typeof PATHS> | undefined;
  /** Discounted, in $. */
  totalCost = 0;

  /** @param blank what {@link blankTables} gives for the model; it is copied */
  constructor(model: Model, blank: ResultTables = blankTables(model)) {
    this.model = model;
    this.results = copyTables(blank);
    const { graph, stages } = model;
    this.paths = graph.isChain ? undefined : new ResultTable(PATHS, stages, "by entity");
  }

  /** Adds the stage that has just been solved. */
  add(problem: StageProblem, incoming: Float64Array): void {
    openStage(this.results, this.model, problem.stage);
    if (this.paths !== undefined) this.addNode(this.paths, problem);
    const { primal, duals } = problem.program.solution();
    this.addCosts(problem, primal);
    const { costs, hydros, thermals, buses, exchanges, inflowLags, inTransit } = this.results;
    const { nonControllables, pumpingStations, contracts, genericViolations } = this.results;
    const { commitments, hydroBusGeneration } = this.results;
    const { data } = problem.lp;
    // Not by a spread: that took a seventh of the time of recording.
    const solved: StageResults = {
      costs,
      hydros,
      hydroBusGeneration,
      thermals,
      buses,
      exchanges,
      inflowLags,
      inTransit,
      commitments,
      nonControllables,
      pumpingStations,
      contracts,
      genericViolations,
      primal,
      duals,
      data,
      incoming,
    };
    for (const part of problem.parts) part.record?.(solved);
  }

  tables(): ScenarioTables {
    const { costs, hydros, thermals, buses, exchanges, inflowLags, inTransit } = this.results;
    const { nonControllables, pumpingStations, contracts, genericViolations } = this.results;
    const { commitments, hydroBusGeneration } = this.results;
    const { study } = this.model;
    const { system, generic, travel } = study;
    return {
      costs: costs.columns(),
      ...(system.hydros.length > 0 && { hydros: hydros.columns() }),
      ...(study.units.some((cells) => cells.length > 0) && {
        hydro_bus_generation: hydroBusGeneration.columns(),
      }),
      ...(system.thermals.length > 0 && { thermals: thermals.columns() }),
      buses: buses.columns(),
      ...(system.lines.length > 0 && { exchanges: exchanges.columns() }),
      ...(this.model.lags > 0 && { inflow_lags: inflowLags.columns() }),
      ...(travel.states.length > 0 && { in_transit: inTransit.columns() }),
      ...(study.commitments.states.length > 0 && { commitments: commitments.columns() }),
      ...(system.nonControllables.length > 0 && { non_controllables: nonControllables.columns() }),
      ...(system.pumpingStations.length > 0 && { pumping_stations: pumpingStations.columns() }),
      ...(system.energyContracts.length > 0 && { contracts: contracts.columns() }),
      ...(generic.rows.some((rows) => rows.length > 0) && {
        "violations/generic": genericViolations.columns(),
      }),
      ...(this.paths && { paths: this.paths.columns() }),
    };
  }

  private addNode(paths: ResultTable<typeof PATHS>, { stage, node }: StageProblem): void {
    const { study, graph } = this.model;
    paths.begin(1, 1);
    paths.set("stage_id", () => study.time.stages[stage].id);
    paths.set("node_id", () => graph.nodes[node].id);
  }

  private addCosts(problem: StageProblem, primal: Float64Array): void {
    const { stage, lp } = problem;
    const { cumulativeDiscount, discount } = this.model.study.time;
    const { byKind, total } = lp.costs(primal);
    const immediate = total * COST_SCALE;
    const future = discount[stage] * primal[lp.theta] * COST_SCALE;
    this.totalCost += cumulativeDiscount[stage] * (immediate + problem.costBehind());
    const { costs } = this.results;
    costs.put("total_cost", immediate + future);
    costs.put("immediate_cost", immediate);
    costs.put("future_cost", future);
    costs.put("discount_factor", cumulativeDiscount[stage]);
    let violations = 0;
    // The elements of a case name no other kinds.
    (lp.kinds as readonly CostKind[]).forEach((kind, i) => {
      const cost = byKind[i] * COST_SCALE;
      costs.put(COST_COLUMNS[kind], cost);
      if (HYDRO_VIOLATIONS.includes(kind)) violations += cost;
    });
    costs.put("hydro_violation_cost", violations);
  }
}
