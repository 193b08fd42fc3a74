import { computeDuals, isDualFeasible, takeSides } from "./dual-values.js";
import { Edge } from "./edge.js";
import { Leaving } from "./leaving.js";
import { computeConstants, computePrimal, isExact } from "./primal-values.js";
import type { WorkingProgram } from "./working-program.js";

/** The inverse is computed anew after so many changes. */
const MOST_UPDATES = 40;

/**
 * The dual simplex method for small programs that are solved again and again with other bounds, as those of stages are. It starts from a basis
 * whose reduced costs have the right signs. An optimal basis keeps them when bounds change or rows are added.
 *
 * It gives up at anything unusual; another solver has to be asked then. What it calls optimal has been checked: every value against its bounds,
 * every row against its own, every reduced cost against its sign, all computed from the program and not from the steps before.
 */
export class DualSimplex {
  /** Of the last solve. */
  iterations = 0;
  private readonly program: WorkingProgram;
  private readonly leaving = new Leaving();
  private readonly edge: Edge;

  constructor(program: WorkingProgram) {
    this.program = program;
    this.edge = new Edge(program);
  }

  /** Solves from the basis of the program. Returns whether the optimum was found. */
  solve(mostIterations: number): boolean {
    const isSolved = this.findOptimum(mostIterations);
    // Steps leave the reduced costs of fixed columns as they were. They are computed at the optimum, or else before the next solve.
    if (!isSolved) this.program.hasDuals = false;
    return isSolved;
  }

  private findOptimum(mostIterations: number): boolean {
    const { program, leaving, edge } = this;
    this.iterations = 0;
    if (program.hasCrossedBounds) return false;
    program.divideRows();
    if (!program.ensureInverse()) return false;
    if (!program.hasDuals) computeDuals(program);
    if (!takeSides(program)) return false;
    computeConstants(program);
    computePrimal(program);
    let isChecked = false;
    for (;;) {
      leaving.choose(program);
      if (leaving.gap === 0) {
        if (isChecked) return true;
        isChecked = this.check();
        if (!isChecked && !this.restart()) return false;
        continue;
      }
      isChecked = false;
      if (this.iterations === mostIterations) return false;
      this.iterations++;
      const hasMoved = edge.follow(leaving);
      if ((!hasMoved || program.kernel.updates >= MOST_UPDATES) && !this.restart()) return false;
    }
  }

  /** Computes what was changed step by step once more, and judges it. */
  private check(): boolean {
    const { program } = this;
    if (this.iterations > 0) {
      computePrimal(program);
      computeDuals(program);
    }
    return isExact(program) && isDualFeasible(program);
  }

  /** Computes everything anew from the basis. Returns false if that cannot be done, or brings nothing new. */
  private restart(): boolean {
    const { program } = this;
    if (program.kernel.updates === 0 || !program.invert()) return false;
    computeDuals(program);
    if (!takeSides(program)) return false;
    computePrimal(program);
    return true;
  }
}
