import { InvalidConfiguration, MissingConfiguration } from "../errors/backend-error.js";
import {
  checkPlace,
  DEFAULT_TIMEOUT_SECS,
  parseNumber,
  parseOptionalNumber,
  parseOptionalTimeout,
  startLimit,
} from "../group/settings.js";
import type { Environment } from "../select/backend.js";
import { MAX_RANKS } from "./layout.js";

/** How a process joins a group over shared memory. */
export interface ShmConfig {
  /**
   * The segment's name: the same for all ranks, different for every job. A `/`, then a name without
   * one.
   */
  readonly name: string;
  readonly rank: number;
  readonly size: number;
  /**
   * How many seconds to wait for other ranks, when the group starts and in a collective (60). With
   * `Infinity`, a collective waits for a living rank as long as it takes, and the start may take 60
   * seconds. Some failures are still reported at once: ranks that died, exited, threw or closed,
   * and calls that differ. A rank that waits longer than 30 seconds says so on stderr.
   */
  readonly timeoutSecs?: number | undefined;
  /**
   * @internal The number before the first step's. Tests start near the wrap-around. Rank 0's value
   * counts.
   */
  readonly firstStep?: number | undefined;
}

/** A checked configuration with every default filled in. */
export type CompleteShmConfig = {
  readonly [Field in keyof ShmConfig]-?: NonNullable<ShmConfig[Field]>;
} & {
  /** How many seconds the start may take. */
  readonly startSecs: number;
};

/** A file name has at most 255 bytes. Where segments are ordinary files, the name gets a prefix. */
const LONGEST_NAME = 245;

const VARIABLES = {
  name: "COBRE_SHM_NAME",
  rank: "COBRE_SHM_RANK",
  size: "COBRE_SHM_SIZE",
  timeoutSecs: "COBRE_SHM_TIMEOUT_SECS",
  firstStep: "COBRE_SHM_FIRST_STEP",
} as const;

const EXAMPLE =
  "COBRE_SHM_NAME=/myjob COBRE_SHM_RANK=0 COBRE_SHM_SIZE=4 (or start the ranks with: cobre launch -n 4 -- …)";

/** Reads the `COBRE_SHM_*` variables. */
export function configFromEnvironment(env: Environment): CompleteShmConfig {
  const missing = [VARIABLES.name, VARIABLES.rank, VARIABLES.size].filter(
    (variable) => env[variable] === undefined,
  );
  if (missing.length > 0) throw new MissingConfiguration("shm", missing, EXAMPLE);
  return checkConfig(
    {
      name: env[VARIABLES.name] as string,
      rank: parseNumber(env[VARIABLES.rank] as string),
      size: parseNumber(env[VARIABLES.size] as string),
      timeoutSecs: parseOptionalTimeout(env[VARIABLES.timeoutSecs]),
      firstStep: parseOptionalNumber(env[VARIABLES.firstStep]),
    },
    (field) => ({ setting: VARIABLES[field], value: env[VARIABLES[field]] ?? "" }),
  );
}

/** Checks a configuration made by the program. */
export function configFromProgram(config: ShmConfig): CompleteShmConfig {
  const given = config as Partial<Record<keyof ShmConfig, unknown>>;
  const missing = (["name", "rank", "size"] as const).filter((field) => given[field] === undefined);
  if (missing.length > 0) {
    const example = '{ kind: "shm", config: { name: "/myjob", rank: 0, size: 4 } }';
    throw new MissingConfiguration("shm", missing, example);
  }
  return checkConfig(config, (field) => ({ setting: field, value: String(given[field]) }));
}

type Origin = (field: keyof ShmConfig) => { setting: string; value: string };

function checkConfig(config: ShmConfig, origin: Origin): CompleteShmConfig {
  const refuse = (field: keyof ShmConfig, reason: string): never => {
    const { setting, value } = origin(field);
    throw new InvalidConfiguration("shm", setting, value, reason);
  };
  const { name, rank, size, timeoutSecs = DEFAULT_TIMEOUT_SECS, firstStep = 0 } = config;
  if (typeof name !== "string" || !/^\/[^/\0]+$/.test(name) || /^\/\.\.?$/.test(name)) {
    refuse("name", 'a segment name is "/" followed by a name without another "/", such as /myjob.');
  }
  if (Buffer.byteLength(name) > LONGEST_NAME) {
    refuse("name", `a segment name has at most ${LONGEST_NAME} bytes here.`);
  }
  checkPlace({ rank, size, timeoutSecs }, MAX_RANKS, refuse);
  if (!Number.isInteger(firstStep) || (firstStep | 0) !== firstStep) {
    refuse("firstStep", "a step is a whole number of 32 bits.");
  }
  return { name, rank, size, timeoutSecs, startSecs: startLimit(timeoutSecs), firstStep };
}
