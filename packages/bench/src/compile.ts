import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MpiName } from "./mpi-launchers.js";
import { OUTPUT_FOLDER } from "./output-folder.js";
import { runProgram } from "./run-program.js";

export function peerSource(file: string): string {
  return fileURLToPath(new URL(`../peers/${file}`, import.meta.url));
}

const FLAGS = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O3", "-Wall", "-Wextra"];

const FORMS = {
  program: { flags: [], ending: "" },
  /** To be loaded into one of our processes. */
  library: { flags: ["-shared", "-fPIC"], ending: ".so" },
} as const;

/** Compiles collectives.c for an MPI and returns the path of the result. Throws if the machine lacks something. */
export async function compileCollectives(mpi: MpiName, form: keyof typeof FORMS): Promise<string> {
  mkdirSync(OUTPUT_FOLDER, { recursive: true });
  const { flags, ending } = FORMS[form];
  const made = `${OUTPUT_FOLDER}/collectives-${mpi}${ending}`;
  const source = peerSource("collectives.c");
  await runProgram(`mpicc.${mpi}`, [...FLAGS, ...flags, "-o", made, source]);
  return made;
}
