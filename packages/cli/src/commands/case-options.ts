import type { Setting } from "@cobre/study";
import { type Command, InvalidArgumentError } from "commander";

/** The options that change the configuration of a case. */
export interface CaseFlags {
  readonly config?: string;
  readonly set?: readonly Setting[];
  readonly iterations?: number;
  readonly seed?: number;
}

/** Adds the options that change the configuration of a case. */
export function withCaseOptions(command: Command): Command {
  return command
    .option("--config <file>", "settings (JSON) that override those of the case's config.json")
    .option("--set <path=value>", "one such setting, as in training.forward_passes=8", collect)
    .option("--seed <number>", "the seed of the opening tree", parseInteger)
    .hook("preAction", async (_, action) => checkPaths(action));
}

/** Refuses settings that do not exist. They are checked here, where they were typed, and not again by each rank. */
async function checkPaths(command: Command): Promise<void> {
  const { set = [] } = command.opts<CaseFlags>();
  if (set.length === 0 || process.env.COBRE_LAUNCH_RANK !== undefined) return;
  const { faultOfPath } = await import("../setting-paths.js");
  for (const [path] of set) {
    const fault = faultOfPath(path);
    if (fault !== undefined) command.error(`error: ${fault}`);
  }
}

/** Adds those and the option that changes how long training goes on. */
export function withTrainingOptions(command: Command): Command {
  return withCaseOptions(command).option(
    "--iterations <count>",
    "the limit of iterations; other rules stay",
    parseCount,
  );
}

/** The arguments that give the same flags to another process. */
export function caseArguments({ config, set = [], iterations, seed }: CaseFlags): string[] {
  return [
    ...(config === undefined ? [] : ["--config", config]),
    ...set.flatMap(([path, value]) => ["--set", `${path}=${JSON.stringify(value)}`]),
    ...(iterations === undefined ? [] : ["--iterations", String(iterations)]),
    ...(seed === undefined ? [] : ["--seed", String(seed)]),
  ];
}

/** Reads a number of things. */
export function parseCount(text: string): number {
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number.isSafeInteger(Number(text))) {
    return Number(text);
  }
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

function parseInteger(text: string): number {
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

const PATH = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$/i;

/** Reads `path=value`. The value is JSON, or else a text: `policy.mode=fresh` needs no quotes. */
export function parseSetting(text: string): Setting | undefined {
  const at = text.indexOf("=");
  const path = text.slice(0, Math.max(0, at));
  if (!PATH.test(path)) return undefined;
  const value = text.slice(at + 1);
  try {
    return [path, JSON.parse(value)];
  } catch {
    return [path, value];
  }
}

function collect(text: string, before: readonly Setting[] = []): readonly Setting[] {
  const setting = parseSetting(text);
  if (setting !== undefined) return [...before, setting];
  throw new InvalidArgumentError("It must be a path and a value, as in training.forward_passes=8.");
}
