import { CASE_FILES } from "../case-files.js";
import type { IssueCollector, IssuePlace } from "../validation/issue.js";
import { type GraphNode, NodeGraph, type Transition } from "./node-graph.js";

/** A node as a case names it. */
export interface NodeInput {
  readonly id: number;
  readonly stageId: number;
  readonly label?: string | undefined;
}

/** A transition between nodes, as a case names them. */
export interface TransitionInput {
  readonly sourceId: number;
  readonly targetId: number;
  readonly probability: number;
}

/** The graph of a case. Without nodes, each stage has one. */
export interface GraphInput {
  readonly isCyclic: boolean;
  readonly nodes?: readonly NodeInput[] | undefined;
  /** Between nodes; not looked at where there are none. */
  readonly transitions?: readonly TransitionInput[] | undefined;
}

/** A probability that is written with six digits may miss by 1e-6, and a little for the rounding: 0.333333 three times is meant to be all. */
const TOLERANCE = 1.5e-6;

/**
 * Whether probabilities are those of everything that can happen.
 *
 * @example
 * ```ts
 * areWhole([0.333333, 0.333333, 0.333333]); // true
 * ```
 */
export function areWhole(probabilities: readonly number[]): boolean {
  const sum = probabilities.reduce((total, probability) => total + probability, 0);
  return Math.abs(sum - 1) <= TOLERANCE * probabilities.length;
}

/**
 * Builds the graph and reports everything that is wrong with it.
 *
 * @param stageIds in order
 * @param worthOfCycle the product of the discount factors of all stages
 */
export function buildGraph(
  input: GraphInput | undefined,
  stageIds: readonly number[],
  worthOfCycle: number,
  issues: IssueCollector,
): NodeGraph {
  const { isCyclic = false, nodes } = input ?? {};
  if (isCyclic && !(worthOfCycle < 1)) {
    issues.error(
      "physics",
      { file: CASE_FILES.stages, field: "policy_graph.annual_discount_rate" },
      "does not discount a cyclic horizon, whose cost has no end",
      "must be above 0",
    );
  }
  if (isCyclic && nodes !== undefined) {
    issues.error(
      "references",
      { file: CASE_FILES.stages, field: "policy_graph.nodes" },
      "asks for nodes in a cyclic horizon",
      "this version cannot do that yet",
    );
    return NodeGraph.chain(stageIds, isCyclic);
  }
  if (nodes === undefined) return NodeGraph.chain(stageIds, isCyclic);
  return graphOf(nodes, input?.transitions ?? [], stageIds, issues);
}

function graphOf(
  inputs: readonly NodeInput[],
  transitions: readonly TransitionInput[],
  stageIds: readonly number[],
  issues: IssueCollector,
): NodeGraph {
  const place = (entity: string, field: string): IssuePlace => ({
    file: CASE_FILES.stages,
    entity,
    field: `policy_graph.${field}`,
  });
  const fault = (entity: string, field: string, problem: string, remedy: string) =>
    issues.error("references", place(entity, field), problem, remedy);
  const stageOf = new Map(stageIds.map((id, stage) => [id, stage]));
  const known = inputs.filter(({ id, stageId }, i) => {
    if (inputs.findIndex((one) => one.id === id) !== i) {
      fault(`node ${id}`, "nodes", "is the id of two nodes", "ids must be unique");
      return false;
    }
    if (stageOf.has(stageId)) return true;
    fault(`node ${id}`, "nodes", `stage ${stageId} does not exist`, "give the id of a stage");
    return false;
  });
  const placeOf = ({ stageId }: NodeInput) => stageOf.get(stageId) ?? 0;
  const ordered = [...known].sort((a, b) => placeOf(a) - placeOf(b) || a.id - b.id);
  stageIds.forEach((id, stage) => {
    const count = ordered.filter((node) => placeOf(node) === stage).length;
    if (count === 0) fault(`stage ${id}`, "nodes", "has no node", "give every stage at least one");
    if (stage === 0 && count > 1) {
      const remedy = "give it one: nothing says how likely the others would be";
      fault(`stage ${id}`, "nodes", `the first stage has ${count} nodes`, remedy);
    }
  });
  const indexOf = new Map(ordered.map(({ id }, index) => [id, index]));
  const follows = ordered.map((): Map<number, number> => new Map());
  for (const { sourceId, targetId, probability } of transitions) {
    const entity = `transition from node ${sourceId} to ${targetId}`;
    const [source, target] = [indexOf.get(sourceId), indexOf.get(targetId)];
    if (source === undefined || target === undefined) {
      const missing = source === undefined ? sourceId : targetId;
      fault(entity, "transitions", `node ${missing} does not exist`, "give the id of a node");
      continue;
    }
    const [from, to] = [source, target].map((i) => placeOf(ordered[i] as NodeInput));
    if (to !== (from as number) + 1) {
      fault(entity, "transitions", "does not lead to the next stage", "correct one of the nodes");
      continue;
    }
    if (follows[source]?.has(target)) {
      fault(entity, "transitions", "is there twice", "remove one of them");
    }
    if (probability > 0) follows[source]?.set(target, probability);
  }
  const reached = new Set(follows.flatMap((next) => [...next.keys()]));
  const nodes = ordered.map((input, index): GraphNode => {
    const { id, label } = input;
    const stage = placeOf(input);
    const next = [...(follows[index] ?? [])].sort(([a], [b]) => a - b);
    if (stage > 0 && !reached.has(index)) {
      fault(`node ${id}`, "transitions", "no path leads there", "add a transition to it");
    }
    if (stage < stageIds.length - 1) checkSum(id, next, fault);
    return { id, label, stage, children: normalised(next) };
  });
  return new NodeGraph(nodes, [{ node: 0, probability: 1 }]);
}

function checkSum(
  id: number,
  next: readonly (readonly [number, number])[],
  fault: (entity: string, field: string, problem: string, remedy: string) => void,
): void {
  if (areWhole(next.map(([, probability]) => probability))) return;
  const sum = next.reduce((total, [, probability]) => total + probability, 0);
  const problem = next.length === 0 ? "leads nowhere" : `its probabilities add up to ${sum}`;
  const remedy = "transitions from a node must have probabilities that add up to 1";
  fault(`node ${id}`, "transitions", problem, remedy);
}

/** Probabilities that add up to 1 but for rounding. */
function normalised(next: readonly (readonly [number, number])[]): readonly Transition[] {
  const sum = next.reduce((total, [, probability]) => total + probability, 0);
  return next.map(([node, probability]) => ({ node, probability: probability / sum }));
}
