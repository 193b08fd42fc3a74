/**
 * Loaded into a process before its program: rank 1 stops itself, with SIGSTOP, before it solves the program that has the number in
 * `COBRE_TEST_STOP_AT`, counted from 1.
 */
import { RetryingProgram } from "../../solver/dist/internal.js";

const { COBRE_TEST_STOP_AT: at, COBRE_LAUNCH_RANK: rank } = process.env;
const { solve } = RetryingProgram.prototype;
let count = 0;

RetryingProgram.prototype.solve = function () {
  count++;
  if (rank === "1" && String(count) === at) process.kill(process.pid, "SIGSTOP");
  return solve.call(this);
};
