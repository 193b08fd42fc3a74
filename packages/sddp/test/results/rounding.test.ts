/**
 * A solver's rounding can leave a value a little beyond its bound. The next stage must not begin there: from a storage below the minimum it may
 * have no solution. Here every value at a bound is put beyond it.
 */
import { describe, it } from "node:test";
import { type LinearProgram, type LpSolver, loadSolver } from "@cobre/solver";
import { forSystems, simulatePaths } from "./small-run.js";
import { checkWater } from "./water.js";

const BEYOND = 1e-9;

/** The solver, with solutions that are rounded in the worst way. */
function roundingBadly(solver: LpSolver): LpSolver {
  return {
    ...solver,
    create: (data, options) => {
      const program = solver.create(data, options);
      const solution = (): ReturnType<LinearProgram["solution"]> => {
        const found = program.solution();
        const primal = found.primal.map((value, column) => {
          const [lower, upper] = [data.columnLower[column], data.columnUpper[column]];
          if (lower === upper) return value; // what is known stays known
          return value === lower ? lower - BEYOND : value === upper ? upper + BEYOND : value;
        });
        return { ...found, primal };
      };
      return new Proxy(program, {
        get: (target, name) => {
          if (name === "solution") return solution;
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === "function" ? member.bind(target) : member;
        },
      });
    },
  };
}

describe("a solver that rounds badly", async () => {
  const solver = roundingBadly(await loadSolver("highs"));

  it("leaves no storage beyond its limits for the next stage", () =>
    forSystems(1, 10, async (trained, folder) => {
      const paths = await simulatePaths(trained, folder, 2, solver);
      for (const { tables } of paths) checkWater(trained, tables);
    }));
});
