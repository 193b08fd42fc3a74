import { areWhole, type GraphNode, NodeGraph, type Transition } from "@cobre/core";
import type { ModelDefinition } from "./model-definition.js";

type Fault = (field: string, problem: string, remedy: string) => void;

/** The graph of a definition, with one node in each stage unless it has transitions. */
export function modelGraph(
  definition: Pick<ModelDefinition<string, unknown>, "stages" | "transitions" | "isCyclic">,
  fault: Fault,
): NodeGraph {
  const { stages, transitions, isCyclic = false } = definition;
  const indices = Array.from({ length: stages }, (_, stage) => stage);
  const chain = NodeGraph.chain(indices, isCyclic);
  if (transitions === undefined) return chain;
  if (isCyclic) {
    const remedy = "give one or the other: this version cannot do both";
    fault("transitions", "stand beside isCyclic", remedy);
    return chain;
  }
  const matrices = indices.map((stage) => transitions(stage));
  if (!indices.every((stage) => isMatrix(matrices, stage, fault))) return chain;
  /** The index of the first node of each stage. */
  const first = [0];
  for (const matrix of matrices) first.push((first.at(-1) as number) + matrix[0].length);
  const nodes = indices.flatMap((stage) =>
    matrices[stage][0].map((_, node): GraphNode => {
      const row = matrices[stage + 1]?.[node] ?? [];
      return { id: first[stage] + node, stage, children: transitionsOf(row, first[stage + 1]) };
    }),
  );
  return new NodeGraph(nodes, transitionsOf(matrices[0][0], 0));
}

function transitionsOf(row: readonly number[], first: number): readonly Transition[] {
  const sum = row.reduce((total, probability) => total + probability, 0);
  return row.flatMap((probability, node) =>
    probability > 0 ? [{ node: first + node, probability: probability / sum }] : [],
  );
}

/** Whether a stage has a row for each node of the stage before, with probabilities of its own nodes. Reports what is wrong. */
function isMatrix(
  matrices: readonly (readonly (readonly number[])[])[],
  stage: number,
  fault: Fault,
): boolean {
  const field = `transitions(${stage})`;
  const matrix = matrices[stage];
  const before = stage === 0 ? 1 : (matrices[stage - 1]?.[0]?.length ?? 1);
  if (matrix.length !== before) {
    const rows = stage === 0 ? "one row" : `a row for each of the ${before} nodes before`;
    fault(field, `has ${matrix.length} rows`, `give ${rows}`);
    return false;
  }
  const width = matrix[0].length;
  const isWrong = (row: readonly number[]) =>
    row.length !== width ||
    !row.every((probability) => probability >= 0 && probability <= 1) ||
    !areWhole(row);
  const wrong = matrix.findIndex(isWrong);
  if (width > 0 && wrong < 0) {
    const lost = matrix[0].findIndex((_, node) => matrix.every((row) => row[node] === 0));
    if (lost < 0) return true;
    fault(field, `nothing leads to node ${lost}`, "leave it out, or give it a probability");
    return false;
  }
  const remedy = "each row has a probability for each node of the stage, and they add up to 1";
  fault(field, `row ${Math.max(0, wrong)} is [${matrix[Math.max(0, wrong)].join(", ")}]`, remedy);
  return false;
}
