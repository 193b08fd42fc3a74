/** Settings for the C library of the ranks. glibc reads them from one variable. */
import type { Environment } from "../select/backend.js";
import { STAGED_BYTES } from "../shm/staging.js";

/** Settings that belong together. If the user has set one of them, all of them are left alone. */
export interface Tuning {
  /** How the names of those settings begin. */
  readonly concerns: string;
  readonly settings: Readonly<Record<string, number>>;
}

const MIB = 1024 * 1024;

/**
 * Puts arrays in huge pages, in memory that is kept when they are freed. Long messages of mpi then take
 * a tenth to a third less time, some of tcp and shm as well (docs/performance.md).
 *
 * Below the threshold of 32 MiB no memory is mapped and unmapped for each array, nor for the arrays that
 * an MPI makes within a call. glibc raises its threshold to that value by itself once arrays of that
 * length have been freed. Huge pages without the threshold made an allreduce slower.
 */
export const HUGE_PAGES: Tuning = {
  concerns: "glibc.malloc.",
  settings: {
    "glibc.malloc.hugetlb": 1,
    "glibc.malloc.mmap_threshold": 32 * MIB,
    "glibc.malloc.trim_threshold": 128 * MIB,
  },
};

/**
 * Lets copies of 4 MiB and more bypass the caches, which they would only flush.
 *
 * By default that begins at three quarters of the last-level cache, even where that cache is large and
 * shared with other virtual machines. A copy of 64 MiB was a third slower for it, and so was an
 * allgatherv on shm.
 */
export const LONG_COPIES: Tuning = {
  concerns: "glibc.cpu.x86_non_temporal_threshold",
  settings: { "glibc.cpu.x86_non_temporal_threshold": STAGED_BYTES },
};

const VARIABLE = "GLIBC_TUNABLES";

/**
 * The variable with `tunings` added to what `env` has in it. It is set on x64 only: other processors
 * have huge pages of up to 512 MiB, and other caches. Other C libraries ignore it.
 */
export function cLibraryVariables(
  env: Environment,
  tunings: readonly Tuning[],
): Record<string, string> {
  if (process.platform !== "linux" || process.arch !== "x64") return {};
  const present = (env[VARIABLE] ?? "").split(":").filter((setting) => setting !== "");
  const added = tunings
    .filter(({ concerns }) => !present.some((setting) => setting.startsWith(concerns)))
    .flatMap(({ settings }) => Object.entries(settings).map((setting) => setting.join("=")));
  return added.length === 0 ? {} : { [VARIABLE]: [...present, ...added].join(":") };
}
