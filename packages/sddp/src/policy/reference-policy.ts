/**
 * Policies that the programs of the Cobre project have written: `cuts/stage_NNN.bin` of Cobre 0.5, `cuts/NNN.bin` of Cobre 0.18. Only their cuts are
 * read, for terminal values and warm starts. What they say of bases and states means nothing to another program.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  decodeReferenceCuts,
  decodeReferenceManifest,
  FlatTableError,
  OUTPUT_FILES,
  type ReferenceCuts,
} from "@cobre/io";
import { CutPool } from "../cuts/cut-pool.js";
import { SddpError } from "../errors.js";
import { COST_SCALE } from "../model.js";
import { TrialPoints } from "../training/trial-points.js";
import type { Policy } from "./policy.js";
import { stateComponents } from "./state-components.js";

type Version = "0.5" | "0.18";

const FILES = {
  "0.5": { head: "metadata.json", cuts: /^stage_(\d+)\.bin$/ },
  "0.18": { head: "manifest.bin", cuts: /^(\d+)\.bin$/ },
} as const;

/** The format of the policies of Cobre 0.18.0. */
const FORMAT_VERSION = 3;

/** What stands in place of the solver and the case in a policy of another program. It is never that of a run. */
const ELSEWHERE = "another program";

/**
 * Whether a directory holds a policy of Cobre 0.5 or 0.18.
 *
 * @example
 * ```ts
 * const policy = isReferencePolicy(path) ? readReferencePolicy(path) : decodePolicy(readFileSync(path), path);
 * ```
 */
export function isReferencePolicy(directory: string): boolean {
  return existsSync(join(directory, "cuts")) && versionOf(directory) !== undefined;
}

/**
 * Reads the cuts of such a policy.
 *
 * @throws {@link SddpError} of kind `"InvalidPolicy"`, if something in it cannot be read with certainty
 * @example
 * ```ts
 * const policy = readReferencePolicy("cobre-output/policy");
 * await train(comm, source, { boundary: { policy } });
 * ```
 */
export function readReferencePolicy(directory: string): Policy {
  const version = versionOf(directory);
  if (version === undefined)
    throw cannot(directory, "it has neither manifest.bin nor metadata.json");
  const head = version === "0.18" ? checkManifest(directory) : checkMetadata(directory);
  const stages = readStages(directory, version, head.stages);
  const states =
    version === "0.18" ? namedStates(directory, stages) : listedStates(directory, stages);
  const { hydroIds, lags } = states;
  const dimension = hydroIds.length * (1 + lags);
  const sizes = {
    columns: new Int32Array(stages.length),
    rows: new Int32Array(stages.length),
  };
  const pricedAt = stages.flatMap(({ cuts }) => cuts.pricedAt ?? []);
  return {
    origin: {
      hydroIds,
      lags,
      components: stateComponents(hydroIds, lags),
      ...(pricedAt.length === stages.length && { pricedAt }),
      stageIds: stages.map((_, stage) => stage),
      caseFingerprint: ELSEWHERE,
      solverFingerprint: `${ELSEWHERE}: ${head.software}`,
      forwardPasses: 1,
      seed: 0,
      // The programs of the Cobre project keep θ at 0 or above.
      floors: stages.map(() => 0),
    },
    iteration: 0,
    pools: stages.map((stage) => poolOf(stage, dimension, states.places)),
    points: new TrialPoints(1, dimension, sizes),
    history: [],
    initialBound: 0,
    boundCaveats: [],
    rulesHolding: [],
    ruleStates: [],
  };
}

interface StageFile {
  readonly file: string;
  readonly cuts: ReferenceCuts;
}

/** The components of the state, and where a coefficient of a file belongs; -1: it has no place, and must be 0. */
interface States {
  readonly hydroIds: readonly number[];
  readonly lags: number;
  readonly places: (cuts: ReferenceCuts) => Int32Array;
}

function versionOf(directory: string): Version | undefined {
  const versions = Object.keys(FILES) as Version[];
  return versions.toReversed().find((one) => existsSync(join(directory, FILES[one].head)));
}

/** What a policy says of itself. */
interface Head {
  readonly software: string;
  readonly stages: number;
}

function checkManifest(directory: string): Head {
  const file = join(directory, FILES["0.18"].head);
  const { formatVersion, software, stages } = decoding(file, decodeReferenceManifest);
  if (formatVersion === FORMAT_VERSION) return { software, stages };
  throw cannot(
    file,
    `it is of ${software} in format ${formatVersion}, and only format ${FORMAT_VERSION}, that of Cobre 0.18, is known`,
  );
}

/** Between 0.5 and 0.18 the files looked alike and had other units. */
function checkMetadata(directory: string): Head {
  const file = join(directory, FILES["0.5"].head);
  const { cobre_version: version, num_stages: stages } = jsonOf(file);
  if (typeof version !== "string" || !/^0\.5\./.test(version)) {
    throw cannot(file, `it is of Cobre ${version ?? "without version"}, and not of 0.5 or 0.18`);
  }
  if (typeof stages !== "number") throw cannot(file, "it has no number num_stages");
  return { software: `cobre ${version}`, stages };
}

/** All stages in order. */
function readStages(directory: string, version: Version, expected: number): readonly StageFile[] {
  const folder = join(directory, "cuts");
  const names = readdirSync(folder).filter((name) => FILES[version].cuts.test(name));
  const stages = names.map((name): StageFile => {
    const file = join(folder, name);
    return { file, cuts: decoding(file, (bytes) => decodeReferenceCuts(bytes, version)) };
  });
  if (stages.length === 0) throw cannot(folder, "it has no files of cuts");
  stages.sort((a, b) => a.cuts.stage - b.cuts.stage);
  const twice = stages.find(({ cuts }, i) => cuts.stage === stages[i - 1]?.cuts.stage);
  if (twice !== undefined) {
    throw cannot(
      twice.file,
      `stage ${twice.cuts.stage} has cuts of several nodes, which cannot be taken over`,
    );
  }
  if (stages.length !== expected) {
    throw cannot(folder, `it has cuts of ${stages.length} stages, and the policy ${expected}`);
  }
  return stages;
}

/** The states of a policy of Cobre 0.18, which names its coefficients. */
function namedStates(directory: string, stages: readonly StageFile[]): States {
  const slots = stages.flatMap(({ cuts }) => cuts.slots ?? []);
  const hydroIds = [
    ...new Set(slots.filter(({ kind }) => kind === "storage").map(({ entityId }) => entityId)),
  ];
  const lags = slots.reduce(
    (most, { kind, subindex }) => (kind === "inflow_lag" ? Math.max(most, subindex) : most),
    0,
  );
  const placeOf = ({ kind, entityId, subindex }: NonNullable<ReferenceCuts["slots"]>[number]) => {
    const hydro = hydroIds.indexOf(entityId);
    if (kind === "storage") return hydro;
    if (kind !== "inflow_lag") return -1;
    if (hydro >= 0 && subindex >= 1) return hydroIds.length * subindex + hydro;
    throw cannot(directory, `it prices lag ${subindex} of hydro ${entityId}, which has no storage`);
  };
  return {
    hydroIds,
    lags,
    places: (cuts) => Int32Array.from(cuts.slots ?? [], placeOf),
  };
}

/** The states of a policy of Cobre 0.5: storages by hydro id, then inflows lag by lag. Which hydros these are, a dictionary beside it tells. */
function listedStates(directory: string, stages: readonly StageFile[]): States {
  const file = join(dirname(directory), OUTPUT_FILES.stateDictionary);
  if (!existsSync(file)) {
    throw cannot(
      directory,
      `its cuts do not say which hydros they price; keep ${OUTPUT_FILES.stateDictionary} of its run beside it, at ${file}`,
    );
  }
  const hydroIds = storagesIn(file);
  const { dimension = 0 } = stages[0]?.cuts ?? {};
  const lags = dimension / Math.max(1, hydroIds.length) - 1;
  if (!Number.isInteger(lags) || lags < 0) {
    throw cannot(
      directory,
      `its cuts have ${dimension} coefficients, which are not a storage and the same lags of each of ${hydroIds.length} hydros`,
    );
  }
  const other = stages.find(({ cuts }) => cuts.dimension !== dimension);
  if (other !== undefined) {
    throw cannot(
      other.file,
      `it has ${other.cuts.dimension} states, and other stages ${dimension}`,
    );
  }
  return { hydroIds, lags, places: () => Int32Array.from({ length: dimension }, (_, i) => i) };
}

function storagesIn(file: string): readonly number[] {
  const { state_variables: variables } = jsonOf(file);
  if (!Array.isArray(variables)) throw cannot(file, "it has no list state_variables");
  const ids = variables
    .filter((one) => one?.type === "storage")
    .map((one): unknown => one.entity_id);
  if (ids.every((id): id is number => Number.isSafeInteger(id))) return ids.sort((a, b) => a - b);
  throw cannot(file, "a storage has no entity_id");
}

function poolOf({ file, cuts }: StageFile, dimension: number, placesOf: States["places"]): CutPool {
  const pool = new CutPool(dimension);
  const places = placesOf(cuts);
  for (const { intercept, coefficients } of cuts.cuts) {
    const values = new Float64Array(dimension);
    coefficients.forEach((coefficient, i) => {
      if (places[i] >= 0) values[places[i]] = coefficient / COST_SCALE;
      else if (coefficient !== 0) throw cannot(file, strange(cuts.slots?.[i]));
    });
    pool.add(0, 0, intercept / COST_SCALE, values);
  }
  return pool;
}

const WORDS = {
  commitment: "what a plant has committed to generate",
  in_transit: "water on its way",
} as const;

function strange(slot: NonNullable<ReferenceCuts["slots"]>[number] | undefined): string {
  const kind = slot?.kind;
  const what =
    kind === "commitment" || kind === "in_transit"
      ? WORDS[kind]
      : "a kind of state that is not known";
  return `its cuts price ${what} (entity ${slot?.entityId}), by dates that cannot be matched with the stages of this study yet`;
}

function jsonOf(file: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof found === "object" && found !== null) return found as Record<string, unknown>;
  } catch (error) {
    throw cannot(file, "it is not JSON", error);
  }
  throw cannot(file, "it is not an object");
}

function decoding<T>(file: string, decode: (bytes: Uint8Array) => T): T {
  try {
    return decode(readFileSync(file));
  } catch (error) {
    if (!(error instanceof FlatTableError)) throw error;
    throw cannot(file, error.message, error);
  }
}

function cannot(file: string, reason: string, cause?: unknown): SddpError {
  return new SddpError("InvalidPolicy", `${file} cannot be used: ${reason}`, cause);
}
