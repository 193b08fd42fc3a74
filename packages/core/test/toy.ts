import {
  buildStudy,
  formatIssue,
  type HydroInput,
  IssueCollector,
  type Stage,
  type Study,
  type StudyInput,
} from "@cobre/core";

/** Day 0 is 1970-01-01; stages of 30 days. */
export function stage(id: number, fields: Partial<Stage> = {}): Stage {
  return {
    id,
    start: 30 * id,
    end: 30 * (id + 1),
    blocks: [{ id: 0, name: "SINGLE", hours: 720 }],
    openings: 2,
    riskMeasure: { kind: "expectation" },
    ...fields,
  };
}

export function hydro(id: number, fields: Partial<HydroInput> = {}): HydroInput {
  return {
    id,
    name: `H${id}`,
    busId: 0,
    minStorageHm3: 0,
    maxStorageHm3: 100,
    minOutflowM3s: 0,
    maxOutflowM3s: Number.POSITIVE_INFINITY,
    productivityMwPerM3s: 1,
    minTurbinedM3s: 0,
    maxTurbinedM3s: 50,
    minGenerationMw: 0,
    maxGenerationMw: 50,
    ...fields,
  };
}

/** A small study without faults: two buses, a line, two thermals, two plants in a cascade, three stages. */
export function toy(): StudyInput {
  return {
    system: {
      buses: [
        { id: 7, name: "NORTH" },
        {
          id: 0,
          name: "SOUTH",
          deficitSegments: [{ depthMw: Number.POSITIVE_INFINITY, costPerMwh: 900 }],
        },
      ],
      lines: [{ id: 1, name: "L1", sourceBusId: 0, targetBusId: 7, directMw: 100, reverseMw: 80 }],
      thermals: [
        { id: 4, name: "T4", busId: 7, minGenerationMw: 0, maxGenerationMw: 20, costPerMwh: 30 },
        { id: 2, name: "T2", busId: 0, minGenerationMw: 5, maxGenerationMw: 10, costPerMwh: 10 },
      ],
      hydros: [hydro(5), hydro(3, { downstreamId: 5, penalties: { spillageCost: 0.5 } })],
    },
    penalties: {
      bus: {
        deficitSegments: [
          { depthMw: 50, costPerMwh: 1000 },
          { depthMw: Number.POSITIVE_INFINITY, costPerMwh: 5000 },
        ],
        excessCost: 100,
      },
      line: { exchangeCost: 2 },
      nonControllable: { curtailmentCost: 3 },
      hydro: {
        spillageCost: 0.01,
        fphaTurbinedCost: 0,
        diversionCost: 0.1,
        storageViolationBelowCost: 10000,
        fillingTargetViolationCost: 50000,
        turbinedViolationBelowCost: 500,
        outflowViolationBelowCost: 501,
        outflowViolationAboveCost: 502,
        generationViolationBelowCost: 1000,
        evaporationViolationCost: 5000,
        waterWithdrawalViolationCost: 1000,
        inflowNonnegativityCost: 1000,
      },
    },
    time: {
      stages: [
        stage(2),
        stage(0),
        stage(1, {
          blocks: [
            { id: 0, name: "A", hours: 500 },
            { id: 1, name: "B", hours: 220 },
          ],
        }),
      ],
      discounting: { annualRate: 0.12 },
    },
    initialConditions: {
      storage: [
        { hydroId: 5, valueHm3: 50 },
        { hydroId: 3, valueHm3: 30 },
      ],
      pastInflows: [{ hydroId: 5, valuesM3s: [12, 11] }],
    },
  };
}

/** The study, and what was said about it, one line each. */
export function build(input: StudyInput): {
  study: Study;
  errors: string[];
  warnings: string[];
  issues: IssueCollector;
} {
  const issues = new IssueCollector();
  const study = buildStudy(input, issues);
  return {
    study,
    issues,
    errors: issues.errors.map(formatIssue),
    warnings: issues.warnings.map(formatIssue),
  };
}
