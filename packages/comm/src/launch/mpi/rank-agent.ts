/**
 * The shell script that mpirun starts in place of each rank. It starts the rank with the variables and
 * streams that the launcher has chosen, and reports to the launcher when the rank begins and how it
 * ends. Without it, mpirun would mix the output of the ranks and hide their exit codes.
 *
 * Descriptors and the process group stay as mpirun made them: MPICH's launcher talks to the rank
 * through an inherited descriptor, and both launchers signal the group.
 */
import type { StreamName } from "../output/receivers.js";

/** The files in the folder through which the launcher and the agents communicate. */
export const FILES = {
  agent: "agent",
  /** A named pipe for reports, one line each. */
  control: "control",
  /** A script that sets the command line of one rank. */
  words: (rank: number | string) => `words.${rank}`,
  /** A named pipe for one output stream of one rank. */
  stream: (stream: StreamName, rank: number | string) => `${stream}.${rank}`,
} as const;

/** A report, one line long. Lines are shorter than PIPE_BUF, so they never mix. */
type AgentReport =
  /**
   * The rank itself announces that it ends the job, before MPI_Abort ends the rank and its agent.
   */
  | { readonly what: "exiting"; readonly rank: number; readonly status: number }
  | { readonly what: "started"; readonly rank: number; readonly pid: number }
  | { readonly what: "exited"; readonly rank: number; readonly status: number };

export function parseReport(line: string): AgentReport | undefined {
  const [, what, rank, number] = /^(started|exiting|exited) (\d+) (\d+)$/.exec(line) ?? [];
  if (what === "started") return { what, rank: Number(rank), pid: Number(number) };
  if (what !== "exited" && what !== "exiting") return undefined;
  return { what, rank: Number(rank), status: Number(number) };
}

/** The variable that tells a rank the path of the control pipe. */
export const CONTROL_VARIABLE = "COBRE_LAUNCH_CONTROL";

/**
 * The agent survives signals to its group, so that it can report how the rank ended. The process that
 * becomes the rank reports its own start: from then on it receives signals, which before would be lost
 * to the agent's trap.
 *
 * `streams` are the streams that go through pipes. The others stay connected to mpirun.
 */
export function agentScript(folder: string, streams: readonly StreamName[]): string {
  const at = (file: string) => `${quote(`${folder}/`)}"${file}"`;
  // A shell writes to stderr which signal ended a command. Keep that out of the rank's stderr.
  const silence = streams.includes("stderr") ? "exec 2>/dev/null" : ":";
  const redirections = streams.map(
    (stream, i) => `exec ${stream === "stdout" ? 1 : 2}>"$${i + 3}"; `,
  );
  const inner = `echo "$1" >"$2"; ${redirections.join("")}shift ${streams.length + 2}; exec "$@"`;
  const pipes = streams.map((stream) => ` ${at(FILES.stream(stream, "$rank"))}`).join("");
  return `rank=\${OMPI_COMM_WORLD_RANK:-\${PMIX_RANK:-$PMI_RANK}}
. ${at(FILES.words("$rank"))}
trap : HUP INT QUIT TERM USR1 USR2
${silence}
sh -c ${quote(inner)} sh "started $rank $$" ${at(FILES.control)}${pipes} "$@"
status=$?
echo "exited $rank $status" >${at(FILES.control)}
exit $status
`;
}

/**
 * A script that sets the agent's arguments to the rank's command, with the variables that differ
 * from mpirun's.
 */
export function rankWords(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
  inherited: Readonly<Record<string, string>>,
  removed: readonly string[],
): string {
  const gone = removed.filter((name) => environment[name] === undefined);
  const different = Object.entries(environment).filter(
    ([name, value]) => inherited[name] !== value,
  );
  const words = [
    "env",
    ...gone.flatMap((name) => ["-u", name]),
    ...different.map(([name, value]) => `${name}=${value}`),
    ...command,
  ];
  return `set -- ${words.map(quote).join(" ")}\n`;
}

/** Quotes a word, if necessary, so that the shell takes it literally. */
export function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
