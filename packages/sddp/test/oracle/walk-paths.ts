/** Simulates every path through the tree, with the package's own code for one scenario. */

import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import type { Policy, ScenarioTables } from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import { Exchange, runScenario, ScenarioRecord, shareModel, Workspace } from "#internal";

/** What a policy does on one path. */
export interface WalkedPath {
  /** The opening of each stage. */
  readonly openings: readonly number[];
  /** The cost of each stage in $, not discounted; that of the last one with what lies behind it. */
  readonly stageCosts: readonly number[];
  /** As a simulation reports it: discounted, in $. */
  readonly cost: number;
  readonly tables: () => ScenarioTables;
}

/** All paths, in the order of their openings. The same beginning of two paths has the same decisions. */
export function walkPaths(
  source: Case,
  policy: Policy,
  solver: LpSolver,
  failureDirectory: string,
): readonly WalkedPath[] {
  using comm = new LocalCommunicator();
  using model = shareModel(comm, source);
  const exchange = new Exchange(comm);
  using workspace = new Workspace(model, solver, exchange, failureDirectory, policy.pools);
  const counts = Array.from({ length: model.stages }, (_, stage) => model.tree.openings(stage));
  const { problems, walks } = workspace;
  const walked: WalkedPath[] = [];
  for (const openings of combinations(counts)) {
    const sampler = {
      simulated: (_scenario: number, stage: number) => {
        const opening = openings[stage];
        return { values: model.tree.values, offset: model.tree.offset(stage, opening), opening };
      },
    };
    const record = new ScenarioRecord(model);
    const stageCosts: number[] = [];
    // Always scenario 0, so that all paths start from the same bases.
    runScenario(
      { model, problems, sampler, walks },
      policy.points,
      0,
      policy.iteration,
      (problem, at) => {
        record.add(problem, at);
        stageCosts.push(problem.immediateCost() + problem.costBehind());
      },
    );
    walked.push({
      openings,
      stageCosts,
      cost: record.totalCost,
      tables: () => record.tables(),
    });
  }
  return walked;
}

function combinations(counts: readonly number[]): readonly (readonly number[])[] {
  return counts.reduce<readonly (readonly number[])[]>(
    (paths, count) =>
      paths.flatMap((path) => Array.from({ length: count }, (_, opening) => [...path, opening])),
    [[]],
  );
}
