/** Ranks that are started one by one, each with a configuration of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./join-rank.js", import.meta.url));

/** What a rank says: how many have joined, or why it could not. */
export interface Answer {
  joined?: number;
  error?: { kind: string; message: string; missingRanks?: number[]; [field: string]: unknown };
  stderr?: string;
}

export interface StartedRank {
  readonly child: ChildProcess;
  readonly answer: Promise<Answer>;
}

const started: ChildProcess[] = [];

/** Starts a rank in a process of its own; `prefix` is a command that runs it somewhere else. */
export function startRank(kind: object, prefix: readonly string[] = []): StartedRank {
  const [command, ...args] = [...prefix, process.execPath, PROGRAM, JSON.stringify(kind)];
  const child = spawn(command as string, args, { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let text = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    text += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    child.on("close", (code, signal) => {
      if (text !== "") resolve({ ...(JSON.parse(text) as Answer), ...(stderr ? { stderr } : {}) });
      else if (signal !== null) resolve({});
      else reject(new Error(`exit code ${code}: ${stderr}`));
    });
  });
  return { child, answer };
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Kills whoever a test has left running. */
export async function killAll(): Promise<void> {
  const children = started.splice(0);
  for (const child of children) child.kill("SIGKILL");
  await until(() =>
    children.every((child) => child.exitCode !== null || child.signalCode !== null),
  );
}
