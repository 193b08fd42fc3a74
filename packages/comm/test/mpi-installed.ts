import { execFileSync } from "node:child_process";
import type { TestContext } from "node:test";
import { needs } from "@cobre/testing/needs";

/** The MPIs that the tests run with, and the names under which the loader knows their libraries. */
const LIBRARIES = { openmpi: /^\s*(libmpi\.so\.40)\b/m, mpich: /^\s*(libmpi(?:ch)?\.so\.12)\b/m };

export type MpiName = keyof typeof LIBRARIES;

export const MPIS = Object.keys(LIBRARIES) as MpiName[];

/** What to set in the environment to have this one, as the loader's cache knows it. */
export function mpiVariables(name: MpiName): { COBRE_MPI_LIBRARY: string } {
  return { COBRE_MPI_LIBRARY: LIBRARIES[name].exec(loaderCache())?.[1] ?? `no ${name} installed` };
}

/** Whether an MPI is installed, as far as the loader's cache tells; otherwise the test is skipped. */
export function isMpiInstalled(t: TestContext, ...names: MpiName[]): boolean {
  const missing = names.filter((name) => !LIBRARIES[name].test(loaderCache()));
  return needs(t, missing.length === 0, `${missing.join(" and ")} (libopenmpi3, libmpich12)`);
}

export function bothMpisInstalled(t: TestContext): boolean {
  return isMpiInstalled(t, ...MPIS);
}

let cache: string | undefined;

function loaderCache(): string {
  cache ??= readLoaderCache();
  return cache;
}

function readLoaderCache(): string {
  try {
    return execFileSync("ldconfig", ["-p"], {
      encoding: "utf8",
      env: { ...process.env, PATH: `${process.env.PATH}:/sbin:/usr/sbin` },
    });
  } catch {
    return "";
  }
}
