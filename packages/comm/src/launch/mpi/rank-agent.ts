/**
 * The shell program that mpirun starts in the place of each rank. It starts the rank with the variables
 * and the streams that the launcher wants it to have, and tells the launcher when the rank begins and
 * how it ends. mpirun itself mixes the ranks' output and keeps their exit codes to itself.
 *
 * Descriptors and the process group are left as mpirun made them: MPICH's launcher talks to the rank
 * through an inherited descriptor, and both launchers signal the group.
 */
import type { StreamName } from "../output/receivers.js";

/** The folder through which launcher and agents talk. */
export const FILES = {
  agent: "agent",
  /** A named pipe with a line for each beginning and end. */
  control: "control",
  /** The words of one rank: how it is run. */
  words: (rank: number | string) => `words.${rank}`,
  /** A named pipe for what one rank writes. */
  stream: (stream: StreamName, rank: number | string) => `${stream}.${rank}`,
} as const;

/** What an agent tells, one line each. A line is shorter than PIPE_BUF, so lines never mix. */
export type AgentReport =
  /** The rank itself says that it ends the job, before MPI_Abort ends it and its agent. */
  | { readonly what: "exiting"; readonly rank: number; readonly status: number }
  | { readonly what: "started"; readonly rank: number; readonly pid: number }
  | { readonly what: "exited"; readonly rank: number; readonly status: number };

export function parseReport(line: string): AgentReport | undefined {
  const [, what, rank, number] = /^(started|exiting|exited) (\d+) (\d+)$/.exec(line) ?? [];
  if (what === "started") return { what, rank: Number(rank), pid: Number(number) };
  if (what !== "exited" && what !== "exiting") return undefined;
  return { what, rank: Number(rank), status: Number(number) };
}

/** The variable that names the control pipe to a rank. */
export const CONTROL_VARIABLE = "COBRE_LAUNCH_CONTROL";

/**
 * The agent outlives the signals that its group gets, to report how the rank ended. What becomes the
 * rank reports its beginning itself: from then on a signal reaches it, and is not lost to the agent's trap.
 *
 * `streams` are those that go through pipes; the others stay mpirun's.
 */
export function agentScript(folder: string, streams: readonly StreamName[]): string {
  const at = (file: string) => `${quote(`${folder}/`)}"${file}"`;
  // A shell tells on its stderr which signal has ended a command: not to the rank's stderr, please.
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

/** Sets the agent's arguments to the command of a rank, with the variables that differ from mpirun's. */
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

/** A word that the shell takes as it is. */
export function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
