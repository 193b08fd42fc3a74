import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join, normalize, resolve } from "node:path";
import type { Communicator } from "@cobre/comm";
import {
  type Case,
  type ExistingOutput,
  type FileLocks,
  OUTPUT_FILES,
  type OutputDirectory,
} from "@cobre/io";
import {
  type Boundary,
  decodePolicy,
  encodePolicy,
  isReferencePolicy,
  type Policy,
  readReferencePolicy,
  SddpError,
} from "@cobre/sddp";
import type { StudyListener } from "../events.js";
import { type OnFailure, onFirstRank } from "./agreement.js";

/** What a study starts from. */
export interface Start {
  readonly policy: Policy | undefined;
  readonly boundary: Boundary | undefined;
  readonly isWarm: boolean;
}

/** What {@link readStart} needs to know. */
export interface StartRequest {
  readonly source: Case;
  readonly existing: ExistingOutput;
  readonly locks: FileLocks | undefined;
  readonly tell: StudyListener;
  readonly onFailure: OnFailure;
}

/** Collective: rank 0 prepares the output directory and reads the policy to start from, for all ranks. */
export function readStart(
  comm: Communicator,
  output: OutputDirectory,
  { source, existing, locks, tell, onFailure }: StartRequest,
): Start {
  const { config } = source;
  const { isEnabled } = config.training;
  const resume = existing === "resume";
  const goesOn = resume || config.policy.mode === "resume" || !isEnabled;
  const own = output.file(OUTPUT_FILES.policy);
  // A warm start that was stopped before it wrote its first policy begins again with the same cuts.
  const isWarm =
    isEnabled &&
    config.policy.mode === "warm_start" &&
    (!goesOn || isMissing(comm, own, onFailure));
  const named = namedPolicy(source);
  // A run that was stopped goes on from its own policy, even if it had begun with another.
  const isOwn = named === undefined || (resume && existsSync(own));
  const file = isWarm
    ? policyAt(resolve(source.directory, config.policy.path))
    : isOwn
      ? own
      : named;
  const boundary = isEnabled ? readBoundary(comm, source, onFailure) : undefined;
  const bytes = onFirstRank(
    comm,
    () => {
      // Read first, so that a missing policy leaves the directory as it was.
      const isNeeded = isWarm || !isEnabled || !isOwn;
      const isResumed = isEnabled && !isWarm;
      const read = () => (goesOn || isWarm ? readPolicy(file, isNeeded, isResumed) : undefined);
      read();
      const continues = resume || !isEnabled || (goesOn && file === own);
      if (!output.prepare(continues ? "resume" : existing, locks)) {
        tell({ type: "output_not_locked", path: output.path });
      }
      return read(); // again: until now another run could replace it
    },
    onFailure,
  );
  const name = onFirstRank(comm, () => new TextEncoder().encode(output.runName), onFailure);
  output.runName = new TextDecoder().decode(name);
  return { policy: bytes && decodePolicy(bytes, file), boundary, isWarm };
}

/** The policy that a case names to resume or to simulate. Undefined if it leaves `policy.path` as it is: then it is that of the output directory. */
function namedPolicy({ config, directory }: Case): string | undefined {
  const { path, mode } = config.policy;
  const isUsed = mode === "resume" || !config.training.isEnabled;
  if (!isUsed || /^policy\/?$/.test(normalize(path))) return undefined;
  return policyAt(resolve(directory, path));
}

/** Rank 0 reads the policy that gives the terminal values, for all ranks. */
function readBoundary(
  comm: Communicator,
  { config, directory }: Case,
  onFailure: OnFailure,
): Boundary | undefined {
  const { boundary } = config.policy;
  if (boundary === undefined) return undefined;
  const file = policyAt(resolve(directory, boundary.path));
  const bytes = onFirstRank(comm, () => readPolicy(file, true), onFailure);
  return bytes && { policy: decodePolicy(bytes, file), sourceStage: boundary.sourceStage };
}

/** The policy at a path: a file; in a directory the file of this program, or else the directory itself, if it is a policy of the Cobre project. */
function policyAt(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const file = join(path, basename(OUTPUT_FILES.policy));
  return !existsSync(file) && isReferencePolicy(path) ? path : file;
}

/** Collective: whether a file is missing, as rank 0 sees it. */
function isMissing(comm: Communicator, file: string, onFailure: OnFailure): boolean {
  const found = onFirstRank(
    comm,
    () => (existsSync(file) ? new Uint8Array(1) : undefined),
    onFailure,
  );
  return found === undefined;
}

/** A run that was stopped before its first checkpoint has no policy; resuming it starts from the beginning. */
function readPolicy(file: string, isNeeded: boolean, isResumed = false): Uint8Array | undefined {
  if (!existsSync(file)) {
    if (!isNeeded) return undefined;
    throw new SddpError(
      "InvalidPolicy",
      `${file} does not exist; train first, or set policy.path or policy.boundary.path in config.json to an existing policy`,
    );
  }
  if (isReferencePolicy(file)) {
    if (!isResumed) return encodePolicy(readReferencePolicy(file));
    throw new SddpError(
      "IncompatiblePolicy",
      `the policy cannot be used: ${file} is of the Cobre project, and of such a policy only the cuts can be taken over; set policy.mode to warm_start`,
    );
  }
  const bytes = readFileSync(file);
  decodePolicy(bytes, file); // so that only rank 0 reports a damaged file
  return bytes;
}
