/** A small system that was trained a little and simulated, and the tables that the simulation wrote. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalCommunicator } from "@cobre/comm";
import { type Case, OutputDirectory, ScenarioWriter } from "@cobre/io";
import { COST_SCALE, type CutPool, loadCase, type Policy, simulate, train } from "@cobre/sddp";
import type { LpSolver } from "@cobre/solver";
import {
  boundaryOf,
  generateSystem,
  lagsOf,
  type SmallSystem,
  withoutEquipment,
  withoutLaterFeatures,
  withSampledNoise,
  writeCase,
} from "../oracle/index.js";
import { type StageData, stageDataOf } from "./stage-data.js";
import type { Future } from "./stage-program.js";
import { type PathTables, readPath } from "./tables.js";

/** So few that a system takes a moment. The cuts are far from the optimum, which no identity needs. */
const SIZE = { iterations: 3, forwardPasses: 2 } as const;

/** A system and its policy. */
export interface TrainedSystem {
  readonly system: SmallSystem;
  readonly source: Case;
  readonly policy: Policy;
  readonly lags: number;
  readonly stages: readonly StageData[];
  /** What is behind each stage; `undefined` behind the last one of a system without boundary. */
  readonly futures: readonly (Future | undefined)[];
}

/** A path, and its cost as the simulation returns it. */
export interface SimulatedPath {
  readonly tables: PathTables;
  readonly cost: number;
}

/** At most so many failures are told; the rest are counted. */
const MOST_TOLD = 5;

/** Checks the systems of all seeds from `first` to `last`, and tells which of them fail. */
export async function forSystems(
  first: number,
  last: number,
  check: (trained: TrainedSystem, folder: string) => Promise<void> | void,
): Promise<void> {
  const failures: unknown[] = [];
  for (let seed = first; seed <= last; seed++) {
    await withTrained(seed, check).catch((error: unknown) => failures.push(error));
  }
  if (failures.length === 0) return;
  const told = failures.slice(0, MOST_TOLD).map((failure) => String(failure));
  throw new AggregateError(
    failures,
    `${failures.length} of ${last - first + 1} systems fail:\n${told.join("\n")}`,
  );
}

/** Tables are flushed to the disk one by one, which takes long on a disk. */
const FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Trains the system of a seed and hands it to `use`; its case is there as long. */
async function withTrained(
  seed: number,
  use: (trained: TrainedSystem, folder: string) => Promise<void> | void,
): Promise<void> {
  const folder = mkdtempSync(join(FOLDER, "small-system-"));
  try {
    using comm = new LocalCommunicator();
    // What the results say of equipment has a test of its own.
    const drawn = withPlantsAndBlocksAsUsual(
      withoutLaterFeatures(withoutEquipment(generateSystem(seed))),
    );
    writeCase(drawn, folder, SIZE);
    const source = await loadCase(folder);
    const system = withSampledNoise(drawn, source);
    const { policy } = await train(comm, source, {
      boundary: boundaryOf(source),
      failureDirectory: folder,
    });
    const stages = system.stages.map((_, stage) => stageDataOf(system, stage));
    await use(
      {
        system,
        source,
        policy,
        lags: lagsOf(system),
        stages,
        futures: stages.map((_, stage) => futureOf(system, policy, stage)),
      },
      folder,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The checks of results look at hydro plants that always exist, and at blocks that lie beside each other. */
function withPlantsAndBlocksAsUsual(system: SmallSystem): SmallSystem {
  const life = { entry: null, exit: null };
  return {
    ...system,
    stages: system.stages.map((stage) => ({ ...stage, isChronological: false })),
    hydros: system.hydros.map((hydro) => ({ ...hydro, life })),
  };
}

/** Simulates paths, writes their tables as a run does, and reads them back. */
export async function simulatePaths(
  { source, policy, system }: TrainedSystem,
  folder: string,
  paths: number,
  solver?: LpSolver,
): Promise<readonly SimulatedPath[]> {
  using comm = new LocalCommunicator();
  const output = new OutputDirectory(join(folder, "output"));
  using writer = new ScenarioWriter(output, paths);
  const { costs } = await simulate(comm, source, policy, {
    solver,
    scenarios: paths,
    failureDirectory: folder,
    onScenario: (scenario, tables) => writer.writeScenario(scenario, tables),
  });
  writer.finish();
  const read = [...costs].map(async (cost, scenario) => ({
    tables: await readPath(output.path, scenario, `seed ${system.seed}, path ${scenario}`),
    cost,
  }));
  return Promise.all(read);
}

function futureOf(system: SmallSystem, policy: Policy, stage: number): Future | undefined {
  const isLast = stage === system.stages.length - 1;
  if (isLast && system.boundary === null) return undefined;
  const pool = policy.pools[stage];
  const floor = policy.origin.floors?.[stage] ?? Number.NaN;
  return { floor: floor * COST_SCALE, cuts: cutsOf(pool, system.hydros.length) };
}

/** The cuts of a pool in $, by storage and by lag. */
function cutsOf(pool: CutPool, hydros: number): Future["cuts"] {
  return Array.from({ length: pool.count }, (_, slot) => {
    const slopes = (first: number) =>
      Array.from({ length: hydros }, (_h, h) => pool.coefficient(slot, first + h) * COST_SCALE);
    const lags = hydros === 0 ? 0 : pool.dimension / hydros - 1;
    return {
      intercept: pool.intercept(slot) * COST_SCALE,
      storage: slopes(0),
      lags: Array.from({ length: lags }, (_l, lag) => slopes((1 + lag) * hydros)),
    };
  });
}
