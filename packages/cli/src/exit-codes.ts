/** The exit codes of the solver's commands. `cobre launch` exits with the codes of its ranks. */
export const EXIT = {
  done: 0,
  failed: 1,
  typedWrong: 2,
  invalidCase: 3,
  unusableFiles: 4,
  interrupted: 5,
} as const;

/** What the codes mean; docs/commands.md has the same table. */
export const EXIT_MEANINGS = {
  done: "done",
  failed: "failed: a subproblem without solution, a lost rank; for `compare`: the results differ",
  typedWrong: "the command line is wrong",
  invalidCase: "the case has errors",
  unusableFiles: "an output directory, a policy or a file cannot be used or written",
  interrupted: "interrupted by a signal: `cobre run CASE --resume` continues with the same bits",
} as const satisfies Record<keyof typeof EXIT, string>;

/** For the end of a command's help. */
export const EXIT_CODES_HELP = `
Exit codes:
${Object.entries(EXIT)
  .map(([name, code]) => `  ${code}  ${EXIT_MEANINGS[name as keyof typeof EXIT]}`)
  .join("\n")}`;
