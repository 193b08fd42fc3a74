/**
 * Loaded into a process before its program: rank 1 stops itself once, with SIGSTOP, before it solves a program of the second iteration
 * (`COBRE_TEST_STOP_AT=training`) or of the simulation (`simulation`). Which programs a rank solves depends on how fast the others are, so they are
 * not counted.
 */
import { StageProblem } from "../../sddp/dist/internal.js";

const { COBRE_TEST_STOP_AT: at, COBRE_LAUNCH_RANK: rank } = process.env;
const { solve } = StageProblem.prototype;
let hasStopped = false;

StageProblem.prototype.solve = function (name) {
  const isThere = at === "training" ? name.iteration === 2 : name.phase === "simulation";
  if (rank === "1" && isThere && !hasStopped) {
    hasStopped = true;
    process.kill(process.pid, "SIGSTOP");
  }
  return solve.call(this, name);
};
