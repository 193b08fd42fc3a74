import type { Communicator } from "@cobre/comm";
import { BasisState } from "@cobre/solver";
import type { TrialPoints } from "./trial-points.js";
import type { Workspace } from "./workspace.js";

/** The initial state, with the bases from which the first solves start, for the passes of the first iteration. */
export function slackPoints<C extends Communicator>(workspace: Workspace<C>): TrialPoints {
  const points = workspace.newTrialPoints(1);
  for (let pass = 0; pass < points.passes; pass++) {
    points.values.set(workspace.model.initialState, points.stateOffset(pass, 0));
    for (let place = 0; place < points.places; place++) {
      const { slackBasis, cuts } = workspace.problems[points.node(pass, place)];
      const rows = new Uint8Array(cuts.storedRows).fill(BasisState.basic);
      rows.set(slackBasis.rows);
      points.setBasis(pass, place, { columns: slackBasis.columns, rows });
    }
  }
  return points;
}
