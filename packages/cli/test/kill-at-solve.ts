/**
 * Loaded into a process before its program: the rank of `COBRE_TEST_KILL_RANK` kills itself, with SIGKILL, before it solves a program of the fourth
 * iteration (`COBRE_TEST_KILL_AT=training`), or of its second scenario of the simulation (`simulation`). One process alone is rank 0.
 */
import { StageProblem } from "../../sddp/dist/internal.js";

const { COBRE_TEST_KILL_AT: at, COBRE_TEST_KILL_RANK: victim } = process.env;
const { COBRE_LAUNCH_RANK: rank = "0" } = process.env;
const { solve } = StageProblem.prototype;
let firstScenario: number | undefined;

StageProblem.prototype.solve = function (name) {
  if (rank === victim) {
    if (name.phase === "simulation") firstScenario ??= name.scenario;
    const isThere =
      at === "training"
        ? name.phase !== "simulation" && name.iteration === 4
        : name.phase === "simulation" && name.scenario !== firstScenario;
    if (isThere) process.kill(process.pid, "SIGKILL");
  }
  return solve.call(this, name);
};
