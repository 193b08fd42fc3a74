import {
  CASE_FILES,
  type IssueCollector,
  type IssuePlace,
  type Study,
  stagesWithinSeasons,
} from "@cobre/core";
import {
  AvailabilityModel,
  type AvailabilityStatistics,
  buildInflowModel,
  Correlation,
  type CorrelationSpec,
  type GivenOpenings,
  type InflowAnnualComponent,
  type InflowAutoregression,
  type InflowModel,
  type InflowStatistics,
  LoadModel,
  type LoadStatistics,
  NoiseLayout,
  OpeningTree,
  StochasticError,
  type TreeStage,
  useGivenOpenings,
  withResidualRatios,
} from "@cobre/stochastic";
import { LIMITS } from "./files/limits.js";

/** The input data of all uncertain quantities. */
export interface StochasticInput {
  readonly inflowStatistics: readonly InflowStatistics[];
  readonly autoregressions: readonly InflowAutoregression[];
  readonly annualComponents: readonly InflowAnnualComponent[];
  readonly loadStatistics: readonly LoadStatistics[];
  readonly correlation: CorrelationSpec | undefined;
  readonly openings: GivenOpenings | undefined;
  readonly availability: readonly AvailabilityStatistics[];
}

/** The models of all uncertain quantities. */
export interface Uncertainty {
  readonly inflow: InflowModel;
  readonly load: LoadModel;
  readonly availability: AvailabilityModel;
  /** The components of a noise vector. */
  readonly layout: NoiseLayout;
  readonly treeStages: readonly TreeStage[];
  readonly correlation: Correlation | undefined;
  /** Openings that the case gives, instead of sampled ones. */
  readonly openings: GivenOpenings | undefined;
  /** The input of the models, sorted by entity and stage, so that the order in the files never matters. */
  readonly input: Omit<StochasticInput, "openings">;
}

const MILLISECONDS_A_DAY = 86_400_000;

/** Builds the models and reports errors in their data. Returns `undefined` if they cannot be built. */
export function buildUncertainty(
  given: StochasticInput,
  study: Study,
  issues: IssueCollector,
): Uncertainty | undefined {
  const { stages } = study.time;
  const hydroIds = study.system.hydros.map(({ id }) => id);
  const busIds = study.system.buses.map(({ id }) => id);
  checkReferences(given, study, issues);
  checkStages(given, study, issues);
  const inflowRows = given.inflowStatistics.map(({ hydroId: id, stageId }) => ({ id, stageId }));
  checkCoverage(CASE_FILES.inflowStatistics, "hydro", hydroIds, inflowRows, study, issues);
  // A bus without any row has no load. A bus with a row must have rows for all stages.
  const loadRows = given.loadStatistics.map(({ busId: id, stageId }) => ({ id, stageId }));
  const loaded = busIds.filter((bus) => loadRows.some(({ id }) => id === bus));
  checkCoverage(CASE_FILES.loadStatistics, "bus", loaded, loadRows, study, issues);
  const input = withRatios(given, study, issues);
  if (input === undefined) return undefined;
  checkRatios(input.autoregressions, issues);
  const load = new LoadModel(
    stages.map(({ id }) => id),
    busIds,
    input.loadStatistics,
  );
  const availability = new AvailabilityModel(
    stages.map(({ id }) => id),
    study.system.nonControllables.map(({ id }) => id),
    input.availability,
  );
  const layout = new NoiseLayout({
    inflow: hydroIds,
    load: load.uncertainBusIds,
    ncs: availability.uncertainIds,
  });
  const treeStages = stages.map(({ id, openings, seasonId, start }, stage): TreeStage => {
    return {
      id,
      // Each node of a stage has openings of its own.
      openings: openings * study.time.graph.nodesOf(stage).length,
      seasonId,
      startYear: new Date(start * MILLISECONDS_A_DAY).getUTCFullYear(),
    };
  });
  const { correlation: spec, openings } = input;
  const inflow = report(CASE_FILES.inflowAutoregressions, issues, () =>
    buildInflowModel({
      stages,
      preStudyStages: study.time.preStudyStages,
      seasonCycle: study.time.seasonCycle,
      hydroIds,
      statistics: input.inflowStatistics,
      autoregressions: input.autoregressions,
      annualComponents: input.annualComponents,
    }),
  );
  const correlation =
    spec && report(CASE_FILES.correlation, issues, () => new Correlation(spec, layout));
  if (!checkTreeSize(treeStages, layout, issues)) return undefined;
  if (openings !== undefined && treeStages.every((stage) => stage.openings > 0)) {
    const values = new Float64Array(OpeningTree.length(treeStages, layout.dimension));
    const tree = new OpeningTree(treeStages, layout.dimension, values);
    report(
      CASE_FILES.noiseOpenings,
      issues,
      () => useGivenOpenings(tree, layout, openings),
      "dimensions",
    );
  }
  if (inflow === undefined) return undefined;
  checkPastInflows(inflow, study, issues);
  checkSeasonsOfLags(inflow, study, issues);
  warnOfLags(inflow, study, issues);
  return {
    inflow,
    load,
    availability,
    layout,
    treeStages,
    correlation,
    openings,
    input: inOrder(input),
  };
}

/** The data with the deviations of the noise of inflows, where they follow from the coefficients. Reports coefficients that allow none. */
function withRatios(
  input: StochasticInput,
  { time, system }: Study,
  issues: IssueCollector,
): StochasticInput | undefined {
  if (!input.autoregressions.some((row) => Number.isNaN(row.residualStdRatio))) return input;
  const autoregressions = report(CASE_FILES.inflowAutoregressions, issues, () =>
    withResidualRatios({
      ...time,
      hydroIds: system.hydros.map(({ id }) => id),
      statistics: input.inflowStatistics,
      autoregressions: input.autoregressions,
      annualComponents: input.annualComponents,
    }),
  );
  return autoregressions && { ...input, autoregressions };
}

/** Whether the opening tree is small enough to be kept in memory. */
function checkTreeSize(
  stages: readonly TreeStage[],
  layout: NoiseLayout,
  issues: IssueCollector,
): boolean {
  const length = OpeningTree.length(stages, layout.dimension);
  if (length <= LIMITS.treeValues) return true;
  issues.error(
    "dimensions",
    { file: CASE_FILES.stages, field: "num_scenarios" },
    `the opening tree has ${length} numbers`,
    `must have at most ${LIMITS.treeValues}; take fewer openings`,
  );
  return false;
}

function inOrder(input: StochasticInput): Uncertainty["input"] {
  const byHydro = <T extends { readonly hydroId: number; readonly stageId: number }>(
    rows: readonly T[],
  ) => [...rows].sort((a, b) => a.hydroId - b.hydroId || a.stageId - b.stageId);
  return {
    inflowStatistics: byHydro(input.inflowStatistics),
    autoregressions: byHydro(input.autoregressions),
    annualComponents: byHydro(input.annualComponents),
    loadStatistics: [...input.loadStatistics].sort(
      (a, b) => a.busId - b.busId || a.stageId - b.stageId,
    ),
    correlation: input.correlation,
    availability: [...input.availability].sort(
      (a, b) => a.sourceId - b.sourceId || a.stageId - b.stageId,
    ),
  };
}

function report<T>(
  file: string,
  issues: IssueCollector,
  build: () => T,
  layer: "stochastic" | "dimensions" = "stochastic",
): T | undefined {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof StochasticError)) throw error;
    // The message says what is wrong and, after the last semicolon, how to put it right.
    const cut = error.message.lastIndexOf("; ");
    const whole = cut < 0 ? error.message : error.message.slice(0, cut);
    // The place is told apart.
    const problem = whole.replace(placeIn(error), "");
    const remedy = cut < 0 ? "correct it" : error.message.slice(cut + 2);
    issues.error(layer, { file, ...error.place }, problem, remedy);
    return undefined;
  }
}

/** What a message says about the place of the fault: `correlation: profile "default", group "south": `. */
function placeIn({ place, message }: StochasticError): string {
  if (place === undefined) return "";
  const end = message.indexOf(`${place.entity}: `);
  return end < 0 ? "" : message.slice(0, end + place.entity.length + 2);
}

function checkReferences(input: StochasticInput, study: Study, issues: IssueCollector): void {
  const hydros = new Set(study.system.hydros.map(({ id }) => id));
  const buses = new Set(study.system.buses.map(({ id }) => id));
  const sources = new Set(study.system.nonControllables.map(({ id }) => id));
  const told = new Set<string>();
  const check = (
    file: string,
    kind: string,
    id: number,
    known: ReadonlySet<number>,
    source: string,
    field: string,
  ) => {
    const key = `${file} ${kind} ${id}`;
    if (known.has(id) || told.has(key)) return;
    told.add(key);
    issues.error(
      "references",
      { file, entity: `${kind} ${id}`, field },
      `${kind} ${id} does not exist`,
      `correct the id, or add it to ${source}`,
    );
  };
  for (const { hydroId } of input.inflowStatistics) {
    check(CASE_FILES.inflowStatistics, "hydro", hydroId, hydros, CASE_FILES.hydros, "hydro_id");
  }
  for (const { hydroId } of input.autoregressions) {
    const file = CASE_FILES.inflowAutoregressions;
    check(file, "hydro", hydroId, hydros, CASE_FILES.hydros, "hydro_id");
  }
  for (const { hydroId } of input.annualComponents) {
    const file = CASE_FILES.inflowAnnualComponents;
    check(file, "hydro", hydroId, hydros, CASE_FILES.hydros, "hydro_id");
  }
  for (const { busId } of input.loadStatistics) {
    check(CASE_FILES.loadStatistics, "bus", busId, buses, CASE_FILES.buses, "bus_id");
  }
  const file = CASE_FILES.correlation;
  for (const groups of Object.values(input.correlation?.profiles ?? {})) {
    for (const { type, id } of groups.flatMap(({ entities }) => entities)) {
      if (type === "inflow") check(file, "hydro", id, hydros, CASE_FILES.hydros, "id");
      if (type === "load") check(file, "bus", id, buses, CASE_FILES.buses, "id");
      if (type === "ncs") {
        const kind = "non-controllable source";
        check(file, kind, id, sources, CASE_FILES.nonControllables, "id");
      }
    }
  }
}

/**
 * Warns about rows for stages that do not exist. Stages with negative ids lie before the study and are allowed, and so are statistics of inflows for
 * any id below that of the first stage: lags use them.
 */
function checkStages(input: StochasticInput, study: Study, issues: IssueCollector): void {
  const stages = new Set(study.time.stages.map(({ id }) => id));
  const first = Math.min(...stages);
  const tables: readonly [string, readonly { readonly stageId: number }[]][] = [
    [CASE_FILES.inflowStatistics, input.inflowStatistics],
    [CASE_FILES.inflowAutoregressions, input.autoregressions],
    [CASE_FILES.inflowAnnualComponents, input.annualComponents],
    [CASE_FILES.loadStatistics, input.loadStatistics],
    [CASE_FILES.nonControllableStatistics, input.availability],
  ];
  for (const [file, rows] of tables) {
    const isPast = (id: number) => id < 0 || (rows === input.inflowStatistics && id < first);
    const unknown = rows
      .map(({ stageId }) => stageId)
      .filter((id) => !isPast(id) && !stages.has(id));
    if (unknown.length === 0) continue;
    const ids = list([...new Set(unknown)].sort((a, b) => a - b));
    issues.warning(
      "references",
      { file, field: "stage_id" },
      `stage ${ids} does not exist`,
      "these rows have no effect",
    );
  }
}

function checkCoverage(
  file: string,
  kind: string,
  ids: readonly number[],
  rows: readonly { readonly id: number; readonly stageId: number }[],
  study: Study,
  issues: IssueCollector,
): void {
  const given = new Set(rows.map(({ id, stageId }) => `${id} ${stageId}`));
  for (const id of ids) {
    const missing = study.time.stages.filter((stage) => !given.has(`${id} ${stage.id}`));
    if (missing.length === 0) continue;
    const stages = list(missing.map((stage) => stage.id));
    issues.error(
      "stochastic",
      { file, entity: `${kind} ${id}`, field: "stage_id" },
      `there is no row for stage ${stages}`,
      "give mean and standard deviation for every stage",
    );
  }
}

function list(ids: readonly number[]): string {
  return ids.length <= 5
    ? ids.join(", ")
    : `${ids.slice(0, 5).join(", ")} and ${ids.length - 5} more`;
}

function checkRatios(
  autoregressions: readonly InflowAutoregression[],
  issues: IssueCollector,
): void {
  for (const { hydroId, stageId, residualStdRatio } of autoregressions) {
    if (residualStdRatio > 0) continue;
    const place: IssuePlace = {
      file: CASE_FILES.inflowAutoregressions,
      entity: `hydro ${hydroId}, stage ${stageId}`,
      field: "residual_std_ratio",
    };
    issues.error("stochastic", place, `is ${residualStdRatio}`, "must be above 0 and at most 1");
  }
}

/**
 * Refuses lags in stages that do not end with their season. A lag is the inflow of a whole season; a stage that is only a part of one must
 * add to it before the lags move.
 */
function checkSeasonsOfLags(inflow: InflowModel, { time }: Study, issues: IssueCollector): void {
  if (time.seasons === undefined || inflow.psi.every((psi) => psi === 0)) return;
  for (const { id, problem } of stagesWithinSeasons(time.seasons, time.stages)) {
    issues.error(
      "stochastic",
      { file: CASE_FILES.stages, entity: `stage ${id}`, field: "season_id" },
      `${problem}, and inflows depend on those of past seasons`,
      "this version cannot do that yet; give one stage for each season",
    );
  }
}

/** Cobre 0.18 leaves lags out of the cuts of stages that do not ask for them, which makes the cuts wrong. */
function warnOfLags(inflow: InflowModel, { time }: Study, issues: IssueCollector): void {
  const without = time.stages.filter(({ asksForLags }) => asksForLags === false);
  if (without.length === 0 || inflow.psi.every((psi) => psi === 0)) return;
  issues.warning(
    "stochastic",
    { file: CASE_FILES.stages, field: "state_variables.inflow_lags" },
    `is not true in ${list(without.map(({ id }) => id))}, and inflows depend on past ones`,
    "cuts have lags here all the same; in Cobre 0.18 they have none, and its bounds differ",
  );
}

function checkPastInflows(inflow: InflowModel, study: Study, issues: IssueCollector): void {
  study.system.hydros.forEach(({ id }, h) => {
    const known = study.initialConditions.pastInflowsM3s[h]?.length as number;
    let needed = 0;
    for (let lag = 1; lag <= inflow.lags; lag++) {
      // Stage t looks back before the study only with lags greater than t.
      for (let stage = 0; stage < Math.min(lag, inflow.stages); stage++) {
        const psi = inflow.psi[(stage * inflow.hydros + h) * inflow.lags + lag - 1];
        if (psi !== 0) needed = Math.max(needed, lag - stage);
      }
    }
    if (known >= needed) return;
    const place = {
      file: CASE_FILES.initialConditions,
      entity: `hydro ${id}`,
      field: "past_inflows",
    };
    issues.warning(
      "dimensions",
      place,
      `has ${known} of the ${needed} past inflows that the model needs`,
      "add the missing ones, which are taken as 0",
    );
  });
}
