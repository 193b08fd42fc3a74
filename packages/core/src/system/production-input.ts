/** What a case says about how hydro plants turn water into power. */

/** Where the planes of a production function come from. */
export interface FphaConfig {
  /** `precomputed`: from `system/fpha_hyperplanes.parquet`; `computed`: fitted to the geometry of the plant. */
  readonly source: "precomputed" | "computed";
  /** How many points the fit has for each quantity. */
  readonly volumePoints?: number | undefined;
  readonly turbinePoints?: number | undefined;
  readonly spillagePoints?: number | undefined;
  readonly maxPlanes?: number | undefined;
  readonly window?: FittingWindow | undefined;
}

/** The storages for which planes are fitted: each end in hm³, or as a share of the range from minimum to maximum storage. */
export interface FittingWindow {
  readonly minHm3?: number | undefined;
  readonly maxHm3?: number | undefined;
  readonly minShare?: number | undefined;
  readonly maxShare?: number | undefined;
}

/** How a plant generates in some stages. */
export interface ProductionChoice {
  readonly model: "constant_productivity" | "fpha";
  /** Replaces the productivity of the plant. */
  readonly productivity?: number | undefined;
  readonly fpha?: FphaConfig | undefined;
  readonly referenceVolume?: ReferenceVolume | undefined;
}

/** The volume for which a productivity is reckoned: in hm³, or as a share of the range from minimum to maximum storage. */
export interface ReferenceVolume {
  readonly volumeHm3?: number | undefined;
  readonly share?: number | undefined;
}

/** An entry of `system/hydro_production_models.json`. */
export interface ProductionModelInput {
  readonly hydroId: number;
  /** The first one that holds in a stage counts. */
  readonly ranges: readonly (ProductionChoice & {
    readonly startStageId: number;
    readonly endStageId?: number | undefined;
  })[];
  /** By season, if the entry does not go by ranges. */
  readonly seasons?:
    | {
        readonly otherwise: ProductionChoice;
        readonly list: readonly (ProductionChoice & { readonly seasonId: number })[];
      }
    | undefined;
}

/** A row of `system/fpha_hyperplanes.parquet`. */
export interface PlaneRow {
  readonly hydroId: number;
  /** Without it the plane holds in every stage that has none of its own. */
  readonly stageId?: number | undefined;
  readonly planeId: number;
  readonly gamma0: number;
  readonly gammaV: number;
  readonly gammaQ: number;
  readonly gammaS: number;
  readonly kappa: number;
}

/** A row of `system/hydro_energy_productivity.parquet`. What it leaves out is that of the plant. */
export interface ProductivityRow {
  readonly hydroId: number;
  /** Without it the row holds in every stage. */
  readonly stageId?: number | undefined;
  /** In MW per m³/s. */
  readonly productivity?: number | undefined;
  /** In MW per m³/s and metre of head. */
  readonly specific?: number | undefined;
  /** In m³/s. */
  readonly referenceOutflow?: number | undefined;
}
