/**
 * Loaded into a process before its program: of the programs it solves, every tenth says that it took two attempts, and every
 * hundredth that it took three. The solutions are what they are.
 */
import { RetryingProgram } from "../../solver/dist/internal.js";

const { solve } = RetryingProgram.prototype;
let count = 0;

RetryingProgram.prototype.solve = function () {
  const status = solve.call(this);
  count++;
  if (count % 10 === 0) this.attempts = count % 100 === 0 ? 3 : 2;
  return status;
};
