/** What the commands of the solver exit with. `cobre launch` has its own, which are those of its ranks. */
export const EXIT = {
  done: 0,
  failed: 1,
  typedWrong: 2,
  invalidCase: 3,
  unusableFiles: 4,
  interrupted: 5,
} as const;

export const EXIT_CODES_HELP = `
Exit codes: 0 done; 1 failed (a subproblem without solution, a lost rank); 2 the command line is wrong;
3 the case has errors; 4 an output directory or policy cannot be used or written; 5 interrupted by a
signal: \`cobre run CASE --resume\` goes on to the same bits.`;
