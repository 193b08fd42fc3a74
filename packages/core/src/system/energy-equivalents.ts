import { CASE_FILES } from "../case-files.js";
import { StageTable } from "../stage-table.js";
import type { Stage } from "../time/stages.js";
import type { IssueCollector } from "../validation/issue.js";
import type { Cascade } from "./cascade.js";
import type { Hydro } from "./entities.js";
import { type Geometry, type GeometryRow, meanBetween, valueAt } from "./geometry.js";
import { choiceIn, type Production } from "./production.js";
import { netHead } from "./production-function.js";
import type { ProductionModelInput, ProductivityRow, ReferenceVolume } from "./production-input.js";

/** The energy of 1 hm³ that flows through turbines of 1 MW per m³/s. */
export const MWH_PER_HM3 = 1e6 / 3600;

/** Where an empty reservoir is 0 and a full one 1, if a case says nothing else. */
const REFERENCE_SHARE = 0.65;

/**
 * What water is worth in energy, in MW per m³/s: at one reference volume, and on average over the whole range of storage; of a plant alone, and with
 * all plants through which its water flows afterwards. NaN where a case does not say enough, for instance of planes without a specific productivity.
 */
export interface EnergyEquivalents {
  readonly equivalent: StageTable;
  readonly accumulated: StageTable;
  readonly integratedEquivalent: StageTable;
  readonly integratedAccumulated: StageTable;
  /** In hm³. */
  readonly referenceVolume: StageTable;
  /** In m³/s. */
  readonly referenceTurbine: StageTable;
  /** In MW per m³/s and metre of head. */
  readonly specific: StageTable;
}

/** What equivalents are reckoned from. */
export interface EnergySource {
  readonly hydros: readonly Hydro[];
  readonly cascade: Cascade;
  readonly stages: readonly Stage[];
  readonly production: Production;
  readonly models: readonly ProductionModelInput[];
  readonly rows: readonly ProductivityRow[];
  readonly geometry: Geometry;
}

/** Reckons the equivalents of all plants and stages. Warns of plants that have no head. */
export function buildEnergyEquivalents(
  source: EnergySource,
  issues: IssueCollector,
): EnergyEquivalents {
  const { hydros, cascade, stages } = source;
  const table = () => new StageTable(stages.length, hydros.length);
  const tables = {
    equivalent: table(),
    accumulated: table(),
    integratedEquivalent: table(),
    integratedAccumulated: table(),
    referenceVolume: table(),
    referenceTurbine: table(),
    specific: table(),
  };
  hydros.forEach((hydro, h) => {
    const plant = new PlantEnergy(hydro, h, source);
    stages.forEach((stage, t) => {
      const own = plant.in(stage, t);
      for (const name of Object.keys(own) as (keyof typeof own)[])
        tables[name].set(t, h, own[name]);
    });
    if (plant.lowestHead <= 0) {
      issues.warning(
        "physics",
        { file: CASE_FILES.hydroGeometry, entity: `hydro ${hydro.id}` },
        `gives a net head of ${plant.lowestHead} m at ${hydro.maxTurbinedM3s} m3/s, so that energies of the plant are left out`,
        `correct its heights, or tailrace and hydraulic_losses in ${CASE_FILES.hydros}`,
      );
    }
  });
  // Plants downstream come first.
  for (const h of [...cascade.order].reverse()) {
    const below = cascade.downstream[h] as number;
    stages.forEach((_, t) => {
      for (const [sum, own] of [
        [tables.accumulated, tables.equivalent],
        [tables.integratedAccumulated, tables.integratedEquivalent],
      ] as const) {
        sum.set(t, h, own.at(t, h) + (below < 0 ? 0 : sum.at(t, below)));
      }
    });
  }
  return tables;
}

/** The equivalents of a plant alone. */
class PlantEnergy {
  private readonly hydro: Hydro;
  private readonly index: number;
  private readonly source: EnergySource;
  private readonly rows: readonly ProductivityRow[];
  private readonly entry: ProductionModelInput | undefined;
  private readonly heights: readonly GeometryRow[];
  /** The lowest head that was asked for. */
  lowestHead = Number.POSITIVE_INFINITY;

  constructor(hydro: Hydro, index: number, source: EnergySource) {
    this.hydro = hydro;
    this.index = index;
    this.source = source;
    this.rows = source.rows.filter(({ hydroId }) => hydroId === hydro.id);
    this.entry = source.models.find(({ hydroId }) => hydroId === hydro.id);
    this.heights = source.geometry.get(hydro.id) ?? [];
  }

  in(stage: Stage, t: number) {
    const { hydro, heights } = this;
    const specific = this.given("specific", stage) ?? hydro.specificProductivity ?? Number.NaN;
    const referenceVolume = volumeOf(choiceIn(this.entry, stage)?.referenceVolume, hydro);
    const ofRow = this.given("productivity", stage);
    const hasHead = heights.length > 0 && !Number.isNaN(specific);
    const head = (level: () => number) => (hasHead ? specific * this.headAt(level()) : Number.NaN);
    const { productivity, planes } = this.source.production;
    const isFunction = planes[t]?.[this.index] !== undefined;
    const atReference = () => head(() => valueAt(heights, heightOf, referenceVolume));
    const equivalent = isFunction ? (ofRow ?? atReference()) : productivity.at(t, this.index);
    const { minStorageHm3: low, maxStorageHm3: high } = hydro;
    // A value that is given holds for every storage, and a single storage has no mean.
    const isMean = ofRow === undefined && hasHead && high > low;
    const overRange = () => head(() => meanBetween(heights, heightOf, low, high));
    return {
      equivalent,
      integratedEquivalent: isMean ? overRange() : equivalent,
      referenceVolume,
      referenceTurbine: this.given("referenceOutflow", stage) ?? hydro.maxTurbinedM3s,
      specific,
    };
  }

  /** What is left of a level in front of the plant, at its highest turbined flow. */
  private headAt(level: number): number {
    const head = netHead(this.hydro, level, this.hydro.maxTurbinedM3s);
    this.lowestHead = Math.min(this.lowestHead, head);
    return head > 0 ? head : Number.NaN;
  }

  /** What the table says of the stage, or else of all stages. */
  private given(
    column: "productivity" | "specific" | "referenceOutflow",
    { id }: Stage,
  ): number | undefined {
    const values = (of: number | undefined) =>
      this.rows.find((row) => row.stageId === of && row[column] !== undefined)?.[column];
    return values(id) ?? values(undefined);
  }
}

const heightOf = (row: GeometryRow) => row.heightM;

function volumeOf(
  volume: ReferenceVolume | undefined,
  { minStorageHm3: low, maxStorageHm3: high }: Hydro,
): number {
  return volume?.volumeHm3 ?? low + (volume?.share ?? REFERENCE_SHARE) * (high - low);
}
