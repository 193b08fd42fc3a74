import { createHash } from "node:crypto";
import type { Communicator } from "@cobre/comm";
import type { NodeGraph, RiskMeasure } from "@cobre/core";
import { OpeningTree } from "@cobre/stochastic";
import type { CutPool } from "../cuts/cut-pool.js";
import { ranksByText } from "../distribution/ranks-by-text.js";
import { SddpError } from "../errors.js";
import type { MultistageModel, ScenarioRecorder } from "../multistage-model.js";
import { hashArray, hashJson, hashLp } from "../policy/hashing.js";
import type { PolicyStates } from "../policy/policy.js";
import { graphSettings, policyNodes } from "../policy/policy-nodes.js";
import type { BuiltStage } from "../stage/build-stage.js";
import type { StageProgram } from "../stage/program/stage-program.js";
import type { StageProblem } from "../stage/stage-problem.js";
import { buildFormulated } from "./build-formulated.js";
import { FormulatedRecord } from "./formulated-record.js";
import type { StageFormulation } from "./stage-formulation.js";

/** A component of the state, with every default filled in. */
export interface State {
  readonly initial: number;
  readonly lower: number;
  readonly upper: number;
}

/** What a model is made of, when everything has been checked. */
export interface ModelParts {
  readonly sign: 1 | -1;
  readonly states: ReadonlyMap<string, State>;
  /** One for each node. */
  readonly formulations: readonly StageFormulation[];
  readonly graph: NodeGraph;
  readonly futureBound: number | undefined;
  readonly discount: Float64Array;
  readonly risk: readonly RiskMeasure[];
  readonly config: MultistageModel["config"];
}

/** A model that a program has defined, as the algorithm sees it. */
export class FormulatedModel implements MultistageModel {
  readonly config: MultistageModel["config"];
  readonly study: MultistageModel["study"];
  readonly stages: number;
  readonly graph: NodeGraph;
  readonly dimension: number;
  readonly initialState: Float64Array;
  /** The noise vector of an opening is its number. */
  readonly tree: OpeningTree;
  readonly costScale = 1;
  readonly sign: 1 | -1;
  readonly states: PolicyStates;
  private readonly parts: ModelParts;

  constructor(parts: ModelParts) {
    const { formulations, graph, states, discount, risk, config, sign } = parts;
    this.parts = parts;
    this.config = config;
    this.sign = sign;
    this.stages = graph.stages;
    this.graph = graph;
    this.dimension = states.size;
    this.initialState = Float64Array.from(states.values(), ({ initial }) => initial);
    const ids = Array.from({ length: graph.stages }, (_, stage) => stage);
    const stateNames = [...states.keys()];
    this.states = { hydroIds: [], lags: 0, stateNames, stageIds: ids, ...policyNodes(graph) };
    const cumulativeDiscount = new Float64Array(this.stages).fill(1);
    for (let stage = 1; stage < this.stages; stage++) {
      cumulativeDiscount[stage] = cumulativeDiscount[stage - 1] * discount[stage - 1];
    }
    const stages = ids.map((id) => ({ id, riskMeasure: risk[id] }));
    this.study = { time: { stages, graph, discount, cumulativeDiscount } };
    this.tree = new OpeningTree(
      formulations.map(({ index: id, openings }) => ({
        id,
        openings: openings.length,
        startYear: 0,
      })),
      1,
      Float64Array.from(formulations.flatMap(({ openings }) => [...openings.keys()])),
    );
  }

  /** Collective: throws on every rank unless all of them have defined the same model. */
  agree(comm: Communicator): void {
    const hash = createHash("sha256");
    this.hashSettings(hash);
    for (let node = 0; node < this.graph.nodes.length; node++) {
      hashLp(hash, this.buildStage(node, 0).lp.data);
      this.hashOpenings(hash, node);
    }
    const ranksOf = ranksByText(comm, hash.digest("hex"));
    if (ranksOf.size === 1) return;
    const groups = [...ranksOf.values()].map((ranks) => ranks.join(", "));
    throw new SddpError(
      "ModelsDiffer",
      `all ranks must define the same model, but those of ranks ${groups.join(" and ")} differ; read its data on every rank, and draw random numbers from a fixed seed`,
    );
  }

  buildStage(node: number, floor: number | undefined): BuiltStage {
    const { formulations, states, sign, discount } = this.parts;
    const { index } = formulations[node];
    return buildFormulated(formulations[node], [...states.keys()], sign, discount[index], floor);
  }

  lowestCost(node: number, { data, theta }: StageProgram): number {
    const { futureBound, discount, formulations, states, sign } = this.parts;
    if (futureBound !== undefined) return sign * futureBound;
    const own = lowestOwnCost(formulations[node], states, sign);
    return own + discount[formulations[node].index] * data.columnLower[theta];
  }

  lowestTerminalValue(pool: CutPool): number {
    const { futureBound, states, sign } = this.parts;
    if (futureBound !== undefined) return sign * futureBound;
    let highest = Number.NEGATIVE_INFINITY;
    for (let slot = 0; slot < pool.count; slot++) {
      let lowest = pool.intercept(slot);
      [...states.values()].forEach(({ lower, upper }, i) => {
        lowest += lowestProduct(pool.coefficient(slot, i), lower, upper);
      });
      highest = Math.max(highest, lowest);
    }
    return highest;
  }

  fingerprints(
    problems: readonly StageProblem[],
    boundary: CutPool,
  ): ReturnType<MultistageModel["fingerprints"]> {
    const hash = createHash("sha256");
    this.hashSettings(hash);
    const behind = createHash("sha256");
    hashJson(behind, this.states.stateNames);
    hashArray(behind, boundary.packedValues());
    // Where the graph differs, so may every future.
    if (!this.graph.isChain || this.graph.isCyclic) hashJson(behind, graphSettings(this));
    // What follows the last stage of a cycle is all of it.
    for (let stage = 0; stage < this.stages && this.graph.isCyclic; stage++) {
      this.hashFuture(behind, stage, problems);
    }
    const futures = new Array<string>(this.stages);
    futures[this.stages - 1] = behind.digest("hex");
    for (let stage = this.stages - 1; stage >= 0; stage--) {
      for (const node of this.graph.nodesOf(stage)) {
        hashLp(hash, problems[node].lp.data);
        this.hashOpenings(hash, node);
      }
      if (stage === 0) continue;
      const future = createHash("sha256").update(futures[stage]);
      this.hashFuture(future, stage, problems);
      futures[stage - 1] = future.digest("hex");
    }
    return { caseFingerprint: hash.digest("hex"), futureFingerprints: futures };
  }

  /** What the nodes of a stage add to the future of the stage before. */
  private hashFuture(
    hash: ReturnType<typeof createHash>,
    stage: number,
    problems: readonly StageProblem[],
  ): void {
    // The measure of the stage before weighs the openings of this one.
    hashJson(hash, this.parts.risk[(stage + this.stages - 1) % this.stages]);
    for (const node of this.graph.nodesOf(stage)) {
      hashLp(hash, problems[node].lp.data);
      this.hashOpenings(hash, node);
    }
  }

  recorder(): () => ScenarioRecorder {
    return () => new FormulatedRecord(this, this.parts.formulations);
  }

  /** It holds nothing that has to be given back. */
  close(): void {}

  [Symbol.dispose](): void {}

  private hashSettings(hash: ReturnType<typeof createHash>): void {
    const { forwardPasses, treeSeed, retryMaxAttempts, cutSelection } = this.config.training;
    hashJson(hash, {
      forwardPasses,
      treeSeed: Math.abs(treeSeed),
      attempts: retryMaxAttempts,
      ...(cutSelection && { cutSelection }),
      states: this.states.stateNames,
      sign: this.sign,
      risk: this.parts.risk,
      ...graphSettings(this),
    });
    hashArray(hash, this.initialState);
  }

  /** What differs between openings is not in the program. */
  private hashOpenings(hash: ReturnType<typeof createHash>, node: number): void {
    const { columns, rows } = this.parts.formulations[node];
    for (const { objective } of columns) hashArray(hash, objective);
    for (const { lower, upper, terms } of rows) {
      hashArray(hash, lower);
      hashArray(hash, upper);
      for (const [, factors] of terms) hashArray(hash, factors);
    }
  }
}

/** What the columns of a stage cost at least, whatever its rows say. */
export function lowestOwnCost(
  { columns }: StageFormulation,
  states: ModelParts["states"],
  sign: 1 | -1,
): number {
  const before = [...states.values()];
  let sum = 0;
  columns.forEach(({ objective, lower, upper }, i) => {
    const state = before[i - before.length];
    const [from, to] = state === undefined ? [lower, upper] : [state.lower, state.upper];
    sum += Math.min(...objective.map((value) => lowestProduct(sign * value, from, to)));
  });
  return sum;
}

function lowestProduct(factor: number, from: number, to: number): number {
  return factor === 0 ? 0 : Math.min(factor * from, factor * to);
}
