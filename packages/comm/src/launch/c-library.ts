/** What the C library of the ranks is told, by the variable from which glibc reads its settings. */
import type { Environment } from "../select/backend.js";
import { STAGED_BYTES } from "../shm/staging.js";

/** Settings that belong together: whoever has set one of them has decided about all. */
export interface Tuning {
  /** How the names of those settings begin. */
  readonly concerns: string;
  readonly settings: Readonly<Record<string, number>>;
}

const MIB = 1024 * 1024;

/**
 * Arrays in huge pages, in memory that is kept when they are freed: long messages of mpi then take a tenth to a third less time,
 * some of tcp and shm as well (docs/performance.md).
 *
 * The threshold of 32 MiB is the one to which glibc goes by itself as arrays of that length are freed; below it, nothing is
 * mapped and unmapped for each array, also not for those that an MPI makes within a call. Huge pages without it made an allreduce slower.
 */
export const LARGE_ARRAYS: Tuning = {
  concerns: "glibc.malloc.",
  settings: {
    "glibc.malloc.hugetlb": 1,
    "glibc.malloc.mmap_threshold": 32 * MIB,
    "glibc.malloc.trim_threshold": 128 * MIB,
  },
};

/**
 * Copies of 4 MiB and more go around the caches, which they would only sweep.
 *
 * By default they do so from three quarters of the last cache on, even where that is large and shared with other machines'
 * programs; a copy of 64 MiB was a third slower for it, and so was an allgatherv on shm.
 */
export const LONG_COPIES: Tuning = {
  concerns: "glibc.cpu.x86_non_temporal_threshold",
  settings: { "glibc.cpu.x86_non_temporal_threshold": STAGED_BYTES },
};

const VARIABLE = "GLIBC_TUNABLES";

/**
 * The variable with `tunings` added to what `env` has in it. Other C libraries do not know it; other processors have
 * huge pages of up to 512 MiB, and other caches.
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
