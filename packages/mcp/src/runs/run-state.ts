import { mkdir, open, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeAtomically } from "@cobre/io";
import { z } from "zod";
import { Refusal } from "../refusal.js";

/** In the directory of a run, beside its results. */
const FOLDER = "mcp";
const STATE_FILE = "mcp/run.json";

/** Settings of a run other than those of config.json. */
const RUN_SETTINGS = z.object({
  set: z.array(z.object({ path: z.string().regex(/^[A-Za-z_][\w.]*$/), value: z.json() })),
  iterations: z.number().int().positive().nullable(),
});

export type RunSettings = z.infer<typeof RUN_SETTINGS>;

/** What is kept of a run that a server started, so that any server finds it again. */
const STATE = z.object({
  version: z.literal(1),
  /** The real path of the case. */
  case: z.string(),
  pid: z.number().int().positive(),
  /** When the process began, as the system tells it; empty if the system does not. */
  began: z.string(),
  started_at: z.string(),
  ranks: z.number().int().positive(),
  /** What differs from config.json: it is given again when the run is resumed. */
  settings: RUN_SETTINGS,
  /** Where the events of this attempt begin in the file. */
  events_from: z.number().int().nonnegative(),
  attempts: z.number().int().positive(),
  minutes: z.number().positive(),
  ended: z
    .object({
      at: z.string(),
      why: z.enum(["exited", "cancelled", "time_limit", "server_ended"]),
      code: z.number().nullable(),
    })
    .nullable(),
});

export type RunState = z.infer<typeof STATE>;

export function eventsFile(directory: string): string {
  return join(directory, FOLDER, "events.jsonl");
}

export function logFile(directory: string): string {
  return join(directory, FOLDER, "log.txt");
}

/** `undefined` if no server has started the run. */
export async function readState(directory: string): Promise<RunState | undefined> {
  try {
    return STATE.parse(JSON.parse(await readFile(join(directory, STATE_FILE), "utf8")));
  } catch {
    return undefined;
  }
}

export async function writeState(directory: string, state: RunState): Promise<void> {
  await mkdir(join(directory, FOLDER), { recursive: true });
  writeAtomically(join(directory, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`);
}

/** Makes the directory of a run. The mark tells `cobre run --resume` that it may write there. */
export async function makeRunDirectory(directory: string): Promise<void> {
  await mkdir(directory).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === "EEXIST" ? "exists already" : `cannot be made (${cause.code})`;
    throw new Refusal(`the folder ${basename(directory)} ${why}`, "Choose another `output`.");
  });
  await (await open(join(directory, ".cobre-run"), "wx")).close();
  await mkdir(join(directory, FOLDER));
}
