import type { MultistageModel, ScenarioRecorder } from "../multistage-model.js";
import type { RecordedColumn } from "../results/result-table.js";
import type { ScenarioTables } from "../results/scenario-record.js";
import type { StageProblem } from "../stage/stage-problem.js";
import type { StageFormulation } from "./stage-formulation.js";

/** The columns of both tables that come before those of the model. Nodes are named where stages have several. */
const STAGE = "stage_id";
const NODE = "node_id";
const COSTS = ["immediate_cost", "future_cost", "discount_factor"] as const;

/**
 * One scenario of a model that a program defined, in two tables with a row for each stage. `stages` has costs and the value of each column;
 * `duals` has the derivative of the objective by the limit of each row. What a stage does not have is missing.
 */
export class FormulatedRecord implements ScenarioRecorder {
  totalCost = 0;
  private readonly model: MultistageModel;
  private readonly values = new Map<string, Float64Array>();
  private readonly duals = new Map<string, Float64Array>();

  constructor(model: MultistageModel, formulations: readonly StageFormulation[]) {
    this.model = model;
    const missing = () => new Float64Array(model.stages).fill(Number.NaN);
    for (const table of [this.values, this.duals]) {
      table.set(STAGE, missing());
      if (!model.graph.isChain) table.set(NODE, missing());
    }
    for (const name of COSTS) this.values.set(name, missing());
    for (const { columns, rows } of formulations) {
      for (const { name } of columns) this.values.set(name, this.values.get(name) ?? missing());
      for (const { name } of rows) this.duals.set(name, this.duals.get(name) ?? missing());
    }
  }

  add(problem: StageProblem): void {
    const { stage, lp, program } = problem;
    const { study, sign } = this.model;
    const { discount, cumulativeDiscount, stages } = study.time;
    const { primal, duals } = program.solution();
    const immediate = problem.immediateCost();
    this.totalCost += cumulativeDiscount[stage] * (immediate + problem.costBehind());
    const put = (table: Map<string, Float64Array>, name: string, value: number) => {
      const column = table.get(name);
      if (column !== undefined) column[stage] = value;
    };
    lp.names.columns.forEach((name, column) => {
      put(this.values, name, primal[column]);
    });
    lp.names.rows.forEach((name, row) => {
      put(this.duals, name, sign * duals[row]);
    });
    for (const table of [this.values, this.duals]) {
      put(table, STAGE, stages[stage].id);
      if (!this.model.graph.isChain) put(table, NODE, problem.node);
    }
    put(this.values, "immediate_cost", immediate);
    put(this.values, "future_cost", discount[stage] * primal[lp.theta]);
    put(this.values, "discount_factor", cumulativeDiscount[stage]);
  }

  tables(): ScenarioTables {
    return { stages: columnsOf(this.values), duals: columnsOf(this.duals) };
  }
}

function columnsOf(table: ReadonlyMap<string, Float64Array>): RecordedColumn[] {
  return [...table].map(([name, data]) => ({
    name,
    type: name === STAGE || name === NODE ? "INT32" : "DOUBLE",
    isNullable: name !== STAGE && name !== NODE,
    data,
  }));
}
