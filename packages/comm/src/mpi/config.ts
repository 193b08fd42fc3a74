import { InvalidConfiguration } from "../errors/backend-error.js";
import { parseNumber } from "../group/settings.js";
import type { Environment } from "../select/backend.js";
import { MPI_LIBRARY_VARIABLE } from "./library/candidates.js";

/** How a process joins its MPI job. Everything has a default. */
export interface MpiConfig {
  /**
   * The MPI library: a path, or a name for the dynamic loader. The default is the first one found.
   */
  readonly library?: string | undefined;
  /**
   * How `allreduce` folds. `"ordered"` (the default) gives the same bytes as every other backend.
   * `"native"` uses `MPI_Allreduce`: the library then decides the order of operands and the
   * treatment of NaN and signed zeros.
   */
  readonly reduction?: "ordered" | "native" | undefined;
  /**
   * Whether ranks compare their calls before each collective, so that mismatched calls fail on
   * every rank instead of hanging. On if any rank asks for it; off by default.
   */
  readonly check?: boolean | undefined;
  /** @internal The largest count or displacement passed as an `int`. Tests make it small. */
  readonly maxCount?: number | undefined;
}

/** A checked configuration with every default filled in. */
export interface CompleteMpiConfig {
  readonly library: string | undefined;
  readonly reduction: "ordered" | "native";
  readonly check: boolean;
  readonly maxCount: number;
}

const CHECK_VARIABLE = "COBRE_COMM_CHECK";
const REDUCTION_VARIABLE = "COBRE_MPI_REDUCTION";
const MAX_COUNT_VARIABLE = "COBRE_MPI_MAX_COUNT";

const INT_MAX = 2 ** 31 - 1;

/**
 * Reads `COBRE_MPI_LIBRARY`, `COBRE_MPI_REDUCTION`, `COBRE_COMM_CHECK` and, for tests,
 * `COBRE_MPI_MAX_COUNT`.
 */
export function configFromEnvironment(env: Environment): CompleteMpiConfig {
  const reduction = env[REDUCTION_VARIABLE] ?? "ordered";
  const maxCount = env[MAX_COUNT_VARIABLE];
  if (reduction !== "ordered" && reduction !== "native") {
    refuse(REDUCTION_VARIABLE, reduction, 'a reduction is "ordered" or "native".');
  }
  if (env[MPI_LIBRARY_VARIABLE] === "") {
    refuse(MPI_LIBRARY_VARIABLE, "", "it names no file. Give a path, or leave it unset.");
  }
  return {
    library: env[MPI_LIBRARY_VARIABLE],
    reduction,
    check: checkFromEnvironment(env),
    maxCount: checkMaxCount(
      MAX_COUNT_VARIABLE,
      maxCount === undefined ? INT_MAX : parseNumber(maxCount),
    ),
  };
}

/**
 * Checks a configuration made by the program. `COBRE_COMM_CHECK` and `COBRE_MPI_LIBRARY` fill in
 * what it leaves out.
 */
export function configFromProgram(config: MpiConfig, env: Environment): CompleteMpiConfig {
  const {
    library,
    reduction = "ordered",
    check = checkFromEnvironment(env),
    maxCount = INT_MAX,
  } = config;
  if (library !== undefined && (typeof library !== "string" || library === "")) {
    refuse("library", String(library), "it must be the path or the name of a library.");
  }
  if (reduction !== "ordered" && reduction !== "native") {
    refuse("reduction", String(reduction), 'a reduction is "ordered" or "native".');
  }
  if (typeof check !== "boolean") refuse("check", String(check), "it must be true or false.");
  return {
    library: library ?? env[MPI_LIBRARY_VARIABLE],
    reduction,
    check,
    maxCount: checkMaxCount("maxCount", maxCount),
  };
}

function checkFromEnvironment(env: Environment): boolean {
  const text = env[CHECK_VARIABLE] ?? "0";
  if (text !== "0" && text !== "1") refuse(CHECK_VARIABLE, text, "it must be 1 or 0.");
  return text === "1";
}

function checkMaxCount(setting: string, maxCount: number): number {
  if (!Number.isInteger(maxCount) || maxCount < 1 || maxCount > INT_MAX) {
    refuse(setting, String(maxCount), `it must be a whole number from 1 to ${INT_MAX}.`);
  }
  return maxCount;
}

function refuse(setting: string, value: string, reason: string): never {
  throw new InvalidConfiguration("mpi", setting, value, reason);
}
