import {
  BUSES,
  COSTS,
  EXCHANGES,
  HYDROS,
  INFLOW_LAGS,
  type NumberColumn,
  TableBuilder,
  THERMALS,
} from "@cobre/io";
import { COST_SCALE, type Model } from "../model.js";
import { COST_KINDS, type CostKind } from "../stage/stage-lp.js";
import type { StageProblem } from "../stage/stage-problem.js";
import { operativeState, storageBinding } from "./codes.js";

/** The tables that a scenario is written to, by the name of their folder. */
export type ScenarioTables = Readonly<Record<string, NumberColumn[]>>;

/** What happened in one scenario, stage by stage. Water values and prices are the duals of the balances. */
export class ScenarioRecord {
  private readonly model: Model;
  private readonly costs = new TableBuilder(COSTS);
  private readonly hydros = new TableBuilder(HYDROS);
  private readonly thermals = new TableBuilder(THERMALS);
  private readonly buses = new TableBuilder(BUSES);
  private readonly exchanges = new TableBuilder(EXCHANGES);
  private readonly lags = new TableBuilder(INFLOW_LAGS);
  /** Discounted, in $. */
  totalCost = 0;

  constructor(model: Model) {
    this.model = model;
  }

  /** Adds a stage that has just been solved. */
  add(problem: StageProblem, incoming: Float64Array): void {
    this.addCosts(problem);
    this.addHydros(problem, incoming);
    this.addBusesAndPlants(problem);
  }

  tables(): ScenarioTables {
    const { costs, hydros, thermals, buses, exchanges, lags } = this;
    const { system } = this.model.study;
    return {
      costs: costs.columns(),
      ...(system.hydros.length > 0 && { hydros: hydros.columns() }),
      ...(system.thermals.length > 0 && { thermals: thermals.columns() }),
      buses: buses.columns(),
      ...(system.lines.length > 0 && { exchanges: exchanges.columns() }),
      ...(this.model.lags > 0 && { inflow_lags: lags.columns() }),
    };
  }

  private addCosts(problem: StageProblem): void {
    const { stage, lp, program } = problem;
    const { stages, cumulativeDiscount, discount } = this.model.study.time;
    const { primal } = program.solution();
    const { cost } = lp.data;
    const sums = new Float64Array(COST_KINDS.length);
    let immediate = 0;
    for (let j = 0; j < cost.length; j++) {
      if (j === lp.theta) continue;
      sums[lp.costKind[j]] += cost[j] * primal[j];
      immediate += cost[j] * primal[j];
    }
    immediate *= COST_SCALE;
    const of = (kind: CostKind) => sums[COST_KINDS.indexOf(kind)] * COST_SCALE;
    const below = of("outflow_violation_below");
    const above = of("outflow_violation_above");
    const turbined = of("turbined_violation");
    const generation = of("generation_violation");
    const future = discount[stage] * primal[lp.theta] * COST_SCALE;
    this.totalCost += cumulativeDiscount[stage] * (immediate + problem.costBehind());
    this.costs.add({
      stage_id: stages[stage].id,
      block_id: null,
      total_cost: immediate + future,
      immediate_cost: immediate,
      future_cost: future,
      discount_factor: cumulativeDiscount[stage],
      thermal_cost: of("thermal"),
      contract_cost: 0,
      deficit_cost: of("deficit"),
      excess_cost: of("excess"),
      storage_violation_cost: 0,
      filling_target_cost: 0,
      hydro_violation_cost: below + above + turbined + generation,
      outflow_violation_below_cost: below,
      outflow_violation_above_cost: above,
      turbined_violation_cost: turbined,
      generation_violation_cost: generation,
      evaporation_violation_cost: 0,
      withdrawal_violation_cost: 0,
      inflow_penalty_cost: of("inflow_penalty"),
      generic_violation_cost: 0,
      spillage_cost: of("spillage"),
      fpha_turbined_cost: 0,
      curtailment_cost: 0,
      exchange_cost: of("exchange"),
      pumping_cost: 0,
    });
  }

  private addHydros(problem: StageProblem, incoming: Float64Array): void {
    const { stage, lp, program } = problem;
    const { system, time } = this.model.study;
    const { blocks, id } = time.stages[stage];
    const { primal, duals } = program.solution();
    const { cost, columnLower, columnUpper } = lp.data;
    const K = lp.blocks;
    const value = (columns: Int32Array, at: number) => (columns[at] < 0 ? 0 : primal[columns[at]]);
    const outflow = (h: number, k: number) =>
      value(lp.turbined, h * K + k) + value(lp.spillage, h * K + k);
    system.hydros.forEach((hydro, h) => {
      const own = primal[lp.inflow + h];
      const column = lp.storage + h;
      const final = primal[column];
      const binding = storageBinding(final, columnLower[column], columnUpper[column]);
      blocks.forEach((block, k) => {
        const at = h * K + k;
        const generation = hydro.productivityMwPerM3s * value(lp.turbined, at);
        let arriving = own;
        for (const up of system.cascade.upstream[h]) arriving += outflow(up, k);
        this.hydros.add({
          stage_id: id,
          block_id: block.id,
          hydro_id: hydro.id,
          turbined_m3s: value(lp.turbined, at),
          spillage_m3s: value(lp.spillage, at),
          outflow_m3s: outflow(h, k),
          evaporation_m3s: null,
          diverted_inflow_m3s: null,
          diverted_outflow_m3s: null,
          incremental_inflow_m3s: own,
          inflow_m3s: arriving,
          storage_initial_hm3: incoming[h],
          storage_final_hm3: final,
          generation_mw: generation,
          generation_mwh: generation * block.hours,
          productivity_mw_per_m3s: hydro.productivityMwPerM3s,
          spillage_cost: cost[lp.spillage[at]] * value(lp.spillage, at) * COST_SCALE,
          water_value_per_hm3: duals[lp.water + h] * COST_SCALE,
          storage_binding_code: binding,
          operative_state_code: operativeState(
            [value(lp.turbined, at)],
            [columnUpper[lp.turbined[at]]],
          ),
          turbined_slack_m3s: value(lp.turbinedBelow, at),
          outflow_slack_below_m3s: value(lp.outflowBelow, at),
          outflow_slack_above_m3s: value(lp.outflowAbove, at),
          generation_slack_mw: value(lp.generationBelow, at),
          storage_violation_below_hm3: 0,
          filling_target_violation_hm3: 0,
          evaporation_violation_pos_m3s: 0,
          evaporation_violation_neg_m3s: 0,
          inflow_nonnegativity_slack_m3s: value(lp.inflowSlack, h),
          water_withdrawal_violation_pos_m3s: 0,
          water_withdrawal_violation_neg_m3s: 0,
        });
      });
      for (let lag = 0; lag < this.model.lags; lag++) {
        this.lags.add({
          stage_id: id,
          hydro_id: hydro.id,
          lag_index: lag + 1,
          inflow_m3s: incoming[this.model.hydros * (1 + lag) + h],
        });
      }
    });
  }

  private addBusesAndPlants(problem: StageProblem): void {
    const { stage, lp, program } = problem;
    const { system, time } = this.model.study;
    const { blocks, id: stage_id } = time.stages[stage];
    const { primal, duals } = program.solution();
    const { cost, columnUpper } = lp.data;
    const K = lp.blocks;
    blocks.forEach(({ id: block_id, hours }, k) => {
      const at = { stage_id, block_id };
      system.buses.forEach(({ id }, bus) => {
        const load = problem.load(bus, k);
        let deficit = 0;
        for (let i = k; i < lp.deficit[bus].length; i += K) deficit += primal[lp.deficit[bus][i]];
        const excess = primal[lp.excess[bus * K + k]];
        this.buses.add({
          ...at,
          bus_id: id,
          load_mw: load,
          load_mwh: load * hours,
          deficit_mw: deficit,
          deficit_mwh: deficit * hours,
          excess_mw: excess,
          excess_mwh: excess * hours,
          spot_price: (duals[lp.power + bus * K + k] * COST_SCALE) / hours,
        });
      });
      system.thermals.forEach(({ id }, plant) => {
        const column = lp.thermal[plant * K + k];
        this.thermals.add({
          ...at,
          thermal_id: id,
          generation_mw: primal[column],
          generation_mwh: primal[column] * hours,
          generation_cost: cost[column] * primal[column] * COST_SCALE,
          is_gnl: 0,
          gnl_committed_mw: null,
          gnl_decision_mw: null,
          operative_state_code: operativeState([primal[column]], [columnUpper[column]]),
        });
      });
      system.lines.forEach(({ id }, line) => {
        const columns = [lp.direct[line * K + k], lp.reverse[line * K + k]];
        const [direct, reverse] = columns.map((column) => primal[column]);
        this.exchanges.add({
          ...at,
          line_id: id,
          direct_flow_mw: direct,
          reverse_flow_mw: reverse,
          net_flow_mw: direct - reverse,
          net_flow_mwh: (direct - reverse) * hours,
          losses_mw: 0,
          losses_mwh: 0,
          exchange_cost: cost[columns[0]] * (direct + reverse) * COST_SCALE,
          operative_state_code: operativeState(
            [direct, reverse],
            columns.map((column) => columnUpper[column]),
          ),
        });
      });
    });
  }
}
