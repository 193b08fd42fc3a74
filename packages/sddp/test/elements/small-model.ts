import { buildStudy, type HydroInput, IssueCollector, type StudyInput } from "@cobre/core";
import { type LpSolver, loadSolver } from "@cobre/solver";
import {
  AvailabilityModel,
  InflowModel,
  LoadModel,
  type NonNegativityMethod,
  OpeningTree,
} from "@cobre/stochastic";
import { type Element, type Model, reachableInflows, StageBuilder, statesOfStudy } from "#internal";

/** One stage of blocks with the given hours. What is left out is not there. */
export interface SmallInput {
  readonly hours?: readonly number[];
  readonly buses?: StudyInput["system"]["buses"];
  readonly lines?: StudyInput["system"]["lines"];
  readonly thermals?: StudyInput["system"]["thermals"];
  readonly hydros?: readonly (Partial<HydroInput> & { readonly id: number })[];
  /** The load of each bus. */
  readonly load?: readonly number[];
  /** For each plant the inflow without noise, and the standard deviation of the noise. */
  readonly inflow?: readonly (readonly [base: number, sigma: number])[];
  readonly storage?: readonly number[];
  readonly production?: StudyInput["production"];
  readonly hydroGeometry?: StudyInput["hydroGeometry"];
  readonly hydroBounds?: StudyInput["hydroBounds"];
  readonly isChronological?: boolean;
  /** For each bus and block. */
  readonly loadFactors?: StudyInput["loadFactors"];
  /** Of the stage. */
  readonly season?: number;
  /** For each plant, its penalties. */
  readonly penalties?: Partial<StudyInput["penalties"]["hydro"]>;
  readonly compat?: "cobre-0.5";
  /** Whose rules hold, if not those of Cobre 0.5. */
  readonly dialect?: "0.18";
  readonly method?: NonNegativityMethod;
  readonly nonControllables?: StudyInput["system"]["nonControllables"];
  /** For some sources mean and deviation of the available share. */
  readonly shares?: readonly (readonly [id: number, mean: number, std: number])[];
  readonly pumpingStations?: StudyInput["system"]["pumpingStations"];
  readonly energyContracts?: StudyInput["system"]["energyContracts"];
  /** What else the study is built from. */
  readonly more?: Partial<StudyInput>;
  /** For each opening its noise: the plants, then the sources with statistics. */
  readonly noise?: readonly (readonly number[])[];
}

const PENALTY = {
  spillageCost: 0.5,
  fphaTurbinedCost: 0,
  diversionCost: 1,
  storageViolationBelowCost: 1,
  fillingTargetViolationCost: 1,
  turbinedViolationBelowCost: 7,
  outflowViolationBelowCost: 5,
  outflowViolationAboveCost: 6,
  generationViolationBelowCost: 8,
  evaporationViolationCost: 1,
  waterWithdrawalViolationCost: 1,
  inflowNonnegativityCost: 9,
};

/** A model of one stage, as far as elements look at it. */
export function smallModel(input: SmallInput): Model {
  const issues = new IssueCollector();
  const buses = input.buses ?? [{ id: 1, name: "bus" }];
  const hydros = (input.hydros ?? []).map((hydro) => ({
    name: `hydro ${hydro.id}`,
    busId: buses[0].id,
    productivityMwPerM3s: 1,
    minStorageHm3: 0,
    maxStorageHm3: 100,
    minOutflowM3s: 0,
    maxOutflowM3s: Number.POSITIVE_INFINITY,
    minTurbinedM3s: 0,
    maxTurbinedM3s: 50,
    minGenerationMw: 0,
    maxGenerationMw: 1000,
    ...hydro,
  }));
  const blocks = (input.hours ?? [1]).map((hours, id) => ({ id, name: `${id}`, hours }));
  const shares = input.shares ?? [];
  const noise = input.noise ?? [[...hydros, ...shares].map(() => 0)];
  const openings = noise.length;
  const study = buildStudy(
    {
      system: {
        buses,
        lines: input.lines ?? [],
        thermals: input.thermals ?? [],
        hydros,
        nonControllables: input.nonControllables,
        pumpingStations: input.pumpingStations,
        energyContracts: input.energyContracts,
      },
      penalties: {
        bus: {
          deficitSegments: [{ depthMw: Number.POSITIVE_INFINITY, costPerMwh: 1000 }],
          excessCost: 0.01,
        },
        line: { exchangeCost: 2 },
        nonControllable: { curtailmentCost: 3 },
        hydro: { ...PENALTY, ...input.penalties },
      },
      time: {
        stages: [
          {
            id: 0,
            start: 0,
            end: 30,
            blocks,
            openings,
            isChronological: input.isChronological,
            seasonId: input.season,
            riskMeasure: { kind: "expectation" },
          },
        ],
        discounting: { annualRate: 0 },
      },
      ...(input.production && { production: input.production }),
      ...(input.hydroGeometry && { hydroGeometry: input.hydroGeometry }),
      compat: input.compat,
      dialect: input.dialect,
      ...(input.loadFactors && { loadFactors: input.loadFactors }),
      ...(input.hydroBounds && { hydroBounds: input.hydroBounds }),
      initialConditions: {
        storage: hydros.map(({ id }, h) => ({ hydroId: id, valueHm3: input.storage?.[h] ?? 0 })),
      },
      ...input.more,
    },
    issues,
  );
  issues.throwIfErrors();
  const inflow = new InflowModel(1, hydros.length, 0);
  input.inflow?.forEach(([base, sigma], h) => {
    inflow.base[h] = base;
    inflow.sigma[h] = sigma;
  });
  const busIds = study.system.buses.map(({ id }) => id);
  const statistics = busIds.map((busId, i) => ({
    busId,
    stageId: 0,
    mean: input.load?.[i] ?? 0,
    std: 0,
  }));
  const tree = new OpeningTree(
    [{ id: 0, openings, startYear: 1970 }],
    hydros.length + shares.length,
    Float64Array.from(noise.flat()),
  );
  const { compat, dialect, method = "none" } = input;
  const config = { inflowNonNegativity: { method }, compat, dialect };
  const sourceIds = study.system.nonControllables.map(({ id }) => id);
  const uncertain = shares.map(([id]) => id).sort((a, b) => a - b);
  const { initial: initialState, components } = statesOfStudy(study, 0);
  return {
    config,
    study,
    graph: study.time.graph,
    stages: 1,
    hydros: hydros.length,
    lags: 0,
    dimension: initialState.length,
    components,
    initialState,
    inflow,
    load: new LoadModel([0], busIds, statistics),
    availability: new AvailabilityModel(
      [0],
      sourceIds,
      shares.map(([sourceId, mean, std]) => ({ sourceId, stageId: 0, mean, std })),
    ),
    noiseOfNonControllable: Int32Array.from(sourceIds, (id) =>
      uncertain.includes(id) ? hydros.length + uncertain.indexOf(id) : -1,
    ),
    noiseOfBus: new Int32Array(busIds.length).fill(-1),
    tree,
    inflows: reachableInflows(inflow, tree, initialState, config as Model["config"]),
  } as unknown as Model;
}

let solver: LpSolver | undefined;

/** The stage built from some elements and solved for the initial state and an opening. */
export async function solveWith(model: Model, elements: readonly Element[], opening = 0) {
  solver ??= await loadSolver("highs");
  const builder = new StageBuilder(model, 0, undefined);
  const parts = elements.map((element) => element(builder));
  const lp = builder.program.build();
  const program = solver.create(lp.data);
  const known = new Float64Array(lp.known.length);
  lp.stateKnown.forEach((at, i) => {
    known[at] = model.initialState[i];
  });
  const offset = model.tree.offset(0, opening);
  const noise = model.tree.values;
  for (const part of parts) part.open?.({ program, known, noise, offset, isForCut: false });
  for (const [from, to] of lp.knownRuns) {
    const values = known.subarray(from, to);
    program.setColumnBounds(lp.known[from], values, values);
  }
  const status = program.solve();
  const { primal, duals, reducedCosts } = program.solution();
  const value = (family: string, entity: number, block = 0) =>
    lp.family(family).value(primal, entity, block);
  return { status, cost: program.objective * 1000, value, lp, parts, primal, duals, reducedCosts };
}
