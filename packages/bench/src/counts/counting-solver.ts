import type { LinearProgram, LpSolution, LpSolver } from "@cobre/solver";

/** What the programs of a solver were asked for. All of it follows from the case, so it is the same on a busy machine. */
export class WorkCounts {
  /** Calls of the solver: more than there are openings if programs take cuts in. */
  solves = 0;
  simplexIterations = 0;
  /** The sum over all solves of simplex iterations times rows: about what the simplex method costs. */
  iterationsTimesRows = 0;
  /** The sum over all solves of rows. */
  rows = 0;
  /** Starts from a stored basis, each with a factorisation. */
  starts = 0;
  rowsAdded = 0;
  rowsDeleted = 0;
  /** Arrays of solutions that were copied out of the solver, and their bytes. */
  arraysCopied = 0;
  bytesCopied = 0;

  copy(): WorkCounts {
    return Object.assign(new WorkCounts(), this);
  }

  since(before: WorkCounts): WorkCounts {
    const difference = new WorkCounts();
    for (const name of Object.keys(difference) as (keyof WorkCounts & "solves")[]) {
      difference[name] = this[name] - before[name];
    }
    return difference;
  }
}

/** The solver, with its work counted. */
export function counting(solver: LpSolver, counts: WorkCounts): LpSolver {
  return {
    ...solver,
    create: (data, options) => counted(solver.create(data, options), counts),
  };
}

function counted(program: LinearProgram, counts: WorkCounts): LinearProgram {
  const copied = new Set<keyof LpSolution>();
  const found = (): LpSolution => {
    const solution = program.solution();
    const part = (name: keyof LpSolution) => {
      const values = solution[name];
      if (!copied.has(name)) {
        counts.arraysCopied++;
        counts.bytesCopied += values.byteLength;
      }
      copied.add(name);
      return values;
    };
    return {
      get primal() {
        return part("primal");
      },
      get reducedCosts() {
        return part("reducedCosts");
      },
      get activities() {
        return part("activities");
      },
      get duals() {
        return part("duals");
      },
    };
  };
  const replaced: Partial<LinearProgram> = {
    solve: () => {
      copied.clear();
      const status = program.solve();
      counts.solves++;
      counts.simplexIterations += program.iterations;
      counts.iterationsTimesRows += program.iterations * program.rows;
      counts.rows += program.rows;
      return status;
    },
    solution: found,
    startFrom: (basis) => {
      counts.starts++;
      program.startFrom(basis);
    },
    addRows: (rows) => {
      counts.rowsAdded += rows.lower.length;
      program.addRows(rows);
    },
    deleteRows: (indices) => {
      counts.rowsDeleted += indices.length;
      program.deleteRows(indices);
    },
  };
  return new Proxy(program, {
    get: (target, name) => {
      const own: unknown = Reflect.get(replaced, name);
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
