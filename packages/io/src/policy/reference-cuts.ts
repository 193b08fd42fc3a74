import { FlatTable, FlatTableError } from "./flat-table.js";

/** What a coefficient of a cut of Cobre 0.18 belongs to. */
export interface ReferenceSlot {
  /** `other`: what only later versions know. */
  readonly kind: "storage" | "inflow_lag" | "commitment" | "in_transit" | "other";
  readonly entityId: number;
  /** Of an inflow: 1 for the last stage. */
  readonly subindex: number;
}

/** The cuts of a stage in a policy of the Cobre project: θ ≥ intercept + coefficients · state, in $. */
export interface ReferenceCuts {
  /** The index of the stage. */
  readonly stage: number;
  readonly dimension: number;
  readonly cuts: readonly { readonly intercept: number; readonly coefficients: Float64Array }[];
  /** The coefficients by name. Cobre 0.5 does not tell. */
  readonly slots?: readonly ReferenceSlot[] | undefined;
  /** The day at whose beginning the cuts price the state, as in 2025-02-01. Cobre 0.5 does not tell. */
  readonly pricedAt?: string | undefined;
}

/** What the manifest of a policy of Cobre 0.18 tells. */
export interface ReferenceManifest {
  readonly formatVersion: number;
  readonly software: string;
  readonly stages: number;
  readonly pools: number;
}

/** The letters of the files of Cobre 0.14 and later. */
const IDENTIFIER = "CBVF";

/** The numbers of the fields that stand in both versions. */
const STAGE = { stage: 0, dimension: 1, cuts: 4, populated: 6 } as const;
/** Those that Cobre 0.18 added. */
const LATER_STAGE = { slots: 7, graphStage: 10, pricedAt: 11 } as const;
const SLOT = { kind: 0, entityId: 1, subindex: 2 } as const;
const MANIFEST = { formatVersion: 0, version: 1, stages: 3, pools: 4, software: 20 } as const;

/** The intercept has moved. */
const CUT = {
  "0.5": { intercept: 5, coefficients: 6 },
  "0.18": { intercept: 4, coefficients: 5 },
} as const;

/** Costs in files of Cobre 0.5 are in thousands of $, those of Cobre 0.18 in $. */
const SCALE = { "0.5": 1000, "0.18": 1 } as const;

const KINDS = ["storage", "inflow_lag", "commitment", "in_transit"] as const;

/**
 * Reads `cuts/stage_NNN.bin` of Cobre 0.5 or `cuts/NNN.bin` of Cobre 0.18.
 *
 * @throws {@link FlatTableError} if it is none
 * @example
 * ```ts
 * const { pricedAt, cuts } = decodeReferenceCuts(readFileSync("policy/cuts/000.bin"), "0.18");
 * ```
 */
export function decodeReferenceCuts(bytes: Uint8Array, version: "0.5" | "0.18"): ReferenceCuts {
  if (version === "0.18") checkIdentifier(bytes);
  const root = FlatTable.root(bytes);
  const dimension = root.unsigned(STAGE.dimension) ?? 0;
  const tables = root.tables(STAGE.cuts) ?? [];
  if (tables.length !== (root.unsigned(STAGE.populated) ?? 0)) {
    throw new FlatTableError("it does not have as many cuts as it says");
  }
  const { intercept, coefficients } = CUT[version];
  const scale = SCALE[version];
  const cuts = tables.map((table) => {
    const slopes = table.reals(coefficients) ?? new Float64Array();
    const height = table.real(intercept) ?? 0;
    if (slopes.length !== dimension) {
      throw new FlatTableError(`a cut has ${slopes.length} coefficients, not ${dimension}`);
    }
    if (!Number.isFinite(height) || !slopes.every(Number.isFinite)) {
      throw new FlatTableError("a cut has a number that is not finite");
    }
    return { intercept: scale * height, coefficients: slopes.map((slope) => scale * slope) };
  });
  if (version === "0.5") return { stage: root.unsigned(STAGE.stage) ?? 0, dimension, cuts };
  const slots = (root.tables(LATER_STAGE.slots) ?? []).map(slotOf);
  if (slots.length !== dimension) {
    throw new FlatTableError(`it names ${slots.length} coefficients, not ${dimension}`);
  }
  return {
    stage: root.unsigned(LATER_STAGE.graphStage) ?? 0,
    dimension,
    cuts,
    slots,
    pricedAt: dateOf(root.integer(LATER_STAGE.pricedAt)),
  };
}

/**
 * Reads `manifest.bin` of a policy of Cobre 0.18.
 *
 * @throws {@link FlatTableError} if it is none
 * @example
 * ```ts
 * const { software, stages } = decodeReferenceManifest(readFileSync("policy/manifest.bin"));
 * ```
 */
export function decodeReferenceManifest(bytes: Uint8Array): ReferenceManifest {
  checkIdentifier(bytes);
  const root = FlatTable.root(bytes);
  return {
    formatVersion: root.unsigned(MANIFEST.formatVersion) ?? 0,
    software: `${root.text(MANIFEST.software) ?? "cobre"} ${root.text(MANIFEST.version) ?? "?"}`,
    stages: root.unsigned(MANIFEST.stages) ?? 0,
    pools: root.unsigned(MANIFEST.pools) ?? 0,
  };
}

function checkIdentifier(bytes: Uint8Array): void {
  if (FlatTable.identifier(bytes) === IDENTIFIER) return;
  throw new FlatTableError(`it has not the mark ${IDENTIFIER} of policies of Cobre 0.18`);
}

function slotOf(table: FlatTable): ReferenceSlot {
  return {
    kind: KINDS[table.byte(SLOT.kind) ?? 0] ?? "other",
    entityId: table.integer(SLOT.entityId) ?? 0,
    subindex: table.unsigned(SLOT.subindex) ?? 0,
  };
}

/** 20250201 as 2025-02-01; `undefined` if it is no date. */
function dateOf(number: number | undefined): string | undefined {
  const digits = /^(\d{4})(\d{2})(\d{2})$/.exec(String(number ?? ""));
  return digits === null ? undefined : digits.slice(1).join("-");
}
