/** Finds the Rust program of the Cobre project on this machine. Its command has the name of ours. */
import { accessSync, constants } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { peerSource } from "../compile.js";
import { lastWords, runProgram } from "../run-program.js";

/** The version for which the examples are written. */
const KNOWN_VERSION = "0.18";
const HOW_TO_HAVE_IT =
  "install it with `cargo install cobre-cli --version 0.18.0 --root FOLDER` and set COBRE_RS=FOLDER/bin/cobre, or with `pip install cobre-python==0.18.0` and set COBRE_RS to that Python";

/** How to run it, and what it says of itself. */
export interface ReferenceProgram {
  /** A file, and the words before those of its own commands. */
  readonly command: readonly [file: string, ...words: string[]];
  readonly version: string;
}

/**
 * The program that `COBRE_RS` names, or else the first `cobre` on `PATH` that is it. Otherwise says what is missing, and how to have
 * it.
 */
export async function findReference(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ReferenceProgram | { readonly missing: string }> {
  const named = env.COBRE_RS;
  const candidates = named ? [named] : commandsNamed("cobre", env.PATH ?? "");
  const refused: string[] = [];
  for (const path of candidates) {
    const command = commandOf(path);
    const [file, ...words] = command;
    try {
      const version = referenceVersion(await runProgram(file, [...words, "version"]));
      if (version?.startsWith(`${KNOWN_VERSION}.`)) return { command, version };
      refused.push(
        version === undefined
          ? `${path} is another program`
          : `${path} is version ${version}, and the case is written for ${KNOWN_VERSION}`,
      );
    } catch (error) {
      refused.push(`${path}: ${lastWords(error)}`);
    }
  }
  return { missing: [...refused, HOW_TO_HAVE_IT].join("; ") };
}

/** A Python has the program as a package. */
function commandOf(path: string): ReferenceProgram["command"] {
  return basename(path).startsWith("python") ? [path, peerSource("cobre-rs.py")] : [path];
}

/** The version of the Rust program, from what its command `version` prints; `undefined` if another program printed it. */
export function referenceVersion(text: string): string | undefined {
  const [, version] = /^cobre +v(\d+\.\d+\.\d+\S*)$/m.exec(text) ?? [];
  return /^build: /m.test(text) ? version : undefined;
}

function commandsNamed(name: string, searchPath: string): string[] {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .filter(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
