import { SddpError } from "../errors.js";
import type { Policy, PolicyOrigin, PolicyStates } from "./policy.js";

/** Throws unless training can go on from a policy as if it had never stopped. */
export function checkResumable({ origin }: Policy, here: PolicyOrigin): void {
  if (origin.forwardPasses !== here.forwardPasses) {
    throw refuse(
      `it was trained with ${origin.forwardPasses} forward passes, the case asks for ${here.forwardPasses}; set training.forward_passes to ${origin.forwardPasses}, or start afresh`,
    );
  }
  if (origin.caseFingerprint !== here.caseFingerprint) {
    throw refuse(
      "it was trained on other data (system, stages, seeds or openings); undo the change, or use its cuts as a warm start (policy.mode warm_start)",
    );
  }
  if (origin.solverFingerprint !== here.solverFingerprint) {
    throw refuse(
      `its programs were solved by ${origin.solverFingerprint}, here they would be by ${here.solverFingerprint}, and the bits would differ; use the same solver, or a warm start (policy.mode warm_start)`,
    );
  }
}

/** Throws unless the cuts of a policy speak of the states of this case. */
export function checkStates({ origin }: Policy, here: PolicyStates): void {
  const differences = [
    ["hydros", origin.hydroIds.join(", "), here.hydroIds.join(", ")],
    ["lags of inflow", String(origin.lags), String(here.lags)],
    ["stages", String(origin.stageIds.length), String(here.stageIds.length)],
  ].filter(([, there, now]) => there !== now);
  if (differences.length === 0) return;
  const list = differences.map(([what, there, now]) => `${what} ${there} instead of ${now}`);
  throw refuse(`it is of another case: ${list.join("; ")}; give the policy of this case`);
}

/** The error of a policy that does not fit. */
export function refuse(reason: string): SddpError {
  return new SddpError("IncompatiblePolicy", `the policy cannot be used: ${reason}`);
}
