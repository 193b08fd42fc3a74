/** Boundary cuts as a policy file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Case } from "@cobre/io";
import {
  type Boundary,
  COST_SCALE,
  CutPool,
  decodePolicy,
  encodePolicy,
  TrialPoints,
} from "@cobre/sddp";
import { stateComponents } from "#internal";
import { furthestOf } from "./commitments.js";
import { hydrosById, lagsOf, type SmallSystem } from "./system.js";
import { depthOf } from "./travel.js";

/** What lies behind the last stage of a case that {@link writeCase} wrote. */
export function boundaryOf({ directory, config }: Case): Boundary | undefined {
  const { boundary } = config.policy;
  if (boundary === undefined) return undefined;
  const file = join(directory, boundary.path);
  return { policy: decodePolicy(readFileSync(file), file), sourceStage: boundary.sourceStage };
}

/** A policy of two stages that has the cuts of the boundary behind its first one. */
export function boundaryPolicy(system: SmallSystem): Uint8Array | undefined {
  if (system.boundary === null) return undefined;
  const hydros = hydrosById(system);
  const lags = lagsOf(system);
  const depths = hydros.map((hydro) => depthOf(system, system.hydros.indexOf(hydro)));
  const inTransit = hydros.flatMap((hydro, h) =>
    Array.from({ length: depths[h] }, (_, i) => ({ hydro, ahead: i + 1 })),
  );
  const committed = [...system.thermals]
    .sort((a, b) => a.id - b.id)
    .flatMap((thermal) =>
      Array.from({ length: furthestOf(system, thermal) }, (_, i) => ({ thermal, ahead: i + 1 })),
    );
  const ahead = hydros.length * (1 + lags);
  const dimension = ahead + inTransit.length + committed.length;
  const pool = new CutPool(dimension);
  system.boundary.forEach((intercept, cut) => {
    const slopes = new Float64Array(dimension);
    hydros.forEach(({ boundary }, h) => {
      slopes[h] = boundary[cut].storage / COST_SCALE;
      for (let lag = 0; lag < lags; lag++) {
        slopes[hydros.length * (1 + lag) + h] = (boundary[cut].lags[lag] ?? 0) / COST_SCALE;
      }
    });
    inTransit.forEach((state, i) => {
      const slope = state.hydro.boundary[cut].transit[state.ahead - 1] ?? 0;
      slopes[ahead + i] = slope / COST_SCALE;
    });
    committed.forEach((state, i) => {
      const slope = state.thermal.boundary[cut]?.[state.ahead - 1] ?? 0;
      slopes[ahead + inTransit.length + i] = slope / COST_SCALE;
    });
    pool.add(0, cut, intercept / COST_SCALE, slopes);
  });
  const sizes = { columns: new Int32Array(2), rows: new Int32Array(2) };
  return encodePolicy({
    origin: {
      hydroIds: hydros.map(({ id }) => id),
      lags,
      components: [
        ...stateComponents(
          hydros.map(({ id }) => id),
          lags,
        ),
        ...inTransit.map((state) => ({
          family: "in_transit" as const,
          entityType: "hydro" as const,
          entityId: state.hydro.id,
          ahead: state.ahead,
          unit: "hm3" as const,
        })),
        ...committed.map((state) => ({
          family: "commitment" as const,
          entityType: "thermal" as const,
          entityId: state.thermal.id,
          ahead: state.ahead,
          unit: "MW" as const,
        })),
      ],
      stageIds: [0, 1],
      caseFingerprint: "a small system",
      solverFingerprint: "none",
      forwardPasses: 1,
      seed: 0,
    },
    iteration: 0,
    pools: [pool, new CutPool(dimension)],
    points: new TrialPoints(1, dimension, sizes),
    history: [],
    initialBound: 0,
    boundCaveats: [],
    rulesHolding: [],
    ruleStates: [],
  });
}
