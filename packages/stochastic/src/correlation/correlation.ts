import { StochasticError, type StochasticErrorPlace } from "../errors.js";
import type { NoiseClass, NoiseLayout } from "../noise-layout.js";
import { symmetricSquareRoot } from "./square-root.js";

/** Entities of one class whose noise is correlated. The rows and columns of `matrix` have the order of `entities`. */
export interface CorrelationGroup {
  readonly name: string;
  readonly entities: readonly { readonly type: NoiseClass; readonly id: number }[];
  readonly matrix: readonly (readonly number[])[];
}

/** The content of `scenarios/correlation.json`: profiles by name, and the profile of each stage. */
export interface CorrelationSpec {
  readonly profiles: Readonly<Record<string, readonly CorrelationGroup[]>>;
  readonly schedule?: readonly { readonly stageId: number; readonly profile: string }[];
}

interface GroupFactor {
  readonly positions: Int32Array;
  readonly root: Float64Array;
}

const SYMMETRY_TOLERANCE = 1e-10;

/**
 * Correlates noise vectors: z becomes D·z within each group, where D is the symmetric square root of its matrix.
 * A stage that the schedule does not name uses the profile `default`, or the only profile. Entities in no group
 * stay independent. Members of a group without noise in this study are left out.
 *
 * @example
 * ```ts
 * const correlation = new Correlation(
 *   { profiles: { default: [{ name: "south", entities, matrix: [[1, 0.8], [0.8, 1]] }] } },
 *   layout,
 * );
 * correlation.apply(stageId, noise, 0);
 * ```
 */
export class Correlation {
  private readonly factors = new Map<string, readonly GroupFactor[]>();
  private readonly profileOfStage = new Map<number, string>();
  private readonly defaultProfile: string;
  private readonly scratch: Float64Array;

  constructor(spec: CorrelationSpec, layout: NoiseLayout) {
    const names = Object.keys(spec.profiles).sort();
    this.defaultProfile = chooseDefault(names);
    for (const name of names) {
      const groups = spec.profiles[name] as readonly CorrelationGroup[];
      checkOverlap(name, groups);
      this.factors.set(
        name,
        groups.map((group) => factorise(name, group, layout)),
      );
    }
    for (const { stageId, profile } of spec.schedule ?? []) {
      if (!this.factors.has(profile)) {
        throw invalid(
          `stage ${stageId} uses the profile "${profile}", which does not exist; choose one of: ${names.join(", ")}`,
          { entity: `stage ${stageId}`, field: "profile_name" },
        );
      }
      this.profileOfStage.set(stageId, profile);
    }
    this.scratch = new Float64Array(layout.dimension);
  }

  /** Correlates in place the noise vector that starts at `offset` of `noise`. */
  apply(stageId: number, noise: Float64Array, offset: number): void {
    const profile = this.profileOfStage.get(stageId) ?? this.defaultProfile;
    for (const { positions, root } of this.factors.get(profile) ?? []) {
      const n = positions.length;
      for (let i = 0; i < n; i++)
        this.scratch[i] = noise[offset + (positions[i] as number)] as number;
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = 0; j < n; j++)
          sum += (root[i * n + j] as number) * (this.scratch[j] as number);
        noise[offset + (positions[i] as number)] = sum;
      }
    }
  }
}

function chooseDefault(names: readonly string[]): string {
  if (names.includes("default")) return "default";
  if (names.length === 1) return names[0] as string;
  throw invalid(
    names.length === 0
      ? "there is no profile; add one named default, or remove the file"
      : `none of the profiles ${names.join(", ")} is named default; rename one, or keep only one`,
  );
}

function checkOverlap(profile: string, groups: readonly CorrelationGroup[]): void {
  const seen = new Map<string, string>();
  for (const group of groups) {
    for (const { type, id } of group.entities) {
      const other = seen.get(`${type} ${id}`);
      if (other !== undefined) {
        throw invalid(
          `profile "${profile}": ${type} ${id} is in the groups "${other}" and "${group.name}"; remove it from one of them`,
          { entity: `profile "${profile}"`, field: "entities" },
        );
      }
      seen.set(`${type} ${id}`, group.name);
    }
  }
}

function factorise(profile: string, group: CorrelationGroup, layout: NoiseLayout): GroupFactor {
  const { entities, matrix } = group;
  const where = `profile "${profile}", group "${group.name}"`;
  if (matrix.length !== entities.length || matrix.some((row) => row.length !== entities.length)) {
    throw invalid(
      `${where}: the matrix does not have one row and column for each entity; it must have ${entities.length} of both`,
      { entity: where, field: "matrix" },
    );
  }
  for (let i = 0; i < entities.length; i++) {
    if (entities[i]?.type !== entities[0]?.type) {
      throw invalid(
        `${where}: it has entities of the types ${entities[0]?.type} and ${entities[i]?.type}; make a group for each type`,
        { entity: where, field: "entities" },
      );
    }
    for (let j = 0; j < entities.length; j++) checkEntry(where, matrix, i, j);
  }
  const members = entities.flatMap(({ type, id }, index) => {
    const position = layout.indexOf(type, id);
    return position === undefined ? [] : [{ index, position }];
  });
  const n = members.length;
  const values = new Float64Array(n * n);
  members.forEach((row, i) => {
    members.forEach((column, j) => {
      values[i * n + j] = matrix[row.index]?.[column.index] as number;
    });
  });
  const positions = Int32Array.from(members, ({ position }) => position);
  return { positions, root: symmetricSquareRoot(values, n) };
}

function checkEntry(where: string, matrix: CorrelationGroup["matrix"], i: number, j: number): void {
  const entry = matrix[i]?.[j] as number;
  const mirrored = matrix[j]?.[i] as number;
  const at = { entity: where, field: "matrix" };
  const place = `${where}: entry (${i + 1}, ${j + 1}) is ${entry}`;
  if (i === j && entry !== 1) throw invalid(`${place}; the diagonal must be 1`, at);
  if (!(Math.abs(entry) <= 1))
    throw invalid(`${place}; a correlation must be between -1 and 1`, at);
  if (Math.abs(entry - mirrored) > SYMMETRY_TOLERANCE) {
    throw invalid(
      `${place}, but entry (${j + 1}, ${i + 1}) is ${mirrored}; the matrix must be symmetric`,
      at,
    );
  }
}

function invalid(reason: string, place?: StochasticErrorPlace): StochasticError {
  return new StochasticError("InvalidCorrelation", `correlation: ${reason}`, place);
}
